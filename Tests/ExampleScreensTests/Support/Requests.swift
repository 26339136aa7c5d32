import ScreenWire

@testable import ScreenService

extension ScreenRequest {
    /// Creates a request for `screen`.
    ///
    /// - Parameter parameters: the parameters in canonical form.
    static func asking<S: Screen>(
        _ screen: S, for user: String = "demo", in locale: ScreenLocale = .english, _ parameters: [String: String] = [:]
    ) -> ScreenRequest {
        ScreenRequest(
            view: ScreenView(
                screen: S.name,
                audience: screen.visibility == .user ? .user(user) : .everyone,
                revision: S.revisions.lowerBound,
                locale: locale,
                parameters: parameters.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) }
            )
        )
    }
}

extension Screen {
    /// Returns the names of the topics that the screen reads when it is computed.
    func topics(_ parameters: [String: String] = [:]) async throws -> Set<String> {
        let recorder = ReadRecorder(of: Topics())
        let request = ScreenRequest.asking(self, parameters)
        _ = try await ReadRecorder.$current.withValue(recorder) { try await content(for: request) }
        return Set(recorder.recorded.map(\.name))
    }
}

/// A value that a test calls like a function to perform actions of a screen.
struct Performing<S: Screen>: Sendable {
    let screen: S
    var locale = ScreenLocale.english
    var parameters: [String: String] = [:]

    /// Performs an action of the screen.
    ///
    /// - Parameter input: the input of the action, as JSON.
    func callAsFunction(_ action: String, _ input: String = "{}") async throws {
        let action = screen.actions.first { $0.name == action }!
        let handler = try action.handler(for: JSONReader.read(Array(input.utf8)), on: screen)
        try await handler(ActionContext(screen: .asking(screen, in: locale, parameters), caller: .user("demo"), idempotencyKey: nil))
    }
}
