import ScreenWire

/// A screen for an audience, a revision, a locale, a set of parameters, and a set of permitted actions. Views are the keys of the view cache.
///
/// Equivalent requests have equal views: the parameters are sorted and in canonical form, and default values are omitted.
public struct ScreenView: Hashable, Sendable {
    public let screen: String
    public let audience: Audience
    public let revision: Int
    public let locale: ScreenLocale
    public let parameters: [Argument]
    /// The names of the screen's actions that the caller may not perform, in the order of the screen. Cells do not offer them.
    public internal(set) var withheldActions: [String] = []

    /// The name of a parameter and its canonical value, which are compared by their bytes.
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
}

extension ScreenView {
    // Comparing two lists takes time even if both are empty, and most views withhold no action.
    public static func == (a: ScreenView, b: ScreenView) -> Bool {
        a.revision == b.revision && a.screen == b.screen && a.audience == b.audience && a.locale == b.locale
            && a.parameters == b.parameters && (!a.isRestricted && !b.isRestricted || a.withheldActions == b.withheldActions)
    }

    // The language, the revision and the withheld actions are not hashed, because few views differ only in them.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(screen)
        hasher.combine(audience)
        for parameter in parameters { hasher.combine(parameter) }
    }

    /// A Boolean value that indicates whether the caller may not perform all actions of the screen.
    var isRestricted: Bool { !withheldActions.isEmpty }

    /// The same view for a caller who may perform all actions.
    var unrestricted: ScreenView {
        var view = self
        view.withheldActions = []
        return view
    }

    func key(_ version: Version) -> HistoryKey {
        HistoryKey(audience: audience, screen: screen, version: version)
    }

    /// Returns a hash of the view that is the same on all replicas and after every restart.
    func hash(by hash: ContentHash) -> UInt64 {
        let audience = if case .user(let user) = audience { ["user", user] } else { ["everyone"] }
        let arguments = parameters.flatMap { [$0.name, $0.value] }
        let withheld = withheldActions.isEmpty ? [] : ["withheld"] + withheldActions
        return ([screen, String(revision), locale.language] + audience + arguments + withheld).reduce(0) { hash.hash($0, hash.hash($1)) }
    }
}
