/// Names one screen for one audience, locale and set of parameters.
///
/// Two requests that mean the same have equal views: parameters are in canonical form, sorted, and
/// without those that are at their default. The view cache is keyed by it.
public struct ScreenView: Hashable, Sendable {
    public let screen: String
    public let audience: Audience
    public let locale: ScreenLocale
    public let parameters: [Argument]

    /// Is a parameter with its canonical text.
    public struct Argument: Hashable, Sendable {
        public let name: String
        public let value: String
    }

    init(screen: String, audience: Audience, locale: ScreenLocale, parameters: [Argument]) {
        self.screen = screen
        self.audience = audience
        self.locale = locale
        self.parameters = parameters
    }
}
