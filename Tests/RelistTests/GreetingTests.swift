import HTTPServer
import Logging
@testable import Relist
import ScreenModel
import ScreenService
import Testing

struct GreetingTests {
    private static let address = BoundAddress(host: "127.0.0.1", port: 8080)

    @Test func aScreenThatCannotBeComputedTakesNothingButItsLineFromTheGreeting() async throws {
        let text = try await greeting([BrokenSettings()])
        #expect(text.hasPrefix("Relist listens on http://127.0.0.1:8080. "))
        #expect(lines(of: text) == ["curl http://127.0.0.1:8080/screens/settings"])
    }

    @Test func whereThereAreNoScreensThereIsNothingToTry() async throws {
        #expect(lines(of: try await greeting([])) == [])
    }

    private func lines(of text: String) -> [Substring] {
        text.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { $0.dropFirst(2) }
    }

    private func greeting(_ screens: [any Screen]) async throws -> String {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let service = try await ScreenService(catalog: try ScreenCatalog(screens), store: ServiceStoreInMemory(), logger: logger)
        return await Greeting(address: Self.address, service: service, caller: .user("demo")).text()
    }
}

private struct BrokenSettings: Screen {
    static let name = "settings"
    let visibility = Visibility.user

    func title(in locale: ScreenLocale) -> String { "Settings" }

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Never>> {
        throw DataUnavailable(reason: "the database is busy")
    }
}
