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

extension Audience {
    /// As stores keep it: `everyone`, or `user:` and who it is, so that no user is taken for everyone. Bytes, because in text some
    /// would end at a user's U+0000 and be another user's.
    package var stored: [UInt8] {
        switch self {
        case .everyone: Array("everyone".utf8)
        case .user(let user): Array("user:".utf8) + Array(user.utf8)
        }
    }
}
