import Dispatch
import GRDB
import Logging
@testable import ScreenService
@testable import ServiceStoreSQLite
import Synchronization
import TemporaryDatabase
import Testing

@Suite("Durability", .timeLimit(.minutes(1))) struct DurabilityTests {
    @Test func deedsReceiptsAndTheSecretAreOnTheDiskWhenTheyAreAcknowledged() async throws {
        let disk = Disk()
        let (folder, store) = try open(on: disk)
        try await store.write { try $0.note("demo") }
        #expect(disk.notes == [1])
        try await store.write { try $0.note("more") }
        #expect(disk.notes == [1, 2])
        try await store.receipts.keep(receipt(1))
        _ = try await store.secret(byteCount: 192)
        #expect(disk.notes == [1, 2, 2, 2])
        await store.close()
        withExtendedLifetime(folder) {}
    }

    @Test func historyWaitsForNoDisk() async throws {
        let disk = Disk()
        let (folder, store) = try open(on: disk)
        try await store.history.write(.saving(.some(version: 1)))
        #expect(disk.notes == [])
        await store.close()
        withExtendedLifetime(folder) {}
    }

    @Test func theLogIsWrittenByTheSystemWhenItIsSynchronised() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await store.file.write { database in
            #expect(try Int.fetchOne(database, sql: "PRAGMA synchronous") == 1)
            try DatabaseFile.synchronizeLog(database)
            return Committing(())
        }
        await store.close()
    }

    @Test func whatWaitsTogetherIsSynchronisedTogetherAndEachAnsweredAfterIt() async throws {
        let disk = Disk()
        let (folder, store) = try open(on: disk)
        try await withWaitingWrites(10, in: store) { texts in
            #expect(disk.notes == [1, 11])
            #expect(texts == (0..<10).map { "\($0)" })
        }
        await store.close()
        withExtendedLifetime(folder) {}
    }

    @Test func oneOfThoseThatFailsLeavesTheOthers() async throws {
        struct Refusal: Error {}
        let disk = Disk()
        let (folder, store) = try open(on: disk)
        let (first, release) = await holdWriter(of: store)
        let refused = Task.immediate { try await store.write { _ in throw Refusal() } }
        let noted = Task.immediate { try await store.write { try $0.note("noted") } }
        release()
        try await first.value
        await #expect(throws: Refusal.self) { try await refused.value }
        try await noted.value
        #expect(disk.notes == [1, 2])
        await store.close()
        withExtendedLifetime(folder) {}
    }

    /// It is there, and is read; whether it will be after a loss of power nobody knows.
    @Test func whatCannotBeBroughtToTheDiskIsNotAcknowledged() async throws {
        let disk = Disk()
        let announcements = Announcements()
        let (folder, store) = try open(on: disk, announcements)
        let attempt = ActionAttempt(receipt(1), for: store.receipts, announcingTo: store.topics)
        try attempt.begin()
        disk.fails = true
        await #expect(throws: DataUnavailable(reason: "the database cannot be read or written")) {
            try await ActionAttempt.$current.withValue(attempt) { try await store.write { try $0.note("demo") } }
        }
        #expect(attempt.isCommitted)
        #expect(try await store.read { try $0.noteCount() } == 1)
        #expect(announcements.commits == [["note/demo"]])
        await store.close()
        withExtendedLifetime(folder) {}
    }

    private func open(
        on disk: Disk, _ announcements: Announcements = Announcements()
    ) throws -> (TemporaryFolder, SQLiteServiceStore) {
        let folder = try TemporaryFolder()
        let file = try DatabaseFile(
            path: folder.database, schema: Schema(adding: [.notes]), logger: Logger(label: "test"), synchronize: disk.synchronize
        )
        let store = SQLiteServiceStore(file: file)
        announcements.observe(store.topics)
        return (folder, store)
    }

    /// Begins a write that ends when it is told to.
    private func holdWriter(of store: SQLiteServiceStore) async -> (Task<Void, any Error>, release: () -> Void) {
        let (reached, isReached) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        let held = Task.immediate {
            try await store.write { transaction in
                try transaction.note("held")
                isReached.finish()
                release.wait()
            }
        }
        for await _ in reached {}
        return (held, { release.signal() })
    }

    /// Lets writes wait for one, and gives what was noted when all have ended.
    private func withWaitingWrites(
        _ count: Int, in store: SQLiteServiceStore, _ body: (_ texts: [String]) throws -> Void
    ) async throws {
        let (first, release) = await holdWriter(of: store)
        // An immediate task has come to where it waits by the time that it is there.
        let waiting = (0..<count).map { index in Task.immediate { try await store.write { try $0.note("\(index)") } } }
        release()
        try await first.value
        for write in waiting { try await write.value }
        try body(
            try await store.read { try $0.rows(of: nil, "SELECT text FROM note WHERE text <> 'held' ORDER BY rowid") { $0[0] } }
        )
    }

    private func receipt(_ number: UInt64) -> ActionReceipt {
        ActionReceipt(
            key: .init(user: "u", screen: "s", action: "a", text: "k\(number)"), request: Version(high: 1, low: number),
            performedAt: 1000
        )
    }
}

/// Counts the notes that are there each time that the log is synchronised.
private final class Disk: Sendable {
    private let state = Mutex((notes: [Int](), fails: false))

    var notes: [Int] { state.withLock { $0.notes } }
    var fails: Bool {
        get { state.withLock { $0.fails } }
        set { state.withLock { $0.fails = newValue } }
    }

    func synchronize(_ database: Database) throws {
        if fails { throw DatabaseError(resultCode: .SQLITE_IOERR) }
        try DatabaseFile.synchronizeLog(database)
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM note")!
        state.withLock { $0.notes.append(count) }
    }
}
