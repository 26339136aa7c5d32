@testable import ExampleScreens
import ExampleRecords
import Logging
@testable import ScreenService
import ScreenWire

/// Performs actions of a screen on a store, as the service does.
struct Performing<S: Screen>: Sendable {
    let screen: S
    var locale = ScreenLocale.english
    var parameters: [String: String] = [:]

    /// - Parameter input: the fields, as JSON.
    func callAsFunction(_ action: String, _ input: String = "{}") async throws {
        let action = screen.actions.first { $0.name == action }!
        let deed = try action.deed(for: JSONReader.read(Array(input.utf8)), on: screen)
        try await deed(ActionContext(screen: .asking(screen, in: locale, parameters), caller: .user("demo"), idempotencyKey: nil))
    }
}
