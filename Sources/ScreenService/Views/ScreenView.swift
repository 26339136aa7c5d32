import ScreenWire

/// One screen for one audience, revision, locale and set of parameters.
///
/// Two requests that mean the same have equal views: a revision is always said, and parameters are in canonical form,
/// sorted, and without those that are at their default. The view cache is keyed by it.
public struct ScreenView: Hashable, Sendable {
    public let screen: String
    public let audience: Audience
    public let revision: Int
    public let locale: ScreenLocale
    public let parameters: [Argument]

    /// A parameter with its canonical text; equal if the bytes are.
    public struct Argument: Hashable, Sendable {
        public let name: String
        public let value: String

        public static func == (a: Argument, b: Argument) -> Bool {
            ExactText(a.name) == ExactText(b.name) && ExactText(a.value) == ExactText(b.value)
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(name))
            hasher.combine(ExactText(value))
        }
    }

    init(screen: String, audience: Audience, revision: Int, locale: ScreenLocale, parameters: [Argument]) {
        self.screen = screen
        self.audience = audience
        self.revision = revision
        self.locale = locale
        self.parameters = parameters
    }
}

extension ScreenView {
    // Each request asks the cache. The languages and revisions of one view are few, so they need not be told apart here.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(screen)
        hasher.combine(audience)
        for parameter in parameters { hasher.combine(parameter) }
    }

    func key(_ version: Version) -> HistoryKey {
        HistoryKey(audience: audience, screen: screen, version: version)
    }

    /// The same for equal views after every restart.
    func hash(by hash: ContentHash) -> UInt64 {
        let whose = if case .user(let user) = audience { ["user", user] } else { ["everyone"] }
        let arguments = parameters.flatMap { [$0.name, $0.value] }
        return ([screen, String(revision), locale.language] + whose + arguments).reduce(0) { hash.hash($0, hash.hash($1)) }
    }
}
