import HTTPServer
import Logging
import ScreenHTTP
import ScreenModel
@testable import ScreenService
import Testing

/// The server is one of several replicas, and its store says which commits it has heard of.
@Suite("Positions", .timeLimit(.minutes(1))) struct PositionTests {
    private static let field = "Relist-Position"
    private static let forged = [
        "", "0", "5", "9223372036854775807", "-1", "a", "%00", "a%20b", "%F0%9F%8D%8E", "a,b", String(repeating: "a", count: 26),
        String(repeating: "7", count: 26), String(repeating: "a", count: 2000),
    ]

    private let heard = HeardCommits()
    private let api: ScreenAPI
    private let tokens: PositionTokens

    init() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = ReplicaStore(heard)
        heard.trust(since: .now + .seconds(3600))
        heard.hear(Position(number: 5))
        let service = try await ScreenService(
            catalog: ScreenCatalog([Commits()]), store: store, deadline: .after(.seconds(3600)), logger: logger)
        tokens = PositionTokens(secret: store.secret(byteCount: PositionTokens.secretByteCount))
        api = ScreenAPI(service: service, publicFolder: nil, sharedCacheSeconds: 7, logger: logger)
        // They are cached from now on.
        for path in ["/screens/commits", "/screens/commits/changes"] { _ = try await get(path).answer }
    }

    private func get(_ target: String, _ headers: Headers = [:]) -> Reply {
        api.reply(to: Request(method: "GET", target: target, headers: headers))
    }

    /// The fields of an answer that came at once; nil for one that would come later.
    private func fieldsAtOnce(_ reply: Reply) -> Headers? {
        if case .now(let answer) = reply.content { answer.headers } else { nil }
    }

    private func token(_ number: Int64) -> String { tokens.token(for: Position(number: number)) }

    /// - Parameter number: The position that the action is committed at; nil where it commits nothing.
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

    @Test(arguments: forged) func aTextThatWasNeverHandedOutIsIgnored(_ text: String) throws {
        for path in ["/screens/commits", "/screens/commits/changes"] {
            let without = try #require(fieldsAtOnce(get(path)))
            let inQuery = try #require(fieldsAtOnce(get("\(path)?position=\(text)")), "it waits")
            let inField = try #require(fieldsAtOnce(get(path, [Self.field: text])), "it waits")
            for fields in [inQuery, inField] {
                for name in ["Cache-Control", "Vary", "ETag", "Content-Length"] { #expect(fields[name] == without[name]) }
            }
        }
    }

    @Test func aTokenIsWaitedForAndItsAnswerIsNotCached() async throws {
        for (path, headers) in [("?position=\(token(5))", [:]), ("", [Self.field: token(5)])] as [(String, Headers)] {
            let fields = try #require(fieldsAtOnce(get("/screens/commits" + path, headers)))
            #expect(fields["Cache-Control"] == "no-store")
        }
        let waiting = get("/screens/commits?position=\(token(6))")
        #expect(fieldsAtOnce(waiting) == nil)
        heard.hear(Position(number: 6))
        #expect(try await waiting.answer.status == 200)
    }

    @Test func theLastPositionOfSeveralTokensCounts() async throws {
        let list = "\(token(4)), \(token(7)),x,\(token(6))"
        #expect(fieldsAtOnce(get("/screens/commits", [Self.field: list])) == nil)
        #expect(fieldsAtOnce(get("/screens/commits?position=\(token(7))", [Self.field: token(4)])) == nil)
        heard.hear(Position(number: 7))
        #expect(fieldsAtOnce(get("/screens/commits", [Self.field: list])) != nil)
    }

    // MARK: - Actions

    @Test func anActionIsAnsweredWithThePositionOfItsCommit() async throws {
        #expect(try await perform(committingAt: 6) == Position(number: 6))
        #expect(try await perform(committingAt: 6, seen: [token(5), "9"]) == Position(number: 6))
    }

    @Test func anActionThatCommitsNothingIsAnsweredWithWhatWasSeenOrHeardLast() async throws {
        #expect(try await perform(committingAt: nil) == Position(number: 5))
        #expect(try await perform(committingAt: nil, seen: [token(4)]) == Position(number: 5))
        #expect(try await perform(committingAt: nil, seen: [token(4), token(7)]) == Position(number: 7))
    }

    @Test func aPositionThatWasLostWithAPrimaryIsNotHandedOn() async throws {
        #expect(try await perform(committingAt: 6, seen: [token(1000)]) == Position(number: 6))
    }
}

/// A store in memory whose commits have positions.
private struct ReplicaStore: ServiceStoring {
    let topics: Topics
    let history: any HistoryStoring = HistoryInMemory()
    let receipts: any ReceiptStoring = ReceiptsInMemory()

    init(_ heard: HeardCommits) {
        topics = Topics(heard: heard)
    }

    func secret(byteCount: Int) -> [UInt8] { (0..<byteCount).map { UInt8(truncatingIfNeeded: 31 &* $0 &+ byteCount) } }
    func checkReadable() {}
    func close() {}
}

private struct Commits: Screen {
    static let name = "commits"
    static let position = Field.integer("position", "Position", in: 0...1000)

    let visibility = Visibility.everyone

    var actions: [Action] {
        [
            Action("commit", "Is committed at a position.", Self.position.optional) { _, position in
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
