@testable import ScreenService

extension ScreenRequest {
    /// What a client asks of `screen`, with parameters in canonical form.
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
    /// The names of the topics that computing the screen reads.
    func topics(_ parameters: [String: String] = [:]) async throws -> Set<String> {
        let recorder = ReadRecorder(of: Topics())
        let request = ScreenRequest.asking(self, parameters)
        _ = try await ReadRecorder.$current.withValue(recorder) { try await content(for: request) }
        return Set(recorder.recorded.map(\.name))
    }
}
