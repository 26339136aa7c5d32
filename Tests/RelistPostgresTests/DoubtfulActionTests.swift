import Dispatch
import Logging
@testable import RelistPostgres
import ScreenModel
@testable import ScreenService
import ScreenWire
import Synchronization
import Testing

/// Another attempt may be committed under the same key, of which this one knows nothing.
@Suite("Actions whose outcome is unknown", .timeLimit(.minutes(2))) struct DoubtfulActionTests {
    private static let claim = "INSERT INTO relist.receipt%"

    @Test func oneThatWaitsForAThreadIsNotSaidToBeUndone() async throws {
        let ground = try await PostgresGround()
        // One of them is for what may wait for others.
        let store = try await ground.other(connections: 2)
        let asking = try await Asking(store)
        let taken = HeldTransaction(on: store)
        await taken.isHeld()
        let told = try await asking.ask()
        asking.passDeadline()
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) { try await told.value }
        try await taken.letGo()
        await store.close()
        await ground.store.close()
    }

    @Test func oneThatWaitsForAnotherUnderItsKeyIsNotSaidToBeUndone() async throws {
        let ground = try await PostgresGround()
        let other = try await ground.other()
        let held = HeldTransaction(on: other, under: .some())
        await held.isHeld()
        let asking = try await Asking(ground.store)
        let told = try await asking.ask()
        try await ground.isRunning(Self.claim)
        asking.passDeadline()
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) { try await told.value }
        try await held.letGo()
        await ground.store.close()
        await other.close()
    }

    @Test func oneThatRunsAgainAndWaitsThenIsNotSaidToBeUndone() async throws {
        let ground = try await PostgresGround()
        let other = try await ground.other()
        let isAgain = Atomic(false)
        let gate = DispatchSemaphore(value: 0)
        let (firstRun, endFirstRun) = AsyncStream.makeStream(of: Void.self)
        let asking = try await Asking(ground.store) {
            try await ground.store.write { _ in
                if isAgain.exchange(true, ordering: .relaxed) { return }
                endFirstRun.finish()
                gate.wait()
                throw PostgresError.serialisation
            }
        }
        let told = try await asking.ask()
        for await _ in firstRun {}
        // It comes before the second run, as it has waited for the first.
        let locked = HeldTransaction(on: other, running: "LOCK TABLE relist.receipt")
        try await ground.isRunning("LOCK TABLE%")
        gate.signal()
        try await ground.isRunning(Self.claim)
        asking.passDeadline()
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) { try await told.value }
        try await locked.letGo()
        await ground.store.close()
        await other.close()
    }

    @Test func oneWhoseConnectionIsEndedWhileItWaitsIsNotSaidToBeUndone() async throws {
        let ground = try await PostgresGround()
        let other = try await ground.other()
        let held = HeldTransaction(on: other, under: .some())
        await held.isHeld()
        let asking = try await Asking(ground.store)
        let told = try await asking.ask()
        try await ground.isRunning(Self.claim)
        try ground.loseDatabase()
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) { try await told.value }
        await #expect(throws: (any Error).self) { try await held.letGo() }
        await ground.store.close()
        await other.close()
    }

    @Test func oneBehindAnotherWhoseReceiptCannotBeLookedAtIsNotSaidToBeUndone() async throws {
        let ground = try await PostgresGround()
        let other = try await ground.other()
        let told = try await Asking(ground.store) {
            try await HeldTransaction(on: other, under: .some()).letGo()
            let error = await #expect(throws: ReceiptTaken.self) { try await ground.store.write { _ in } }
            try ground.loseDatabase()
            throw try #require(error)
        }.ask()
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) { try await told.value }
        await ground.store.close()
        await other.close()
    }
}

/// A service with an action whose key and receipt are those of ``ActionReceipt/some(_:user:request:at:)``.
private struct Asking {
    private let service: ScreenService
    private let begun: AsyncStream<Void>
    private let deadline: AsyncStream<Void>.Continuation

    /// - Parameter deed: what the action does; nil for a transaction.
    init(_ store: PostgresServiceStore, for deed: (@Sendable () async throws -> Void)? = nil) async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (passing, deadline) = AsyncStream.makeStream(of: Void.self)
        let screen = Things {
            let doing = Task.immediate { if let deed { try await deed() } else { try await store.write { _ in } } }
            begin.finish()
            try await doing.value
        }
        let held = Deadline { pass in
            let waiting = Task {
                for await _ in passing {}
                pass()
            }
            return { waiting.cancel() }
        }
        let catalog = try ScreenCatalog([screen], locales: [.english])
        service = try await ScreenService(catalog: catalog, store: store, deadline: held, logger: Logger(label: "test"), now: { 1000 })
        (self.begun, self.deadline) = (begun, deadline)
    }

    /// Asks for the action. Returns once its transaction waits for a thread, or has one, where it does nothing else before.
    func ask() async throws -> Task<Void, any Error> {
        let key = ActionReceipt.some().key
        let caller = Caller.user(key.user)
        let view = try service.catalog.view(of: key.screen, parameters: [], locale: .english, caller: caller)
        let request = ActionRequest(action: key.action, caller: caller, version: nil, input: .object([]), idempotencyKey: key.text)
        let told = Task {
            do throws(ActionFailure) { _ = try await service.attempt(request, on: view) } catch { throw error.cause }
        }
        for await _ in begun {}
        return told
    }

    func passDeadline() {
        deadline.finish()
    }
}

private struct Things: Screen {
    static let name = ActionReceipt.some().key.screen
    let visibility = Visibility.everyone
    let deed: @Sendable () async throws -> Void

    init(_ deed: @escaping @Sendable () async throws -> Void) {
        self.deed = deed
    }

    var actions: [Action] { [Action(ActionReceipt.some().key.action, "Adds a thing.") { _ in try await deed() }] }

    let title: Text = "Things"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Never>> {
        ScreenContent(title: "Things", model: TableViewModel(cells: []))
    }
}

/// A transaction of a replica that stays open until it is let go.
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

    func letGo() async throws {
        gate.signal()
        try await task.value
    }
}
