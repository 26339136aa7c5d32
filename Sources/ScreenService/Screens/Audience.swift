import ScreenWire

/// The caller that a screen is computed for: one user or everyone. User ids are compared by their bytes.
///
/// Each view and each version in history belongs to one audience, and is never shown to another audience.
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

extension Audience {
    /// The stored form of the audience: the bytes of `everyone`, or of `user:` and the id of the user. It is not text, because a database
    /// may cut off a text at U+0000, and the ids of two users could become equal.
    package var stored: [UInt8] {
        switch self {
        case .everyone: Array("everyone".utf8)
        case .user(let user): Array("user:".utf8) + Array(user.utf8)
        }
    }
}
