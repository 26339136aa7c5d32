import Logging
@testable import RelistCommand
import ScreenService
import RelistSQLite
import TemporaryDatabase
import Testing

@Suite("The example screens") struct ExampleTests {
    private func withScreens(_ body: ([any Screen]) throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = try Example.open(path: folder.database, logger: logger)
        try body(Example.all.map { $0.screen(store, Example.Parts(topics: store.topics, logger: logger)) })
        await store.close()
    }

    @Test func eachHasATitleInEachLanguage() async throws {
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
