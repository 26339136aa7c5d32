@testable import ExampleScreens
import ExampleStores
import ExampleStoresSQLite
@testable import ScreenService
import Testing

struct ExampleScreensTests {
    @Test func eachScreenComputesFromOneTransactionAndTakesAnIDOnce() async throws {
        try await expectOneRead(SQLiteSettings.self, ExampleScreens.settings)
        try await expectOneRead(SQLiteDeliveries.self, ExampleScreens.deliveries)
        try await expectOneRead(SQLitePosts.self) { Posts(store: $0) }
        try await expectOneRead(SQLiteMountains.self, ExampleScreens.mountains)
        try await expectOneRead(SQLiteArtist.self, ExampleScreens.artist)
        try await expectOneRead(SQLiteWiFi.self) { ExampleScreens.wifi(store: $0, topics: Topics()) }
    }

    private func expectOneRead<Tables: SQLiteTables>(
        _ tables: Tables.Type, _ screen: (any Store<Tables.Transaction>) -> any Screen
    ) async throws {
        try await withStore(tables) { examples in
            let store = CountingStore(examples)
            let snapshot = try await rendered(screen(store))
            #expect(store.readCount == 1, "\(tables)")
            #expect(store.writeCount == 0, "\(tables)")
            #expect(snapshot.renamedCount == 0, "\(tables)")
        }
    }

    private func rendered(_ screen: some Screen) async throws -> RenderedSnapshot {
        let secret = [UInt8](repeating: 7, count: ContentHash.secretByteCount)
        let content = try await screen.content(for: .asking(screen))
        return SnapshotWriter.render(content, of: type(of: screen).name, hash: ContentHash(secret: secret))
    }
}
