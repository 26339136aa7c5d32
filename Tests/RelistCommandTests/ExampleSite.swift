import HTTPServer
import Logging
import RelistSQLite
import ScreenHTTP
import TemporaryDatabase

@testable import RelistCommand
@testable import ScreenService

/// A service of the example screens with a database in a folder. The service runs in the process of the tests.
struct ExampleSite: Sendable {
    let store: SQLiteServiceStore
    let service: ScreenService
    private let api: ScreenAPI

    init(
        in folder: TemporaryFolder, history: HistoryBounds = HistoryBounds(), logger: Logger = Self.silent,
        clock: any WallClock = SystemClock()
    ) async throws {
        store = try Example.open(path: folder.database, logger: logger)
        let parts = Example.Parts(topics: store.topics, logger: logger, now: { .zero })
        do {
            service = try await ScreenService(
                catalog: try ScreenCatalog(Example.all.map { [store] in $0.screen(store, parts) }, locales: [.english, .french]),
                store: store, bounds: .init(history: history), logger: logger, clock: clock
            )
        } catch {
            await store.close()
            throw error
        }
        api = ScreenAPI(service: service, publicFolder: nil, middleware: [FixedCaller(.user("demo"))], logger: logger)
    }

    /// Sends a request that opens no stream, and returns the response.
    func ask(
        _ method: String, _ target: String, _ headers: Headers = [:], _ body: String = "", refusal: Refusal? = nil
    ) async throws -> Response {
        let request = Request(method: method, target: target, headers: headers, refusal: refusal)
        return switch try await api.reply(to: request).answer(reading: .success(Array(body.utf8))) {
        case .response(let response): response
        case .prepared(let prepared): prepared.response
        case .stream: throw NoDocument()
        }
    }

    func close() async { await store.close() }

    struct NoDocument: Error {}

    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
