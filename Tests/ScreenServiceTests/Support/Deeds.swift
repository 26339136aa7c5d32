import ScreenModel
@testable import ScreenService
import ScreenWire
import Synchronization

/// A service with one screen, whose one action does what a test says.
struct Deeds {
    typealias Deed = @Sendable (ActionAttempt, Gate) async throws -> Void

    let receipts = ReceiptsInMemory()
    let service: ScreenService
    let screen = DeedScreen()

    init(deadline: Deadline) async throws {
        service = try await ScreenService(
            catalog: try ScreenCatalog([screen]), store: TestStore(receipts: receipts), deadline: deadline, logger: .silent,
            now: { 1000 }
        )
    }

    func perform(_ deed: @escaping @Sendable (ActionAttempt) async throws -> Void) async throws {
        screen.deed.withLock { $0 = deed }
        let view = try service.catalog.view(of: DeedScreen.name, parameters: [], locale: .english, caller: .user("u"))
        _ = try await service.perform(.of("do", .object([]), key: "k"), on: view)
    }

    /// Runs the handler as an attempt, which throws the outcome of a failure.
    func attempt(key: String?, _ deed: @escaping @Sendable (ActionAttempt) async throws -> Void) async throws {
        screen.deed.withLock { $0 = deed }
        let view = try service.catalog.view(of: DeedScreen.name, parameters: [], locale: .english, caller: .user("u"))
        _ = try await service.attempt(.of("do", .object([]), key: key), on: view)
    }

    /// Waits until no handler runs past its deadline.
    func settle() async {
        while service.stragglerCount > 0 { await Task.yield() }
    }

    var hasReceipt: Bool {
        get async throws {
            try await receipts.receipt(for: .init(user: "u", screen: DeedScreen.name, action: "do", text: "k")) != nil
        }
    }
}

final class DeedScreen: Screen {
    static let name = "deeds"
    let visibility = Visibility.everyone
    let deed = Mutex<@Sendable (ActionAttempt) async throws -> Void>({ _ in })
    /// The keys that its handler was given.
    let keys = Mutex<[String?]>([])

    var actions: [Action] {
        [
            Action("do", "Does it.") { [self] context in
                keys.withLock { $0.append(context.idempotencyKey) }
                try await deed.withLock { $0 }(ActionAttempt.current!)
            }
        ]
    }

    let title: Text = "Deeds"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Row>> {
        ScreenContent(title: "Deeds", model: TableViewModel())
    }
}

extension ActionAttempt {
    /// Notes a commit, as a store does.
    func noteCommit(_ outcome: ActionTransaction.Outcome = .committed(at: nil), withReceipt storesReceipt: Bool = true) {
        ActionTransaction(attempt: self, storesReceipt: storesReceipt).endCommit(outcome)
    }
}
