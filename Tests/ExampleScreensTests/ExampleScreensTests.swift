@testable import ExampleScreens
import ExampleRecords
@testable import ScreenService
import Testing

struct ExampleScreensTests {
    @Test func eachScreenComputesFromOneTransactionAndTakesAnIDOnce() async throws {
        try await expectOneRead(SettingsTransaction.self, ExampleScreens.settings)
        try await expectOneRead(DeliveriesTransaction.self, ExampleScreens.deliveries)
        try await expectOneRead(PostsTransaction.self) { Posts(store: $0) }
        try await expectOneRead(MountainsTransaction.self, ExampleScreens.mountains)
        try await expectOneRead(ArtistTransaction.self, ExampleScreens.artist)
        try await expectOneRead(WiFiTransaction.self) { ExampleScreens.wifi(store: $0, topics: Topics()) }
    }

    private func expectOneRead<Transaction: ExampleTransaction>(
        _ transaction: Transaction.Type, _ screen: (Store<Transaction>) -> any Screen
    ) async throws {
        try await withDatabase(of: transaction) { examples in
            let store = CountingStore(examples)
            let snapshot = try await rendered(screen(Store(in: store)))
            #expect(store.readCount == 1, "\(transaction)")
            #expect(store.writeCount == 0, "\(transaction)")
            #expect(snapshot.renamedCount == 0, "\(transaction)")
        }
    }

    private func rendered(_ screen: some Screen) async throws -> RenderedSnapshot {
        let secret = [UInt8](repeating: 7, count: ContentHash.secretByteCount)
        let content = try await screen.content(for: .asking(screen))
        return SnapshotWriter.render(content, of: type(of: screen).name, hash: ContentHash(secret: secret))
    }
}
