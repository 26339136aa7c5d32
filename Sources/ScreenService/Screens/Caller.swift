public import ScreenWire

/// Who asks: nobody known, or a user with the claims of a verified token.
public struct Caller: Sendable {
    /// The user's id, told apart from others by its bytes; nil for nobody known.
    public let user: String?
    public let claims: Claims
    /// When that ceases to be known, in seconds since 1970; nil for never. Streams end then.
    public let expiry: Int64?
    /// The party that limits per caller count. Authentication sets it; where it does not, the address of the client counts.
    public var limitKey = LimitKey.unknown

    /// Nobody known.
    public static let nobody = Caller(user: nil, claims: Claims(), expiry: nil)

    /// - Parameter id: an empty one is nobody known.
    public static func user(_ id: String, claims: Claims = Claims(), until expiry: Int64? = nil) -> Caller {
        id.isEmpty ? .nobody : Caller(user: id, claims: claims, expiry: expiry)
    }

    private init(user: String?, claims: Claims, expiry: Int64?) {
        self.user = user
        self.claims = claims
        self.expiry = expiry
    }
}

/// What a verified token says of a user, by name (RFC 7519, section 4).
public struct Claims: Hashable, Sendable {
    private let members: JSONValue

    /// - Parameter members: an object; anything else claims nothing.
    public init(_ members: JSONValue = .object([])) {
        self.members = members
    }

    /// The value of a claim; nil where there is none of that name.
    public subscript(name: String) -> JSONValue? { members[name] }

    /// Whether a claim is this text, or a list that has it. `scope` has the words that are in it (RFC 8693, section 4.2).
    public func says(_ text: String, in name: String) -> Bool {
        let expected = ExactText(text)
        switch members[name] {
        case .string(let said) where name == "scope": return said.split(separator: " ").contains { ExactText(String($0)) == expected }
        case .string(let said): return ExactText(said) == expected
        case .array(let elements): return elements.contains(.string(text))
        default: return false
        }
    }
}

/// Who may have a screen, or an action of it done. Callers are told of no more than what they may have.
public enum Access: Hashable, Sendable {
    case everyone
    /// Whoever says who they are.
    case users
    /// Users of whom a claim says one of these texts, as ``Claims/says(_:in:)`` has it.
    case usersWith(claim: String, anyOf: [String])

    /// Users of whom a claim says one of these texts.
    public static func users(with claim: String, _ texts: String...) -> Access {
        .usersWith(claim: claim, anyOf: texts)
    }

    /// Why it is not for a caller; nil where it is.
    func refusal(of caller: Caller) -> Refusal? {
        if self == .everyone { return nil }
        if caller.user == nil { return .needsUser }
        guard case .usersWith(let claim, let texts) = self else { return nil }
        return texts.contains { caller.claims.says($0, in: claim) } ? nil : .forbidden
    }

    enum Refusal {
        case needsUser
        case forbidden
    }
}
