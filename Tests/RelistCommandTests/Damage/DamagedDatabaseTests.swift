import Foundation
import HTTPServer
import LogLines
import Logging
@testable import RelistCommand
import ScreenHTTP
@testable import ScreenService
import ScreenWire
import SeededRandom
import RelistSQLite
import TemporaryDatabase
import Testing

/// The server on a damaged database: it refuses to open it, or answers what it can and reports the rest as out of reach. The
/// process goes on, and no answer is an internal error.
@Suite("A damaged database", .serialized) struct DamagedDatabaseTests {
    private static let now: Int64 = 1_600_000_000

    /// A database with the examples, history and a receipt, and what clients hold of it.
    private struct Sound: Sendable {
        let bytes: Data
        let versions: [String: String]
    }

    private static let targets = [
        "settings", "deliveries", "deliveries?contract=240311-000", "posts", "mountains?q=mon", "artist", "artist?album=drift-ice", "wifi",
    ]

    private static let sound = Task {
        let folder = try TemporaryFolder()
        let server = try await Server(in: folder, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        var versions: [String: String] = [:]
        for target in targets {
            let answer = try await server.ask("GET", "/screens/\(target)")
            versions[target] = try JSONReader.read(answer.body)["version"]?.text
        }
        for _ in 0..<2 { #expect(try await server.rename(key: "earlier").status == 200) }
        await server.service.history.flush()
        await server.store.close()
        return Sound(bytes: try Data(contentsOf: URL(filePath: folder.database)), versions: versions)
    }

    @Test(arguments: Seeds.first(count)) func damagedPagesAreRefusedOrSaidToBe(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let sound = try await Self.sound.value
        let folder = try TemporaryFolder()
        var bytes = sound.bytes
        for _ in 0..<Int.random(in: 1...8, using: &generator) { Self.damagePage(of: &bytes, &generator) }
        try bytes.write(to: URL(filePath: folder.database))
        try await expectHonesty(in: folder, sound)
    }

    @Test(arguments: Seeds.first(count)) func rowsOfAnyValueAreAnsweredOrSaidToBeDamaged(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let sound = try await Self.sound.value
        let folder = try TemporaryFolder()
        try sound.bytes.write(to: URL(filePath: folder.database))
        let server = try await Server(in: folder, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let changes = (0..<Int.random(in: 1...6, using: &generator)).map { _ in Self.change(&generator) }
        for change in changes {
            // Some values are of no type that a column takes.
            try? await server.store.write { _ = try $0.write(change) }
        }
        await server.store.close()
        try await expectHonesty(in: folder, sound)
    }

    /// The number of seeds of either kind. `RELIST_SEEDS` asks for more.
    private static let count = UInt64(ProcessInfo.processInfo.environment["RELIST_SEEDS"] ?? "") ?? 8

    private func expectHonesty(in folder: TemporaryFolder, _ sound: Sound) async throws {
        let log = LogLines(from: .error)
        let server: Server
        do {
            server = try await Server(in: folder, logger: log.logger)
        } catch is DatabaseFileError {
            return
        } catch is DataUnavailable {
            return
        }
        for target in Self.targets {
            log.expectNoFault(in: try await server.ask("GET", "/screens/\(target)"), target)
            let (path, query) = target.split(at: "?")
            let body = #"{"version":"\#(sound.versions[target] ?? "")"}"#
            log.expectNoFault(in: try await server.ask("POST", "/screens/\(path)/changes\(query)", body: body), "changes of \(target)")
        }
        for key in ["earlier", "later"] { log.expectNoFault(in: try await server.rename(key: key), "rename \(key)") }
        for (path, input) in Self.actions {
            log.expectNoFault(in: try await server.ask("POST", "/screens/\(path)", body: #"{"input":\#(input)}"#), path)
        }
        await server.service.history.flush()
        await server.service.history.forgetIfDue()
        await server.store.close()
    }

    private static let actions = [
        ("deliveries/actions/schedule", #"{"day":"2018-07-20","kilograms":1}"#),
        ("deliveries/actions/weigh", #"{"delivery":"7534-1","kilograms":10000}"#),
        ("deliveries/actions/restore", "{}"), ("settings/actions/connect", "{}"), ("wifi/actions/toggle", #"{"on":true}"#),
    ]
}

// MARK: - Damage

extension DamagedDatabaseTests {
    private static let pageSize = 4096

    /// Changes some bytes of a page, where they matter most: at its beginning, in the list of its cells, anywhere.
    private static func damagePage(of bytes: inout Data, _ generator: inout SeededGenerator) {
        let page = Int.random(in: 0..<bytes.count / pageSize, using: &generator) * pageSize
        switch Int.random(in: 0..<5, using: &generator) {
        case 0:
            for place in page..<page + pageSize { bytes[place] = .random(in: 0...255, using: &generator) }
        case 1:
            for place in page..<page + pageSize { bytes[place] = 0 }
        case 2:
            for _ in 0..<4 { bytes[page + .random(in: 0..<64, using: &generator)] = .random(in: 0...255, using: &generator) }
        default:
            for _ in 0..<Int.random(in: 1...64, using: &generator) {
                bytes[page + .random(in: 0..<pageSize, using: &generator)] = .random(in: 0...255, using: &generator)
            }
        }
    }

    private static let columns = [
        ("grdb_relist_version", ["view", "outline", "byteCount", "usedAt", "version"]), ("grdb_relist_receipt", ["request", "performedAt"]),
        ("grdb_relist_secret", ["bytes"]), ("contract", ["contracted_kilograms", "date", "status", "first_day"]),
        ("delivery", ["scheduled_kilograms", "weighed_kilograms", "day"]), ("lastDeliveryNumber", ["value"]), ("mountain", ["metres", "countries"]),
        ("track", ["number", "seconds", "plays"]), ("album", ["year", "is_new"]), ("post", ["user_id", "title"]), ("profile", ["has_password"]),
    ]

    private static func change(_ generator: inout SeededGenerator) -> String {
        let (table, names) = columns.randomElement(using: &generator)!
        if Int.random(in: 0..<20, using: &generator) == 0 { return "DELETE FROM \(table)" }
        let extremes = ["-9223372036854775807 - 1", "9223372036854775807", "-1", "0", "1600000001", "9223372036854775807 - 600"]
        let values = extremes + ["NULL", "''", "'x'", "x''", "x'00'", "zeroblob(192)", "randomblob(16)", "CAST(x'ff' AS TEXT)", "'2018-02-30'"]
        let condition = Bool.random(using: &generator) ? "" : " WHERE rowid % 3 = 1"
        return "UPDATE \(table) SET \(names.randomElement(using: &generator)!) = \(values.randomElement(using: &generator)!)\(condition)"
    }
}

// MARK: - Asking

/// The server of the examples, in this process, on a database that is there.
private struct Server {
    let store: SQLiteServiceStore
    let service: ScreenService
    private let api: ScreenAPI

    init(in folder: TemporaryFolder, logger: Logger) async throws {
        let store = try Example.open(path: folder.database, logger: logger)
        do {
            self.store = store
            let parts = Example.Parts(topics: store.topics, logger: logger, now: { .zero })
            service = try await ScreenService(
                catalog: try ScreenCatalog(Example.all.map { $0.screen(store, parts) }, locales: [.english]), store: store,
                // So little that history forgets.
                bounds: .init(history: HistoryBounds(bytes: 10_000)), logger: logger, now: { 1_600_000_000 }
            )
        } catch {
            await store.close()
            throw error
        }
        api = ScreenAPI(service: service, publicFolder: nil, middleware: [FixedCaller(.user("demo"))], logger: logger)
    }

    func ask(_ method: String, _ target: String, _ headers: Headers = [:], body: String = "") async throws -> Response {
        var headers = headers
        if method == "POST" { headers.append("Content-Type", "application/json") }
        let reply = api.reply(to: Request(method: method, target: target, headers: headers))
        return switch try await reply.answer(reading: .success(Array(body.utf8))) {
        case .response(let response): response
        case .prepared(let prepared): prepared.response
        case .stream: throw NoDocument()
        }
    }

    func rename(key: String) async throws -> Response {
        try await ask(
            "POST", "/screens/settings/actions/rename", ["Idempotency-Key": "abcdefghijklmnopqrstuv-\(key)"],
            body: #"{"input":{"firstName":"Ada"}}"#
        )
    }

    struct NoDocument: Error {}
}

extension LogLines {
    /// A failure names the error that was logged last.
    fileprivate func expectNoFault(in response: Response, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let type = try? JSONReader.read(response.body)["type"]?.text
        #expect(type != "urn:relist:problem:internal-error", "\(what): \(all.last ?? "")", sourceLocation: sourceLocation)
    }
}

extension String {
    /// The parts before a character and from it on.
    fileprivate func split(at separator: Character) -> (Substring, Substring) {
        let place = firstIndex(of: separator) ?? endIndex
        return (self[..<place], self[place...])
    }
}
