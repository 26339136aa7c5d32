import GRDB
import ScreenService
import Synchronization
import TemporaryDatabase
import Testing

@testable import RelistSQLite

@Suite("Durability") struct DurabilityTests {
    /// The numbers of the levels FULL and NORMAL of the pragma `synchronous` (https://sqlite.org/pragma.html#pragma_synchronous).
    private let full = 2, normal = 1

    @Test func onlyHistoryIsCommittedWithoutSynchronizingTheDisk() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await note(["note", "grdb_relist_receipt", "grdb_relist_secret", "grdb_relist_version"], in: store.file)
        for version in 0..<2 as Range<UInt64> {
            try await store.history.write(HistoryBatch(saving: [.some(version: version)]))
            try await store.write { try $0.note("user \(version)") }
        }
        try await store.receipts.keep(.some())
        try await store.history.write(HistoryBatch(saving: [.some(version: 2)]))
        _ = try await store.secret(byteCount: 192)
        #expect(
            try await noted(in: store.file) == [
                "grdb_relist_version \(normal)", "note \(full)", "grdb_relist_version \(normal)", "note \(full)",
                "grdb_relist_receipt \(full)",
                "grdb_relist_version \(normal)", "grdb_relist_secret \(full)",
            ])
        await store.close()
    }

    @Test func transactionsAreCountedAndDurableCommitsAreTimed() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let commitCount = Atomic(0)
        store.observeCommits { _ in commitCount.add(1, ordering: .relaxed) }
        let before = store.counts
        try await store.write { try $0.note("a") }
        try await store.history.write(HistoryBatch(saving: [.some(version: 1)]))
        _ = try await store.read { try $0.isNoted("a") }
        await #expect(throws: CancellationError.self) { try await store.write { _ in throw CancellationError() } }
        let after = store.counts
        #expect((after.reads - before.reads, after.writes - before.writes, after.inDoubt) == (1, 2, 0))
        #expect(commitCount.load(ordering: .relaxed) == 1)
        #expect(after.waitingWrites == 0 && after.busyConnections == ["reads": 0])
        await store.close()
    }

    /// Creates triggers that record the level of synchronization at each insert into these tables.
    private func note(_ tables: [String], in file: OwnFile) async throws {
        try await file.write { database, _ in
            try database.execute(sql: "CREATE TEMP TABLE noted (text)")
            for table in tables {
                try database.execute(
                    sql: """
                        CREATE TEMP TRIGGER note_\(table) AFTER INSERT ON main.\(table) BEGIN
                            INSERT INTO noted SELECT '\(table) ' || synchronous FROM pragma_synchronous;
                        END
                        """)
            }
        }
    }

    private func noted(in file: OwnFile) async throws -> [String] {
        try await file.write { database, _ in try String.fetchAll(database, sql: "SELECT text FROM noted ORDER BY rowid") }
    }
}
