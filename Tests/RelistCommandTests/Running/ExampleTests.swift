import Logging
import RelistSQLite
import ScreenService
import TemporaryDatabase
import Testing

@testable import RelistCommand

@Suite("The example screens") struct ExampleTests {
    private func withScreens(_ body: ([any Screen]) throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let logger = ExampleSite.silent
        let store = try Example.open(path: folder.database, logger: logger)
        try body(Example.all.map { $0.screen(store, Example.Parts(topics: store.topics, logger: logger)) })
        await store.close()
    }

    @Test func everyScreenHasATitleInEachLanguage() async throws {
        try await withScreens { screens in
            #expect(screens.map { $0.title.in(.english) } == ["Settings", "Deliveries", "Posts", "Mountains", "Artist", "Wi-Fi"])
            #expect(
                screens.map { $0.title.in(.french) } == [
                    "Paramètres", "Livraisons", "Publications", "Montagnes", "Artiste", "Wi-Fi",
                ]
            )
        }
    }
}
