import Dispatch
import Logging
import ScreenModel
import ScreenWire
import Synchronization
import TemporaryDatabase
import Testing

@testable import RelistPostgres
@testable import ScreenService

/// Tests of actions whose outcome is unknown, because another replica may have committed an action with the same key.
@Suite("Actions whose outcome is unknown", .timeLimit(.minutes(2))) struct DoubtfulActionTests {
    private static let claim = "INSERT INTO relist.receipt%"

    @Test func anActionHasAnUnknownOutcomeIfItStillWaitsForAThreadAtItsDeadline() async throws {
        let fixture = try await PostgresFixture()
        // Only one of the two connections is for writes.
        let store = try await fixture.other(connections: 2)
        let caller = try await ActionCaller(store)
        let taken = HeldTransaction(on: store)
        await taken.isHeld()
        let response = try await caller.perform()
        caller.passDeadline()
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) { try await response.value }
        try await taken.end()
        await store.close()
        await fixture.store.close()
    }

    @Test func anActionHasAnUnknownOutcomeIfItsKeyIsInUseAtItsDeadline() async throws {
        let fixture = try await PostgresFixture()
        let other = try await fixture.other()
        let held = HeldTransaction(on: other, under: .some())
        await held.isHeld()
        let caller = try await ActionCaller(fixture.store)
        let response = try await caller.perform()
        try await fixture.isRunning(Self.claim)
        caller.passDeadline()
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) { try await response.value }
        try await held.end()
        await fixture.store.close()
        await other.close()
    }

    @Test func anActionHasAnUnknownOutcomeIfItsSecondRunWaitsForALockAtItsDeadline() async throws {
        let fixture = try await PostgresFixture()
        let other = try await fixture.other()
        let isAgain = Atomic(false)
        let gate = DispatchSemaphore(value: 0)
        let (firstRun, endFirstRun) = AsyncStream.makeStream(of: Void.self)
        let caller = try await ActionCaller(fixture.store) {
            try await fixture.store.write { _ in
                if isAgain.exchange(true, ordering: .relaxed) { return }
                endFirstRun.finish()
                gate.wait()
                throw PostgresError.serialisation
            }
        }
        let response = try await caller.perform()
        for await _ in firstRun {}
        // `LOCK TABLE` waits until the first run of the action's transaction ends. The second run then waits until the table is unlocked.
        let locked = HeldTransaction(on: other, running: "LOCK TABLE relist.receipt")
        try await fixture.isRunning("LOCK TABLE%")
        gate.signal()
        try await fixture.isRunning(Self.claim)
        caller.passDeadline()
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) { try await response.value }
        try await locked.end()
        await fixture.store.close()
        await other.close()
    }

    @Test func anActionHasAnUnknownOutcomeIfItsDatabaseConnectionEndsWhileItWaits() async throws {
        let fixture = try await PostgresFixture()
        let other = try await fixture.other()
        let held = HeldTransaction(on: other, under: .some())
        await held.isHeld()
        let caller = try await ActionCaller(fixture.store)
        let response = try await caller.perform()
        try await fixture.isRunning(Self.claim)
        try fixture.loseDatabase()
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) { try await response.value }
        await #expect(throws: (any Error).self) { try await held.end() }
        await fixture.store.close()
        await other.close()
    }

    @Test func anActionHasAnUnknownOutcomeIfItsReceiptCannotBeRead() async throws {
        let fixture = try await PostgresFixture()
        let other = try await fixture.other()
        let response = try await ActionCaller(fixture.store) {
            try await HeldTransaction(on: other, under: .some()).end()
            let error = await #expect(throws: ReceiptTaken.self) { try await fixture.store.write { _ in } }
            try fixture.loseDatabase()
            throw try #require(error)
        }.perform()
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) { try await response.value }
        await fixture.store.close()
        await other.close()
    }
}

/// A service with one action. The action is performed with the idempotency key of `ActionReceipt.some()`.
private struct ActionCaller {
    private let service: ScreenService
    private let begun: AsyncStream<Void>
    private let deadline: AsyncStream<Void>.Continuation

    /// - Parameter handler: the handler of the action; `nil` for a handler with an empty transaction.
    init(_ store: PostgresServiceStore, handler: (@Sendable () async throws -> Void)? = nil) async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (passing, deadline) = AsyncStream.makeStream(of: Void.self)
        let screen = Things {
            let handling = Task.immediate { if let handler { try await handler() } else { try await store.write { _ in } } }
            begin.finish()
            try await handling.value
        }
        let manual = Deadline { pass in
            let waiting = Task {
                for await _ in passing {}
                pass()
            }
            return { waiting.cancel() }
        }
        let catalog = try ScreenCatalog([screen], locales: [.english])
        service = try await ScreenService(
            catalog: catalog, store: store, deadline: manual, logger: Logger(label: "test"), clock: ManualClock(at: 1000))
        (self.begun, self.deadline) = (begun, deadline)
    }

    /// Starts the action, and returns its task as soon as the first transaction of the handler runs or waits for a thread.
    func perform() async throws -> Task<Void, any Error> {
        let key = ActionReceipt.some().key
        let caller = Caller.user(key.user)
        let view = try service.catalog.view(of: key.screen, parameters: [], locale: .english, caller: caller)
        let request = ActionRequest(action: key.action, caller: caller, version: nil, input: .object([]), idempotencyKey: key.text)
        let response = Task {
            do throws(ActionFailure) { _ = try await service.attempt(request, on: view) } catch { throw error.cause }
        }
        for await _ in begun {}
        return response
    }

    func passDeadline() {
        deadline.finish()
    }
}

private struct Things: Screen {
    static let name = ActionReceipt.some().key.screen
    let visibility = Visibility.everyone
    let handler: @Sendable () async throws -> Void

    init(_ handler: @escaping @Sendable () async throws -> Void) {
        self.handler = handler
    }

    var actions: [Action] { [Action(ActionReceipt.some().key.action, "Adds a thing.") { _ in try await handler() }] }

    let title: Text = "Things"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Never>> {
        ScreenContent(title: "Things", model: TableViewModel(cells: []))
    }
}

/// A transaction on a store. The transaction stays open until ``end()`` is called.
private struct HeldTransaction {
    private let task: Task<Void, any Error>
    private let gate = DispatchSemaphore(value: 0)
    private let begun: AsyncStream<Void>

    init(on store: PostgresServiceStore, under receipt: ActionReceipt? = nil, running sql: String = "SELECT") {
        let attempt = receipt.map { ActionAttempt($0, for: store.receipts, announcingTo: store.topics) }
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        task = Task { [gate] in
            try await ActionAttempt.$current.withValue(attempt) {
                try await store.write { transaction in
                    try transaction.write("SET LOCAL idle_in_transaction_session_timeout = 0")
                    try transaction.write(sql)
                    begin.finish()
                    gate.wait()
                }
            }
        }
        self.begun = begun
    }

    func isHeld() async {
        for await _ in begun {}
    }

    func end() async throws {
        gate.signal()
        try await task.value
    }
}
