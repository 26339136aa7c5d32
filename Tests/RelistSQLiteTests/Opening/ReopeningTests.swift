import GRDB
import Glibc
import Logging
import ScreenService
import TemporaryDatabase
import Testing

@testable import RelistSQLite

@Suite("Closing and reopening") struct ReopeningTests {
    @Test func theFirstReadOfANewStoreFindsTheInitialRows() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open { try $0.note("first") }
        #expect(try await store.read { try $0.isNoted("first") })
        await store.close()
    }

    @Test func twoMigrationsWithTheSameNameBothRun() async throws {
        let folder = try TemporaryFolder()
        let migrations = [.notes, SQLiteMigration("notes", "CREATE TABLE more (x INTEGER) STRICT;")]
        for _ in 0..<2 {
            let store = try SQLiteServiceStore.open(
                path: folder.database, migrations: migrations, logger: Logger(label: "test")
            )
            let count = try await store.read { try $0.row(of: nil, "SELECT count(*) FROM note, more") { try $0[0] as Int } }
            #expect(count == 0)
            await store.close()
        }
    }

    @Test func closingAStoreRemovesItsLog() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        _ = try await store.read { try $0.noteCount() }
        #expect(folder.exists("-wal"))
        await store.close()
        #expect(!folder.exists("-wal"))
        #expect(!folder.exists("-shm"))
    }

    @Test func aClosedStoreRejectsTransactions() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        await store.close()
        await store.close()
        await #expect(throws: SQLiteStoreError.closed) { try await store.read { try $0.noteCount() } }
        await #expect(throws: SQLiteStoreError.closed) { try await store.write { try $0.note("demo") } }
        await #expect(throws: SQLiteStoreError.closed) { try await store.history.records(of: []) }
        await #expect(throws: SQLiteStoreError.closed) { try await store.checkReadable() }
        await #expect(throws: SQLiteStoreError.closed) { try await store.secret(byteCount: 192) }
    }

    @Test func closingWaitsForRunningTransactions() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let (hasBegun, began) = AsyncStream.makeStream(of: Void.self)
        async let count = store.read { store in
            began.finish()
            return try (0..<1000).map { _ in try store.noteCount() }.last
        }
        for await _ in hasBegun {}
        await store.close()
        #expect(try await count == 0)
    }

    @Test func aDeallocatedStoreUnlocksItsFile() async throws {
        let folder = try TemporaryFolder()
        do {
            let store = try folder.open()
            _ = try await store.read { try $0.noteCount() }
        }
        // The thread of the read may retain the store a little longer. When the store is released, it releases its locks, and `flock`
        // returns.
        for name in [folder.database + ".lock", folder.database] {
            let descriptor = open(name, O_RDWR)
            #expect(flock(descriptor, LOCK_EX) == 0)
            close(descriptor)
        }
        await (try folder.open()).close()
    }
}
