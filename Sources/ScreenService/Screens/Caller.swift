/// Who asks.
public enum Caller: Sendable {
    /// Nobody known.
    case nobody
    case user(String)

    /// The user's id; nil for nobody known.
    public var user: String? {
        if case .user(let id) = self { id } else { nil }
    }
}
