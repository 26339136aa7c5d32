import ScreenService
import Synchronization

/// Another store, whose transactions are counted.
final class CountingStore<Database: RecordStoring>: RecordStoring {
    private let store: Database
    private let counts = Mutex((reads: 0, writes: 0))

    init(_ store: Database) {
        self.store = store
    }

    var readCount: Int { counts.withLock { $0.reads } }
    var writeCount: Int { counts.withLock { $0.writes } }

    func read<Value: Sendable>(_ body: @Sendable @escaping (Database.Transaction) throws -> Value) async throws -> Value {
        counts.withLock { $0.reads += 1 }
        return try await store.read(body)
    }

    func write<Value: Sendable>(_ body: @Sendable @escaping (Database.Transaction) throws -> Value) async throws -> Value {
        counts.withLock { $0.writes += 1 }
        return try await store.write(body)
    }
}
