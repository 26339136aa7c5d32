import HTTPServer
import Logging
import ScreenHTTP
import ScreenModel
import ScreenService
import Testing

@testable import Relist

struct GreetingTests {
    private static let address = BoundAddress(host: "127.0.0.1", port: 8080)

    @Test func theGreetingSuggestsNoRequestForChangesIfNoScreenCanBeComputed() async throws {
        let text = try await greeting([BrokenSettings()])
        #expect(text.hasPrefix("Relist listens on http://127.0.0.1:8080. "))
        #expect(lines(of: text) == ["curl http://127.0.0.1:8080/screens/settings"])
    }

    @Test func theGreetingOfAServerWithoutScreensSuggestsNoCommands() async throws {
        #expect(try await greeting([]) == "Relist listens on http://127.0.0.1:8080. There are no screens.\n\n")
    }

    @Test func theGreetingSaysHowToSignInIfNoScreenIsForTheOnlyUser() async throws {
        let text = try await greeting([ChiefsScreen()])
        #expect(text.contains("user demo, who may use none of its screens. Start it with another --authentication."))
    }

    @Test func aScreenThatHangsDoesNotDelayTheGreeting() async throws {
        // The deadline is reached as soon as the computation of the screen hangs.
        let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let deadline = Deadline { pass in
            Task {
                for await _ in begun {}
                pass()
            }
            return {}
        }
        let text = try await greeting([HangingScreen(hangs: { hasBegun.finish() })], deadline: deadline)
        #expect(lines(of: text) == ["curl http://127.0.0.1:8080/screens/hanging"])
    }

    @Test func theSuggestedRequestForChangesSetsAParameterToANonDefaultValue() async throws {
        let text = try await greeting([ChoosingScreen()])
        let line = try #require(lines(of: text).last)
        #expect(line.hasPrefix("curl 'http://127.0.0.1:8080/screens/choosing/changes?order=down' -d '{\"version\":\""))
    }

    @Test func theGreetingOfAServerWithoutAPageDoesNotSuggestABrowser() async throws {
        #expect(try await greeting([BrokenSettings()], hasPage: false).contains("http://127.0.0.1:8080. Try:\n"))
    }

    @Test func theGreetingSuggestsATokenWithTheClaimsOfTheFirstDevelopmentUser() async throws {
        let user = DevelopmentUser("ada", claims: ["role": ["cook", "head chief"], "age": .number("40")])
        let text = try await greeting([BrokenSettings()], development: .init(database: "a b", tokenCommand: "garden token", user: user))
        let command = "garden token --user ada --claim role=cook --claim role='head chief' --database 'a b'"
        #expect(lines(of: text).last == "curl http://127.0.0.1:8080/screens/settings -H \"Authorization: Bearer $(\(command))\"")
    }

    @Test func theGreetingOfAProgramWithoutATokenCommandNamesNone() async throws {
        let text = try await greeting(
            [BrokenSettings()], development: .init(database: "a", tokenCommand: nil, user: DevelopmentUser("ada")))
        #expect(lines(of: text).last == "curl http://127.0.0.1:8080/development/users")
    }

    private func lines(of text: String) -> [Substring] {
        text.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { $0.dropFirst(2) }
    }

    private func greeting(
        _ screens: [any Screen], hasPage: Bool = true, development: Greeting.Development? = nil, deadline: Deadline = .after(.seconds(60))
    ) async throws -> String {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let service = try await ScreenService(catalog: try ScreenCatalog(screens), store: ServiceStoreInMemory(), logger: logger)
        return await Greeting(
            address: Self.address, service: service, caller: .user("demo"), hasPage: hasPage, development: development, deadline: deadline
        ).text()
    }
}

private struct ChiefsScreen: Screen {
    static let name = "chiefs"

    let title: Text = "Chiefs"
    let visibility = Visibility.everyone
    let access = Access.users(with: "role", "chief")

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Never>> {
        throw DataUnavailable(reason: "the database is busy")
    }
}

private struct BrokenSettings: Screen {
    static let name = "settings"
    let visibility = Visibility.user

    let title: Text = "Settings"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Never>> {
        throw DataUnavailable(reason: "the database is busy")
    }
}

private struct HangingScreen: Screen {
    static let name = "hanging"
    let visibility = Visibility.everyone
    let hangs: @Sendable () -> Void

    let title: Text = "Hanging"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Never>> {
        hangs()
        // The computation hangs until it is cancelled.
        try await Task.sleep(for: .seconds(3600))
        throw CancellationError()
    }
}

private struct ChoosingScreen: Screen {
    enum Order: String, CaseIterable, Sendable {
        case up, down
    }

    static let name = "choosing"
    static let order = Parameter.choice("order", default: Order.up, "The order.")
    let visibility = Visibility.everyone
    let isStatic = true
    let parameters: [any ParameterDeclaring] = [order]

    let title: Text = "Choosing"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Never>> {
        ScreenContent(title: request[Self.order].rawValue, model: TableViewModel(sections: []))
    }
}
