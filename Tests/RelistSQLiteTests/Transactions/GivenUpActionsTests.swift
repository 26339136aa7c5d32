import Dispatch
import GRDB
@testable import ScreenService
@testable import RelistSQLite
import TemporaryDatabase
import Testing

@Suite("Transactions of actions that are given up", .timeLimit(.minutes(1))) struct GivenUpActionsTests {
    private let receipt = ActionReceipt(
        key: .init(user: "u", screen: "s", action: "a", text: "k"), request: Version(high: 1, low: 1), performedAt: 1000
    )

    /// Runs `body` with a new store and an attempt whose deed has begun.
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

    @Test func oneThatRunsIsRolledBack() async throws {
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

    @Test func oneThatWaitsForAnotherDoesNotBegin() async throws {
        try await withAttempt { store, attempt, announcements in
            let (reached, isReached) = AsyncStream.makeStream(of: Void.self)
            let release = DispatchSemaphore(value: 0)
            async let other: Void = store.write { _ in
                isReached.finish()
                release.wait()
            }
            for await _ in reached {}
            // An immediate task has come to where it waits by the time that it is there.
            let writing = writing(store, attempt) { Issue.record("It has begun.") }
            #expect(attempt.abandon())
            release.signal()
            try await other
            await #expect(throws: DeadlineFault.notPerformed) { try await writing.value }
            try await expectNothingDone(store, announcements)
        }
    }

    @Test func oneThatComesLaterDoesNotBegin() async throws {
        try await withAttempt { store, attempt, announcements in
            // It may have done something elsewhere.
            #expect(!attempt.abandon())
            await #expect(throws: DeadlineFault.notPerformed) { try await writing(store, attempt).value }
            #expect(attempt.isUndone)
            try await expectNothingDone(store, announcements)
        }
    }

    @Test func aStatementThatTakesLongIsStopped() async throws {
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

    @Test func whatWasCommittedBeforeIsCompleted() async throws {
        try await withAttempt { store, attempt, announcements in
            try await writing(store, attempt).value
            #expect(!attempt.abandon())
            try await ActionAttempt.$current.withValue(attempt) { try await store.write { try $0.note("more") } }
            #expect(announcements.commits.count == 2)
            #expect(try await store.receipts.receipt(for: receipt.key) == receipt)
        }
    }

    @Test func oneOfAServiceWithAnotherStoreDoesNotBegin() async throws {
        try await withAttempt { store, _, announcements in
            let attempt = ActionAttempt(receipt, for: store.receipts, announcingTo: Topics())
            await #expect(throws: OtherTopics()) { try await writing(store, attempt).value }
            try await expectNothingDone(store, announcements)
        }
    }

    @Test func ofTwoAttemptsUnderOneKeyTheLaterWritesNothing() async throws {
        try await withAttempt { store, attempt, announcements in
            try await writing(store, attempt).value
            let later = ActionAttempt(receipt, for: store.receipts, announcingTo: store.topics)
            try later.begin()
            await #expect(throws: ReceiptTaken()) {
                try await writing(store, later) { Issue.record("It has begun.") }.value
            }
            #expect(!later.isReceiptKept)
            #expect(announcements.commits.count == 1)
        }
    }
}
