import GRDB
import ScreenService
@testable import RelistSQLite
import TemporaryDatabase
import Testing

@Suite("Durability") struct DurabilityTests {
    /// What SQLite calls FULL and NORMAL: https://sqlite.org/pragma.html#pragma_synchronous.
    private let full = 2, normal = 1

    @Test func deedsReceiptsAndTheSecretOutliveALossOfPowerAndHistoryTheEndOfTheProcess() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await note(["note", "grdb_relist_receipt", "grdb_relist_secret", "grdb_relist_version"], in: store.file)
        for version in 0..<2 as Range<UInt64> {
            try await store.history.write(.saving(.some(version: version)))
            try await store.write { try $0.note("user \(version)") }
        }
        try await store.receipts.keep(receipt())
        try await store.history.write(.saving(.some(version: 2)))
        _ = try await store.secret(byteCount: 192)
        #expect(try await noted(in: store.file) == [
            "grdb_relist_version \(normal)", "note \(full)", "grdb_relist_version \(normal)", "note \(full)", "grdb_relist_receipt \(full)",
            "grdb_relist_version \(normal)", "grdb_relist_secret \(full)",
        ])
        await store.close()
    }

    /// Has the writing connection note with which synchronisation rows come into tables.
    private func note(_ tables: [String], in file: DatabaseFile) async throws {
        try await file.write { database, _ in
            try database.execute(sql: "CREATE TEMP TABLE noted (text)")
            for table in tables {
                try database.execute(sql: """
                    CREATE TEMP TRIGGER note_\(table) AFTER INSERT ON main.\(table) BEGIN
                        INSERT INTO noted SELECT '\(table) ' || synchronous FROM pragma_synchronous;
                    END
                    """)
            }
        }
    }

    private func noted(in file: DatabaseFile) async throws -> [String] {
        try await file.write { database, _ in try String.fetchAll(database, sql: "SELECT text FROM noted ORDER BY rowid") }
    }

    private func receipt() -> ActionReceipt {
        ActionReceipt(
            key: .init(user: "u", screen: "s", action: "a", text: "k"), request: Version(high: 1, low: 2), performedAt: 1000
        )
    }
}
