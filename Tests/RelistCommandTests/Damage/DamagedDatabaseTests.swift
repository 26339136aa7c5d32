import Foundation
import HTTPServer
import LogLines
import Logging
import RelistSQLite
import ScreenWire
import SeededRandom
import TemporaryDatabase
import Testing

@testable import ScreenService

/// Tests of the server on a damaged database. The server may reject the database. Otherwise it responds to some requests with
/// content, and to the other requests with the problem that data is unavailable. The process never crashes, and no response is an
/// internal error.
@Suite("A damaged database", .serialized) struct DamagedDatabaseTests {
    /// An intact database with examples, history and a receipt, together with the versions that clients hold.
    private struct Sound: Sendable {
        let bytes: Data
        let versions: [String: String]
    }

    private static let targets = [
        "settings", "deliveries", "deliveries?contract=240311-000", "posts", "mountains?q=mon", "artist", "artist?album=drift-ice", "wifi",
    ]

    private static let sound = Task {
        let folder = try TemporaryFolder()
        let server = try await ExampleSite(onDamaged: folder)
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

    @Test(arguments: Seeds.first(count)) func aDatabaseWithDamagedPagesCausesNoInternalErrors(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let sound = try await Self.sound.value
        let folder = try TemporaryFolder()
        var bytes = sound.bytes
        for _ in 0..<Int.random(in: 1...8, using: &generator) { Self.damagePage(of: &bytes, &generator) }
        try bytes.write(to: URL(filePath: folder.database))
        try await expectNoInternalErrors(in: folder, sound)
    }

    @Test(arguments: Seeds.first(count)) func aDatabaseWithInvalidRowsCausesNoInternalErrors(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let sound = try await Self.sound.value
        let folder = try TemporaryFolder()
        try sound.bytes.write(to: URL(filePath: folder.database))
        let server = try await ExampleSite(onDamaged: folder)
        let changes = (0..<Int.random(in: 1...6, using: &generator)).map { _ in Self.change(&generator) }
        for change in changes {
            // The write may fail, because columns reject values of the wrong type.
            try? await server.store.write { _ = try $0.write(change) }
        }
        await server.store.close()
        try await expectNoInternalErrors(in: folder, sound)
    }

    /// The number of random seeds for each kind of damage. The environment variable `RELIST_SEEDS` sets a different number.
    private static let count = UInt64(ProcessInfo.processInfo.environment["RELIST_SEEDS"] ?? "") ?? 8

    private func expectNoInternalErrors(in folder: TemporaryFolder, _ sound: Sound) async throws {
        let log = LogLines(from: .error)
        let server: ExampleSite
        do {
            server = try await ExampleSite(onDamaged: folder, logger: log.logger)
        } catch is DatabaseFileError {
            return
        } catch is DataUnavailable {
            return
        }
        for target in Self.targets {
            log.expectNoFault(in: try await server.ask("GET", "/screens/\(target)"), target)
            let (path, query) = target.split(at: "?")
            let body = #"{"version":"\#(sound.versions[target] ?? "")"}"#
            log.expectNoFault(in: try await server.post("/screens/\(path)/changes\(query)", [:], body), "changes of \(target)")
        }
        for key in ["earlier", "later"] { log.expectNoFault(in: try await server.rename(key: key), "rename \(key)") }
        for (path, input) in Self.actions {
            log.expectNoFault(in: try await server.post("/screens/\(path)", [:], #"{"input":\#(input)}"#), path)
        }
        await server.service.history.flush()
        await server.service.history.removeExcessIfDue()
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

    /// Overwrites bytes of a random page: the whole page, a few bytes at its beginning, or some bytes anywhere in it.
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
        ("grdb_relist_version", ["view", "outline", "byteCount", "usedAt", "version"]),
        ("grdb_relist_receipt", ["request", "performedAt"]),
        ("grdb_relist_secret", ["bytes"]), ("contract", ["contracted_kilograms", "date", "status", "first_day"]),
        ("delivery", ["scheduled_kilograms", "weighed_kilograms", "day"]), ("lastDeliveryNumber", ["value"]),
        ("mountain", ["metres", "countries"]),
        ("track", ["number", "seconds", "plays"]), ("album", ["year", "is_new"]), ("post", ["user_id", "title"]),
        ("profile", ["has_password"]),
    ]

    private static func change(_ generator: inout SeededGenerator) -> String {
        let (table, names) = columns.randomElement(using: &generator)!
        if Int.random(in: 0..<20, using: &generator) == 0 { return "DELETE FROM \(table)" }
        let extremes = ["-9223372036854775807 - 1", "9223372036854775807", "-1", "0", "1600000001", "9223372036854775807 - 600"]
        let values =
            extremes + ["NULL", "''", "'x'", "x''", "x'00'", "zeroblob(192)", "randomblob(16)", "CAST(x'ff' AS TEXT)", "'2018-02-30'"]
        let condition = Bool.random(using: &generator) ? "" : " WHERE rowid % 3 = 1"
        return "UPDATE \(table) SET \(names.randomElement(using: &generator)!) = \(values.randomElement(using: &generator)!)\(condition)"
    }
}

// MARK: - Requests

extension ExampleSite {
    /// Opens an existing database. The limit of its history is so low that versions are removed.
    fileprivate init(onDamaged folder: TemporaryFolder, logger: Logger = Self.silent) async throws {
        try await self.init(in: folder, history: HistoryBounds(bytes: 10_000), logger: logger, clock: ManualClock(at: 1_600_000_000))
    }

    fileprivate func post(_ target: String, _ headers: Headers = [:], _ body: String) async throws -> Response {
        var headers = headers
        headers.append("Content-Type", "application/json")
        return try await ask("POST", target, headers, body)
    }

    fileprivate func rename(key: String) async throws -> Response {
        try await post(
            "/screens/settings/actions/rename", ["Idempotency-Key": "abcdefghijklmnopqrstuv-\(key)"], #"{"input":{"firstName":"Ada"}}"#
        )
    }
}

extension LogLines {
    /// Expects that a response is not an internal error. If it is one, the message of the failed test contains the error that was
    /// logged last.
    fileprivate func expectNoFault(in response: Response, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let type = try? JSONReader.read(response.body)["type"]?.text
        #expect(type != "urn:relist:problem:internal-error", "\(what): \(all.last ?? "")", sourceLocation: sourceLocation)
    }
}

extension String {
    /// Returns the text before a separator, and the text that begins with the separator.
    fileprivate func split(at separator: Character) -> (Substring, Substring) {
        let place = firstIndex(of: separator) ?? endIndex
        return (self[..<place], self[place...])
    }
}
