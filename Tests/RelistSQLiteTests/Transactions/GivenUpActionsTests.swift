import Dispatch
import GRDB
import TemporaryDatabase
import Testing

@testable import RelistSQLite
@testable import ScreenService

@Suite("Transactions of actions past their deadline", .timeLimit(.minutes(1))) struct GivenUpActionsTests {
    private let receipt = ActionReceipt.some()

    /// Runs `body` with a new store and an attempt at an action whose handler has begun.
    private func withAttempt(_ body: (SQLiteServiceStore, ActionAttempt, Announcements) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let announcements = Announcements()
        let store = try folder.open(announcements)
        let attempt = ActionAttempt(receipt, for: store.receipts, announcingTo: store.topics)
        try attempt.begin()
        try await body(store, attempt, announcements)
        await store.close()
    }

    private func expectNothingDone(_ store: SQLiteServiceStore, _ announcements: Announcements) async throws {
        #expect(try await store.read { try $0.noteCount() } == 0)
        #expect(try await store.receipts.receipt(for: receipt.key) == nil)
        #expect(announcements.commits == [])
    }

    private func writing(
        _ store: SQLiteServiceStore, _ attempt: ActionAttempt, _ body: @escaping @Sendable () -> Void = {}
    ) -> Task<Void, any Error> {
        Task.immediate {
            try await ActionAttempt.$current.withValue(attempt) {
                try await store.write { store in
                    try store.note("demo")
                    body()
                }
            }
        }
    }

    @Test func aTransactionThatRunsAtTheDeadlineOfItsActionIsRolledBack() async throws {
        try await withAttempt { store, attempt, announcements in
            let (reached, isReached) = AsyncStream.makeStream(of: Void.self)
            let release = DispatchSemaphore(value: 0)
            let writing = writing(store, attempt) {
                isReached.finish()
                release.wait()
            }
            for await _ in reached {}
            #expect(attempt.abandon())
            release.signal()
            await #expect(throws: DeadlineFault.notPerformed) { try await writing.value }
            try await expectNothingDone(store, announcements)
        }
    }

    @Test func aTransactionThatStillWaitsAtTheDeadlineOfItsActionNeverBegins() async throws {
        try await withAttempt { store, attempt, announcements in
            let (reached, isReached) = AsyncStream.makeStream(of: Void.self)
            let release = DispatchSemaphore(value: 0)
            async let other: Void = store.write { _ in
                isReached.finish()
                release.wait()
            }
            for await _ in reached {}
            // `Task.immediate` returns as soon as the write waits for the writing connection.
            let writing = writing(store, attempt) { Issue.record("It has begun.") }
            #expect(attempt.abandon())
            release.signal()
            try await other
            await #expect(throws: DeadlineFault.notPerformed) { try await writing.value }
            try await expectNothingDone(store, announcements)
        }
    }

    @Test func noTransactionOfAnActionBeginsAfterItsDeadline() async throws {
        try await withAttempt { store, attempt, announcements in
            // The action cannot be abandoned here, because its handler may have changed something outside of the store.
            #expect(!attempt.abandon())
            await #expect(throws: DeadlineFault.notPerformed) { try await writing(store, attempt).value }
            #expect(attempt.isUndone)
            try await expectNothingDone(store, announcements)
        }
    }

    @Test func aStatementThatRunsAtTheDeadlineOfItsActionIsInterrupted() async throws {
        try await withAttempt { store, attempt, announcements in
            let (reached, isReached) = AsyncStream.makeStream(of: Void.self)
            let writing = Task {
                try await store.write(for: attempt) { database, _ in
                    isReached.finish()
                    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
                    return try Int.fetchOne(database, sql: endless)
                }
            }
            for await _ in reached {}
            #expect(attempt.abandon())
            await #expect(throws: DataUnavailable(reason: "the transaction was stopped")) { try await writing.value }
            try await expectNothingDone(store, announcements)
            try await store.write { try $0.note("demo") }
        }
    }

    @Test func anActionContinuesAfterItsDeadlineIfItHasCommitted() async throws {
        try await withAttempt { store, attempt, announcements in
            try await writing(store, attempt).value
            #expect(!attempt.abandon())
            try await ActionAttempt.$current.withValue(attempt) { try await store.write { try $0.note("more") } }
            #expect(announcements.commits.count == 2)
            #expect(try await store.receipts.receipt(for: receipt.key) == receipt)
        }
    }

    @Test func theSecondAttemptAtAnActionWithTheSameKeyWritesNothing() async throws {
        try await withAttempt { store, attempt, announcements in
            try await writing(store, attempt).value
            let later = ActionAttempt(receipt, for: store.receipts, announcingTo: store.topics)
            try later.begin()
            await #expect(throws: ReceiptTaken()) {
                try await writing(store, later) { Issue.record("It has begun.") }.value
            }
            #expect(!later.isReceiptStored)
            #expect(announcements.commits.count == 1)
        }
    }
}
