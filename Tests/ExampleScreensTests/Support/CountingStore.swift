import Storage
import Synchronization

/// Counts the transactions of another store.
final class CountingStore: Store {
    private let store: any Store
    private let counts = Mutex((reads: 0, writes: 0))

    init(_ store: any Store) {
        self.store = store
    }

    var readCount: Int { counts.withLock { $0.reads } }
    var writeCount: Int { counts.withLock { $0.writes } }

    func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReading) throws -> Value
    ) async throws -> Value {
        counts.withLock { $0.reads += 1 }
        return try await store.read(body)
    }

    func write<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        counts.withLock { $0.writes += 1 }
        return try await store.write(body)
    }
}
