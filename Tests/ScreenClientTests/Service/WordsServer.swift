import HTTPServer
import Logging
import ScreenHTTP
import ScreenModel
import ScreenService
import Synchronization

/// A server with one screen. The words, the receipts and the history are stored on a disk and survive a restart.
final class WordsServer: Sendable {
    let api: ScreenAPI
    let words: WordStore
    private let service: ScreenService

    /// Starts the server with the data of a disk.
    init(_ disk: Disk) async throws {
        let topics = Topics()
        words = WordStore(disk: disk, topics: topics)
        service = try await ScreenService(
            catalog: try ScreenCatalog([Words(store: words)]), store: ServiceStore(topics: topics, disk: disk),
            deadline: .after(.seconds(3600)),
            logger: .quiet, clock: SystemClock { disk.time.withLock { $0 } })
        // The server suggests a pause of 0, so clients reconnect after their shortest pause.
        api = ScreenAPI(service: service, publicFolder: nil, middleware: [TokenLayer(disk: disk)], logger: .quiet, retry: { 0 })
    }

    /// Ends all streams and stores the history, as a server does before its process ends.
    func stop() async {
        api.drain()
        await service.history.flush()
    }

    private struct ServiceStore: ServiceStoring {
        let topics: Topics
        let disk: Disk

        var history: any HistoryStoring { disk.history.withLock { $0 } }
        var receipts: any ReceiptStoring { disk.receipts }

        func secret(byteCount: Int) -> [UInt8] { [UInt8](repeating: 7, count: byteCount) }
        func checkReadable() {}
        func close() {}
    }

    /// A layer that rejects requests without the currently valid token.
    private struct TokenLayer: Middleware {
        let disk: Disk

        func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
            guard context.request.headers["Authorization"] == "Bearer \(disk.token.withLock { $0 })" else {
                return context.rejected(by: CredentialsFault.refused("The token has expired."))
            }
            context.caller = .user("ada")
            return next(context)
        }
    }
}

/// The data that a server keeps when it stops.
final class Disk: Sendable {
    let words = Mutex(["apple", "bread", "cheese"])
    let history = Mutex(HistoryInMemory())
    let receipts = ReceiptsInMemory()
    /// The token that the server accepts.
    let token = Mutex("token 1")
    /// The time in seconds since 1970.
    let time = Mutex<Int64>(1_800_000_000)

    func forgetHistory() {
        history.withLock { $0 = HistoryInMemory() }
    }
}

/// A store that reads and writes the words on a disk.
struct WordStore: Sendable {
    private static let topic = Topic("words")
    let disk: Disk
    let topics: Topics

    func read() -> [String] {
        topics.recorder?.record(Self.topic)
        return disk.words.withLock { $0 }
    }

    func add(_ word: String) {
        disk.words.withLock { $0.append(word) }
        topics.announce([Self.topic])
    }
}

/// A screen that lists words and can be searched.
struct Words: Screen {
    typealias Model = TableViewModel<Never, WordCell>

    static let name = "words"
    static let query = Parameter(
        "q", .text(limit: 100, shape: "a text"), "The text that the words contain.", default: "", defaultText: "", parse: { $0 },
        format: { $0 }
    )
    static let word = Field.text("word", "Word", limit: 20)

    let visibility = Visibility.user
    let parameters: [any ParameterDeclaring] = [query]
    let store: WordStore
    let title: Text = "Words"

    var actions: [Action] {
        [
            Action("add", "Adds a word.", Self.word) { _, word in
                guard word != "spam" else { throw BrokenRules([BrokenRule(field: "word", "No spam.")]) }
                store.add(word)
            }
        ]
    }

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        let query = request[Self.query]
        let cells = store.read().filter { query.isEmpty || $0.contains(query) }.map { WordCell(id: $0, text: $0) }
        return ScreenContent(title: "Words", model: Model(section: Model.Section(id: "words", entities: cells) { $0 }))
    }
}

struct WordCell: CellContent {
    let id: String
    let text: String

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("text", \.text)
    }
}

extension Logger {
    /// A logger that discards all messages.
    static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
