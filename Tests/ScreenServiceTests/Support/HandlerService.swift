import Foundation
import ScreenModel
import ScreenWire
import Synchronization
import Testing

@testable import ScreenService

/// A service with one screen, whose action runs a handler that a test provides.
struct HandlerService {
    typealias Handler = @Sendable (ActionAttempt) async throws -> Void

    let time = HeldDeadline()
    let receipts = ReceiptsInMemory()
    let service: ScreenService
    let screen = HandlerScreen()

    init() async throws {
        service = try await ScreenService(
            catalog: try ScreenCatalog([screen]), store: TestStore(receipts: receipts), deadline: time.deadline, logger: .silent,
            clock: ManualClock(at: 1000)
        )
    }

    private func attempt(_ key: String?, _ handler: @escaping Handler) async throws(ActionFailure) {
        screen.handler.withLock { $0 = handler }
        let view = try! service.catalog.view(of: HandlerScreen.name, parameters: [], locale: .english, caller: .user("u"))
        _ = try await service.attempt(.of("do", .object([]), key: key), on: view)
    }

    /// Performs the action.
    ///
    /// - Throws: The error that caused the action to fail.
    func perform(key: String? = "k", _ handler: @escaping Handler) async throws {
        do { try await attempt(key, handler) } catch { throw error.cause }
    }

    /// Performs the action, and returns its failure. The test fails if the action succeeds.
    func failure(key: String? = "k", _ handler: @escaping Handler) async throws -> ActionFailure {
        try #require(await #expect(throws: ActionFailure.self) { try await attempt(key, handler) })
    }

    /// Performs the action with a handler that receives a gate. The deadline of the action passes when the handler has reached
    /// the gate.
    ///
    /// - Returns: The gate, and the failure of the action.
    func hang(
        key: String? = "k", _ handler: @escaping @Sendable (ActionAttempt, Gate) async throws -> Void
    ) async throws -> (Gate, ActionFailure) {
        let gate = Gate()
        let request = Task { try await failure(key: key) { try await handler($0, gate) } }
        await gate.isReached()
        time.pass()
        let result = try await request.value
        time.renew()
        return (gate, result)
    }

    /// Waits until all handlers that continued past their deadline have ended.
    func settle() async {
        while service.stragglerCount > 0 { await Task.yield() }
    }

    var hasReceipt: Bool {
        get async throws {
            try await receipts.receipt(for: .init(user: "u", screen: HandlerScreen.name, action: "do", text: "k")) != nil
        }
    }
}

final class HandlerScreen: Screen {
    static let name = "handlers"
    let visibility = Visibility.everyone
    let isStatic = true
    let handler = Mutex<HandlerService.Handler>({ _ in })
    /// The idempotency keys that the handler received.
    let keys = Mutex<[String?]>([])
    /// The times that the handler received.
    let times = Mutex<[Date]>([])

    var actions: [Action] {
        [
            Action("do", "Runs the handler.") { [self] context in
                keys.withLock { $0.append(context.idempotencyKey) }
                times.withLock { $0.append(context.now) }
                try await handler.withLock { $0 }(ActionAttempt.current!)
            }
        ]
    }

    let title: Text = "Handlers"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Row>> {
        ScreenContent(title: "Handlers", model: TableViewModel())
    }
}

extension ActionAttempt {
    /// Records the outcome of a commit, as a store does.
    func noteCommit(_ outcome: ActionTransaction.Outcome = .committed(at: nil), withReceipt storesReceipt: Bool = true) {
        ActionTransaction(attempt: self, storesReceipt: storesReceipt).endCommit(outcome)
    }
}
