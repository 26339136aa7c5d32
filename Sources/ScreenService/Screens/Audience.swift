import ScreenWire

/// Whom a screen is computed for.
///
/// Views and entries of history belong to one audience; nothing crosses from one to another. Users are
/// told apart by the bytes of their ids.
public enum Audience: Hashable, Sendable {
    case everyone
    case user(String)

    private var exactUser: ExactText? {
        if case .user(let id) = self { ExactText(id) } else { nil }
    }

    public static func == (a: Audience, b: Audience) -> Bool {
        a.exactUser == b.exactUser
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(exactUser)
    }
}
