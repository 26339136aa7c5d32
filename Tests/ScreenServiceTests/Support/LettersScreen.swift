import CoreMetrics
import Logging
import ScreenModel
import Synchronization
import Testing

@testable import ScreenService

/// A store that contains the letters of each user. A test can delay a computation that reads the store, or make it fail.
final class LetterStore: Sendable {
    private struct State {
        /// The letters of each user. A key consists of the bytes of the user's name.
        var letters: [[UInt8]: [String]] = [:]
        var gates: [Gate] = []
        var failures: [any Error] = []
        var storesReceipts = false
        var readsUnderReceipts = 0
    }

    private let state: Mutex<State>
    private let topics: Topics

    init(_ letters: [String], announcingTo topics: Topics) {
        state = Mutex(State(letters: [Array("everyone".utf8): letters]))
        self.topics = topics
    }

    /// A Boolean value that indicates whether writes store the receipts of their actions.
    var storesReceipts: Bool {
        get { state.withLock { $0.storesReceipts } }
        set { state.withLock { $0.storesReceipts = newValue } }
    }

    /// The number of reads that ran within the task of an action.
    var readsUnderReceipts: Int { state.withLock { $0.readsUnderReceipts } }

    /// Makes the next computation wait at a gate after it has read the letters.
    func hold() -> Gate {
        let gate = Gate()
        state.withLock { $0.gates.append(gate) }
        return gate
    }

    /// Makes the next computation fail after it has read the letters and passed its gate.
    func fail(_ error: any Error) {
        state.withLock { $0.failures.append(error) }
    }

    /// Writes letters without an announcement, as if another replica had written them and its announcement had not arrived yet.
    func writeUnheard(_ letters: [String]) {
        state.withLock { $0.letters[Array("everyone".utf8)] = letters }
    }

    func write(_ letters: [String], of owner: String = "everyone") {
        state.withLock { $0.letters[Array(owner.utf8)] = letters }
        if storesReceipts { ActionAttempt.current?.noteCommit() }
        topics.announce([Topic("letters/\(owner)")])
    }

    func read(_ owner: String) async throws -> [String] {
        if let recorder = topics.recorder {
            recorder.record(Topic("letters/\(owner)"))
            if ActionAttempt.current != nil { state.withLock { $0.readsUnderReceipts += 1 } }
        }
        let (letters, gate, failure) = state.withLock { state in
            (state.letters[Array(owner.utf8)] ?? [], state.gates.popLast(), state.failures.popLast())
        }
        await gate?.pass()
        if let failure { throw failure }
        return letters
    }
}

/// A screen for everyone that shows letters as cells. The parameter `q` is the text of a search, and the parameter `limit` is the
/// maximum number of cells.
struct Letters: Screen {
    static let name = "letters"
    static let limit = Parameter<Int>.integer("limit", in: 1...1000, default: 100, "How many.")
    static let q = Parameter<String>.text("q", "What they begin with.")
    let store: LetterStore
    let visibility = Visibility.everyone
    let parameters: [any ParameterDeclaring] = [limit, q]
    static let letter = Field.text("letter", Text("Letter", fr: "Lettre"), limit: 1)
    static let times = Field.integer("times", "Times", in: 1...3)

    var actions: [Action] {
        [
            Action("add", "Adds a letter.", Self.letter, Self.times.optional) { _, letter, times in
                guard letter != "x" else { throw BrokenRules([BrokenRule(field: "letter", "No x.")]) }
                let letters = try await store.read("everyone")
                store.write(letters + [String](repeating: letter, count: times ?? 1))
            },
            Action("clear", "Removes all letters.") { _ in store.write([]) },
        ]
    }

    let title: Text = "Letters"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Label, Row>> {
        let letters = try await store.read("everyone").filter { $0.hasPrefix(request[Self.q]) }
        let rows = letters.prefix(request[Self.limit]).map { Row(id: $0, text: "the letter \($0)") }
        let section = TableViewSection(id: "found", header: Label("\(letters.count) letters"), cells: rows)
        let title = request.locale == .french ? "Lettres" : "Letters"
        // The title contains the text of the search, so the content differs for each search, even if nothing is found.
        let search = request[Self.q]
        return ScreenContent(title: search.isEmpty ? title : "\(title): \(search)", model: TableViewModel(section: section))
    }
}

/// A screen for a user that shows the user's letters.
struct Notes: Screen {
    static let name = "notes"
    let store: LetterStore
    let visibility = Visibility.user

    let title: Text = "Notes"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Label, Row>> {
        let rows = try await store.read(request.user).map { Row(id: $0) }
        return ScreenContent(title: "Notes", model: TableViewModel(section: TableViewSection(id: "notes", cells: rows)))
    }
}

/// A service with the screens `Letters` and `Notes`.
struct LetterService: Sendable {
    let topics: Topics
    let store: LetterStore
    let service: ScreenService
    var history: History { service.history }

    init(
        _ letters: [String] = ["a", "b", "c"], received: ReceivedCommits? = nil, hash: ContentHash = .fixed,
        over historyStore: any HistoryStoring = HistoryInMemory(),
        bounds: HistoryBounds = HistoryBounds(), receiptBounds: ReceiptBounds = ReceiptBounds(), cacheBytes: Int = 1 << 20,
        following: FollowingBounds = FollowingBounds(),
        receipts: any ReceiptStoring = ReceiptsInMemory(), deadline: Deadline = .after(.seconds(3600)),
        logger: Logger = .silent, metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        clock: any WallClock = ManualClock(at: 1000)
    ) async throws {
        topics = Topics(received: received)
        store = LetterStore(letters, announcingTo: topics)
        service = try await ScreenService(
            catalog: try ScreenCatalog([Letters(store: store), Notes(store: store)], locales: [.english, .french]),
            store: TestStore(topics: topics, history: historyStore, receipts: receipts, hash: hash),
            bounds: ScreenService.Bounds(viewCacheBytes: cacheBytes, history: bounds, receipts: receiptBounds, following: following),
            deadline: deadline, logger: logger, metrics: metrics, clock: clock
        )
    }

    /// Returns the view of a screen.
    func view(_ parameters: [String: String] = [:], of name: String = "letters", user: String = "u", locale: ScreenLocale = .english)
        -> ScreenView
    {
        try! service.catalog.view(
            of: name, parameters: parameters.map { (name: $0.key, value: $0.value) }, locale: locale, caller: .user(user))
    }

    /// Performs an action on the view of `letters`, and returns its failure. The test fails if the action succeeds.
    func failure(_ request: ActionRequest) async throws -> ActionFailure {
        try #require(await #expect(throws: ActionFailure.self) { try await service.attempt(request, on: view()) })
    }
}

extension Document {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
