import ExampleScreens
import ScreenService
import Testing

struct ExampleScreensTests {
    @Test func eachScreenIsListedOnce() async throws {
        try await withExampleStore { store in
            let screens = ExampleScreens.all(store: store)
            #expect(screens.map { type(of: $0).name } == ["settings", "deliveries", "posts"])
            #expect(screens.map(\.visibility) == [.user, .user, .everyone])
            #expect(screens.map { $0.parameters.map(\.name) } == [["layout"], ["contract", "from"], ["limit"]])
        }
    }

    @Test func eachScreenHasATitleInEachLanguage() async throws {
        try await withExampleStore { store in
            let screens = ExampleScreens.all(store: store)
            #expect(screens.map { $0.title(in: .english) } == ["Settings", "Deliveries", "Posts"])
            #expect(screens.map { $0.title(in: .french) } == ["Paramètres", "Livraisons", "Publications"])
        }
    }
}
