/// Whom a screen is computed for.
///
/// Views and entries of history belong to one audience; nothing crosses from one to another.
public enum Audience: Hashable, Sendable {
    case everyone
    case user(String)
}
