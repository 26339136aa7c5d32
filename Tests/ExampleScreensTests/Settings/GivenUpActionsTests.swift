import Dispatch
import ExampleScreens
import ExampleStores
import ExampleStoresSQLite
import Logging
import ScreenService
import ScreenWire
import RelistSQLite
import Synchronization
import Testing

@Suite("Actions that are given up", .timeLimit(.minutes(1))) struct GivenUpActionsTests {
    private let passes = Passes()

    @Test func oneThatHangsInItsTransactionIsRolledBackAndDoneOnceUnderItsKey() async throws {
        try await withDatabase(of: SQLiteSettings.self) { database in
            let store = database.store(SQLiteSettings.self)
            let held = HeldStore(store)
            let service = try await ScreenService(
                catalog: try ScreenCatalog([ExampleScreens.settings(store: held)], locales: [.english, .french]), store: database, deadline: passes.deadline,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            let view = try service.catalog.view(of: "settings", parameters: [], locale: .english, caller: .user("demo"))
            let input = try JSONReader.read(Array(#"{"firstName":"Ada"}"#.utf8))
            let request = ActionRequest(action: "rename", caller: .user("demo"), version: nil, input: input, idempotencyKey: "k")

            let first = Task { try await service.perform(request, on: view) }
            await held.isReached()
            passes.pass()
            await #expect(throws: DeadlineFault.notPerformed) { try await first.value }
            #expect(try await store.read { try $0.profile(of: "demo") } == .initial)

            await #expect(throws: ActionFault.underWay) { try await service.perform(request, on: view) }
            held.release()
            while service.stragglerCount > 0 { await Task.yield() }
            _ = try await service.perform(request, on: view)
            _ = try await service.perform(request, on: view)
            #expect(try await store.read { try $0.profile(of: "demo").firstName } == "Ada")
            #expect(held.writeCount == 2)
        }
    }
}

/// A deadline that passes for what is under way when a test says so.
private final class Passes: Sendable {
    private let kept = Mutex<[@Sendable () -> Void]>([])

    var deadline: Deadline {
        Deadline { pass in
            self.kept.withLock { $0.append(pass) }
            return {}
        }
    }

    func pass() {
        for pass in kept.withLock({ $0 }) { pass() }
    }
}

/// Holds the first write of another store in its transaction, and counts what was written there.
private final class HeldStore<Transaction>: Store {
    private let store: any Store<Transaction>
    private let reached = AsyncStream<Void>.makeStream()
    private let released = DispatchSemaphore(value: 0)
    private let count = Atomic(0)

    init(_ store: any Store<Transaction>) {
        self.store = store
    }

    var writeCount: Int { count.load(ordering: .relaxed) }

    func isReached() async {
        for await _ in reached.stream {}
    }

    func release() {
        released.signal()
    }

    func read<Value: Sendable>(_ body: @Sendable @escaping (Transaction) throws -> Value) async throws -> Value {
        try await store.read(body)
    }

    func write<Value: Sendable>(_ body: @Sendable @escaping (inout Transaction) throws -> Value) async throws -> Value {
        try await store.write { [self] store in
            let value = try body(&store)
            if count.add(1, ordering: .relaxed).newValue == 1 {
                reached.continuation.finish()
                released.wait()
            }
            return value
        }
    }
}
