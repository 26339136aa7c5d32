import ExampleStores
import Synchronization

/// Another store, whose transactions are counted.
final class CountingStore<Transaction>: Store {
    private let store: any Store<Transaction>
    private let counts = Mutex((reads: 0, writes: 0))

    init(_ store: any Store<Transaction>) {
        self.store = store
    }

    var readCount: Int { counts.withLock { $0.reads } }
    var writeCount: Int { counts.withLock { $0.writes } }

    func read<Value: Sendable>(_ body: @Sendable @escaping (Transaction) throws -> Value) async throws -> Value {
        counts.withLock { $0.reads += 1 }
        return try await store.read(body)
    }

    func write<Value: Sendable>(_ body: @Sendable @escaping (inout Transaction) throws -> Value) async throws -> Value {
        counts.withLock { $0.writes += 1 }
        return try await store.write(body)
    }
}
