import Dispatch
import Foundation
import GRDB
import ScreenService
import Synchronization
import TemporaryDatabase
import Testing

@testable import RelistSQLite

@Suite("A transaction", .timeLimit(.minutes(1))) struct TransactionTests {
    private struct Refusal: Error, Equatable {}

    private func withStore(_ body: (SQLiteServiceStore, Announcements) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let announcements = Announcements()
        let store = try folder.open(announcements)
        try await body(store, announcements)
        await store.close()
    }

    @Test func transactionsBlockNoThreadOfTheSwiftRuntime() async throws {
        // There are more stores than threads on which Swift runs tasks. If transactions blocked these threads, some transactions could not
        // begin.
        let folders = try (0...ProcessInfo.processInfo.activeProcessorCount).map { _ in try TemporaryFolder() }
        let stores = try folders.map { try $0.open() }
        let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let mayEnd = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup { group in
            for store in stores {
                group.addTask { try await store.read { _ in Self.wait(hasBegun, mayEnd) } }
                group.addTask { try await store.write { _ in Self.wait(hasBegun, mayEnd) } }
            }
            var beginnings = begun.makeAsyncIterator()
            for _ in 0..<2 * stores.count { await beginnings.next() }
            for _ in 0..<2 * stores.count { mayEnd.signal() }
            try await group.waitForAll()
        }
        for store in stores { await store.close() }
    }

    private static func wait(_ hasBegun: AsyncStream<Void>.Continuation, _ mayEnd: DispatchSemaphore) {
        hasBegun.yield()
        mayEnd.wait()
    }

    @Test func aFailedTransactionWritesAndAnnouncesNothing() async throws {
        try await withStore { store, announcements async throws in
            await #expect(throws: Refusal()) {
                try await store.write { transaction in
                    try transaction.note("demo")
                    throw Refusal()
                }
            }
            #expect(try await store.read { try $0.noteCount() } == 0)
            #expect(announcements.commits == [])
        }
    }

    @Test func aCommitAnnouncesAllItsTopicsTogether() async throws {
        try await withStore { store, announcements async throws in
            try await store.write { transaction in
                try transaction.note("a")
                try transaction.note("b")
                transaction.announce(.notes)
                #expect(try transaction.noteCount() == 2)
            }
            #expect(announcements.commits == [["note/a", "note/b", "notes"]])
        }
    }

    @Test func aStatementThatChangesNoRowAnnouncesNothing() async throws {
        try await withStore { store, announcements async throws in
            try await store.write { try $0.note("a") }
            let counts = try await store.write { transaction in
                // The count of changed rows is 0 for a SELECT, even if an earlier INSERT, UPDATE or DELETE has changed a row.
                [try transaction.write("SELECT 1"), try transaction.write("DELETE FROM note WHERE text = 'b'", announcing: [.notes])]
            }
            #expect(counts == [0, 0])
            #expect(announcements.commits == [["note/a"]])
        }
    }

    @Test func aRowIsNotReturnedIfItViolatesAForeignKey() async throws {
        try await withStore { store, _ async throws in
            try await store.write { transaction in
                try transaction.database.execute(sql: "CREATE TABLE remark (note TEXT REFERENCES note) STRICT")
            }
            await #expect(throws: DatabaseError.self) {
                try await store.write {
                    try $0.row(of: nil, "INSERT INTO remark VALUES ('nowhere') RETURNING note") { try $0[0] as String }
                }
            }
        }
    }

    @Test func readsAreRecordedEvenIfTheyFindNothing() async throws {
        try await withStore { store, _ async throws in
            let (_, reads) = try await store.topics.recordingReads {
                try await store.read { transaction in
                    _ = try transaction.isNoted("a")
                    _ = try transaction.noteCount()
                    _ = try transaction.row(of: nil, "SELECT 1 FROM note") { _ in true }
                }
            }
            #expect(reads == [.note("a"), .notes])
        }
    }

    @Test func aReadTransactionSeesOneStateDuringAConcurrentWrite() async throws {
        try await withStore { store, _ async throws in
            let (hasBegun, began) = AsyncStream.makeStream(of: Void.self)
            let written = DispatchSemaphore(value: 0)
            async let counts = store.read { transaction in
                let before = try transaction.noteCount()
                began.finish()
                written.wait()
                return [before, try transaction.noteCount()]
            }
            for await _ in hasBegun {}
            try await store.write { try $0.note("demo") }
            written.signal()
            #expect(try await counts == [0, 0])
            #expect(try await store.read { try $0.noteCount() } == 1)
        }
    }

    @Test func aWriteOfACancelledTaskIsCommittedAndAnnounced() async throws {
        try await withStore { store, announcements async throws in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await store.write { try $0.note("demo") }
            }
            try await task.value
            #expect(announcements.commits == [["note/demo"]])
        }
    }

    @Test func aReadOfACancelledTaskDoesNotBegin() async throws {
        try await withStore { store, _ async throws in
            let hasBegun = Mutex(false)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await store.read { _ in hasBegun.withLock { $0 = true } }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(hasBegun.withLock { $0 } == false)
        }
    }

    @Test func cancellationInterruptsARunningRead() async throws {
        try await withStore { store, _ async throws in
            let (hasBegun, began) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                try await store.read { transaction in
                    began.finish()
                    return try transaction.row(of: nil, Self.counting()) { _ in }
                }
            }
            for await _ in hasBegun {}
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            // This read uses the connection of the cancelled read, and takes so long that the progress handler is called.
            let isCounted = try await store.read { try $0.row(of: nil, Self.counting("WHERE i < 100000")) { _ in true } }
            #expect(isCounted == true)
        }
    }

    @Test func aCancelledReadRunsNoMoreStatements() async throws {
        try await withStore { store, _ async throws in
            let (hasBegun, began) = AsyncStream.makeStream(of: Void.self)
            let isCancelled = DispatchSemaphore(value: 0)
            let count = Mutex<Int?>(nil)
            let task = Task {
                try await store.read { transaction in
                    began.finish()
                    isCancelled.wait()
                    count.withLock { $0 = try? transaction.noteCount() }
                }
            }
            for await _ in hasBegun {}
            task.cancel()
            isCancelled.signal()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(count.withLock { $0 } == nil)
        }
    }

    @Test func aReadAfterTheEndOfItsTransactionFails() async throws {
        try await withStore { store, _ async throws in
            await #expect(throws: DataUnavailable(reason: "the transaction was stopped")) {
                try await store.read { transaction in
                    try transaction.database.rollback()
                    return try transaction.noteCount()
                }
            }
            #expect(try await store.read { try $0.noteCount() } == 0)
        }
    }

    private static func counting(_ condition: String = "") -> String {
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \(condition)) SELECT count(*) FROM n"
    }

    @Test func concurrentReadsAllReturnEvenIfTheyOutnumberTheReadingConnections() async throws {
        try await withStore { store, _ async throws in
            try await store.write { try $0.note("a") }
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<200 { group.addTask { try await store.read { try $0.noteCount() } } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts == Array(repeating: 1, count: 200))
        }
    }

    @Test func aReadTransactionCannotWrite() async throws {
        try await withStore { store, announcements async throws in
            await #expect(throws: (any Error).self) { try await store.read { try $0.note("demo") } }
            #expect(try await store.read { try $0.noteCount() } == 0)
            #expect(announcements.commits == [])
        }
    }
}
