import Foundation
import HTTPServer
import Logging
@testable import RelistCommand
import ScreenHTTP
import ScreenService
import ScreenWire
import RelistSQLite
import Synchronization
import TemporaryDatabase

/// The screens of the server on a database of their own, in this process.
final class WireSite: Sendable {
    let store: SQLiteServiceStore
    private let api: ScreenAPI
    private let folder: TemporaryFolder
    /// What the versions are called in fixtures: they are keyed by a secret of the database.
    private let names = Mutex<[String: String]>([:])

    init() async throws {
        folder = try TemporaryFolder()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = try Example.open(path: folder.database, logger: logger)
        self.store = store
        let parts = Example.Parts(topics: store.topics, logger: logger, now: { .zero })
        let service = try await ScreenService(
            catalog: try ScreenCatalog(Example.all.map { $0.screen(store, parts) }, locales: [.english, .french]), store: store, logger: logger
        )
        api = ScreenAPI(service: service, publicFolder: nil, middleware: [FixedCaller(.user("demo"))], logger: logger)
    }

    func ask(
        _ method: String = "GET", _ target: String, _ headers: Headers = [:], _ body: String = "", refusal: Refusal? = nil
    ) async -> [UInt8] {
        let request = Request(method: method, target: target, headers: headers, refusal: refusal)
        return switch try? await api.reply(to: request).answer(reading: .success(Array(body.utf8))) {
        case .response(let response): response.body
        case .prepared(let prepared): prepared.response.body
        case .stream, nil: []
        }
    }

    /// A snapshot, whose version is called by this name from now on.
    func snapshot(_ target: String, named name: String) async throws -> (bytes: [UInt8], version: String) {
        let bytes = await ask("GET", target)
        guard case .string(let version)? = try JSONReader.read(bytes)["version"] else { throw NoVersion() }
        names.withLock { $0[version] = name }
        return (bytes, version)
    }

    struct NoVersion: Error {}

    /// The document with its versions called by their names. Those without one stay.
    func naming(versionsIn document: String) -> String {
        names.withLock { names in
            names.reduce(document) { $0.replacing("\"\($1.key)\"", with: "\"\($1.value)\"") }
        }
    }
}
