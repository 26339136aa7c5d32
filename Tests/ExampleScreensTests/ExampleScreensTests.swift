import ExampleRecords
import Synchronization
import Testing

@testable import ExampleScreens
@testable import ScreenService

struct ExampleScreensTests {
    @Test func eachScreenIsReadInOneTransactionAndHasDistinctIDs() async throws {
        try await expectOneRead(SettingsTransaction.self, ExampleScreens.settings, topics: ["settings/demo"])
        try await expectOneRead(
            DeliveriesTransaction.self, ExampleScreens.deliveries, topics: ["contract/240189-000", "deliveries/240189-000"]
        )
        try await expectOneRead(PostsTransaction.self, { Posts(store: $0) }, topics: ["posts"])
        try await expectOneRead(MountainsTransaction.self, ExampleScreens.mountains, topics: ["mountains"])
        try await expectOneRead(ArtistTransaction.self, ExampleScreens.artist, topics: ["artist"])
        try await expectOneRead(
            WiFiTransaction.self, { ExampleScreens.wifi(store: $0, topics: Topics()) }, topics: ["wifi/demo"]
        )
    }

    private func expectOneRead<Transaction: ExampleTransaction>(
        _ transaction: Transaction.Type, _ screen: (Store<Transaction>) -> any Screen, topics: Set<String>
    ) async throws {
        try await withDatabase(of: transaction) { examples in
            let store = CountingStore(examples)
            let counted = screen(Store(in: store))
            let snapshot = try await rendered(counted)
            #expect(store.readCount == 1 && store.writeCount == 0, "\(transaction)")
            #expect(snapshot.renamedCount == 0, "\(transaction)")
            #expect(try await counted.topics().subtracting(["wifi-scan/demo"]) == topics)
        }
    }

    private func rendered(_ screen: some Screen) async throws -> RenderedSnapshot {
        let secret = [UInt8](repeating: 7, count: ContentHash.secretByteCount)
        let content = try await screen.content(for: .asking(screen))
        return SnapshotWriter.render(content, of: type(of: screen).name, hash: ContentHash(secret: secret))
    }
}

/// A wrapper of a store that counts transactions.
private final class CountingStore<Database: RecordStoring>: RecordStoring {
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
