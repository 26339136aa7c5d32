import HTTPServer
import ScreenHTTP
import ScreenModel
import Testing

@testable import ScreenService

/// Tests of positions in the requests to one of several replicas. Each test controls the commits that the store of this replica has
/// received.
@Suite("Positions", .timeLimit(.minutes(1))) struct PositionTests {
    private static let field = "Relist-Position"
    private static let forged = [
        "", "0", "5", "9223372036854775807", "-1", "a", "%00", "a%20b", "%F0%9F%8D%8E", "a,b", String(repeating: "a", count: 26),
        String(repeating: "7", count: 26), String(repeating: "a", count: 2000),
    ]

    private let received = ReceivedCommits()
    private let api: ScreenAPI
    private let tokens: PositionTokens

    init() async throws {
        let store = ReplicaStore(received)
        received.trust(since: .now + .seconds(3600))
        received.receive(Position(number: 5))
        let service = try await ScreenService(
            catalog: ScreenCatalog([Commits()]), store: store, deadline: .after(.seconds(3600)), logger: .quiet)
        tokens = PositionTokens(secret: store.secret(byteCount: PositionTokens.secretByteCount))
        api = ScreenAPI(service: service, publicFolder: nil, sharedCacheSeconds: 7, logger: .quiet)
        // These requests fill the cache.
        for path in ["/screens/commits", "/screens/commits/changes"] { _ = try await get(path).answer }
    }

    private func get(_ target: String, _ headers: Headers = [:]) -> Reply {
        api.reply(to: Request(method: "GET", target: target, headers: headers))
    }

    /// Returns the header fields of the response that `reply` contains, or nil if the response is not ready immediately.
    private func immediateFields(_ reply: Reply) -> Headers? {
        if case .now(let answer) = reply.content { answer.headers } else { nil }
    }

    private func token(_ number: Int64) -> String { tokens.token(for: Position(number: number)) }

    /// Performs an action, and returns the position in the response.
    ///
    /// - Parameter number: The position of the action's commit; nil if the action commits nothing.
    private func perform(committingAt number: Int64?, seen: [String] = []) async throws -> Position? {
        var headers: Headers = ["Content-Type": "application/json", "Prefer": "return=minimal"]
        for token in seen { headers.append(Self.field, token) }
        let body = Array((number.map { #"{"input":{"position":\#($0)}}"# } ?? "{}").utf8)
        let request = Request(method: "POST", target: "/screens/commits/actions/commit", headers: headers)
        let answer = try await api.reply(to: request).answer(reading: .success(body))
        #expect(answer.status == 204)
        return tokens.position(of: try #require(answer.headers[Self.field]))
    }

    // MARK: - Tokens

    @Test(arguments: forged) func aPositionThatIsNotATokenOfThisServiceIsIgnored(_ text: String) throws {
        for path in ["/screens/commits", "/screens/commits/changes"] {
            let without = try #require(immediateFields(get(path)))
            let inQuery = try #require(immediateFields(get("\(path)?position=\(text)")), "it waits")
            let inField = try #require(immediateFields(get(path, [Self.field: text])), "it waits")
            for fields in [inQuery, inField] {
                for name in ["Cache-Control", "Vary", "ETag", "Content-Length"] { #expect(fields[name] == without[name]) }
            }
        }
    }

    @Test func aRequestWithAPositionWaitsForTheCommitAndItsResponseIsNotCached() async throws {
        for (path, headers) in [("?position=\(token(5))", [:]), ("", [Self.field: token(5)])] as [(String, Headers)] {
            let fields = try #require(immediateFields(get("/screens/commits" + path, headers)))
            #expect(fields["Cache-Control"] == "no-store")
        }
        let waiting = get("/screens/commits?position=\(token(6))")
        #expect(immediateFields(waiting) == nil)
        received.receive(Position(number: 6))
        #expect(try await waiting.answer.status == 200)
    }

    @Test func aRequestWithSeveralPositionsWaitsForTheLatestOne() async throws {
        let list = "\(token(4)), \(token(7)),x,\(token(6))"
        #expect(immediateFields(get("/screens/commits", [Self.field: list])) == nil)
        #expect(immediateFields(get("/screens/commits?position=\(token(7))", [Self.field: token(4)])) == nil)
        received.receive(Position(number: 7))
        #expect(immediateFields(get("/screens/commits", [Self.field: list])) != nil)
    }

    // MARK: - Actions

    @Test func theResponseToAnActionHasThePositionOfItsCommit() async throws {
        #expect(try await perform(committingAt: 6) == Position(number: 6))
        #expect(try await perform(committingAt: 6, seen: [token(5), "9"]) == Position(number: 6))
    }

    @Test func anActionWithoutACommitReturnsTheLatestKnownPosition() async throws {
        #expect(try await perform(committingAt: nil) == Position(number: 5))
        #expect(try await perform(committingAt: nil, seen: [token(4)]) == Position(number: 5))
        #expect(try await perform(committingAt: nil, seen: [token(4), token(7)]) == Position(number: 7))
    }

    @Test func thePositionOfACommitIsReturnedEvenIfTheClientSendsALaterPosition() async throws {
        #expect(try await perform(committingAt: 6, seen: [token(1000)]) == Position(number: 6))
    }
}

/// An in-memory store whose commits have positions.
private struct ReplicaStore: ServiceStoring {
    let topics: Topics
    let history: any HistoryStoring = HistoryInMemory()
    let receipts: any ReceiptStoring = ReceiptsInMemory()

    init(_ received: ReceivedCommits) {
        topics = Topics(received: received)
    }

    func secret(byteCount: Int) -> [UInt8] { (0..<byteCount).map { UInt8(truncatingIfNeeded: 31 &* $0 &+ byteCount) } }
    func checkReadable() {}
    func close() {}
}

private struct Commits: Screen {
    static let name = "commits"
    static let position = Field.integer("position", "Position", in: 0...1000)

    let visibility = Visibility.everyone
    let isStatic = true

    var actions: [Action] {
        [
            Action("commit", "Commits at a position.", Self.position.optional) { _, position in
                guard let position, let attempt = ActionAttempt.current else { return }
                ActionTransaction(attempt: attempt, storesReceipt: false).endCommit(.committed(at: Position(number: Int64(position))))
            }
        ]
    }

    let title: Text = "Commits"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, NoteCell>> {
        ScreenContent(title: "Commits", model: TableViewModel(cells: [NoteCell(id: "a", text: "a")]))
    }
}
