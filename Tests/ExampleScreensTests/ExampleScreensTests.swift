import ExampleScreens
@testable import ScreenService
import Testing

struct ExampleScreensTests {
    @Test func eachScreenIsListedOnce() async throws {
        try await withExampleStore { store in
            let screens = ExampleScreens.all(store: store, topics: NoOneListening())
            #expect(screens.map { type(of: $0).name } == ["settings", "deliveries", "posts", "mountains", "artist", "wifi"])
            #expect(screens.map(\.visibility) == [.user, .user, .everyone, .everyone, .everyone, .user])
            #expect(
                screens.map { $0.parameters.map(\.name) } == [
                    ["layout"], ["contract", "from"], ["limit"], ["q", "sort"], ["album", "width"], [],
                ]
            )
        }
    }

    @Test func eachScreenHasATitleInEachLanguage() async throws {
        try await withExampleStore { store in
            let screens = ExampleScreens.all(store: store, topics: NoOneListening())
            #expect(screens.map { $0.title(in: .english) } == ["Settings", "Deliveries", "Posts", "Mountains", "Artist", "Wi-Fi"])
            #expect(
                screens.map { $0.title(in: .french) } == [
                    "Paramètres", "Livraisons", "Publications", "Montagnes", "Artiste", "Wi-Fi",
                ]
            )
        }
    }

    @Test func eachScreenComputesFromOneTransaction() async throws {
        try await withExampleStore { examples in
            for index in ExampleScreens.all(store: examples, topics: NoOneListening()).indices {
                let store = CountingStore(examples)
                _ = try await rendered(ExampleScreens.all(store: store, topics: NoOneListening())[index])
                #expect(store.readCount == 1)
                #expect(store.writeCount == 0)
            }
        }
    }

    @Test func eachScreenTakesAnIDOnce() async throws {
        try await withExampleStore { store in
            for screen in ExampleScreens.all(store: store, topics: NoOneListening()) {
                let snapshot = try await rendered(screen)
                #expect(snapshot.renamedCount == 0)
            }
        }
    }

    private func rendered(_ screen: some Screen) async throws -> RenderedSnapshot {
        let secret = [UInt8](repeating: 7, count: ContentHash.secretByteCount)
        let content = try await screen.content(for: .asking(screen))
        return SnapshotWriter.render(content, of: type(of: screen).name, hash: ContentHash(secret: secret))
    }
}
