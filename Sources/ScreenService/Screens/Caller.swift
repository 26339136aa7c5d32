public import ScreenWire

/// The caller of a request: an anonymous caller, or a user with the claims of a verified token.
public struct Caller: Sendable {
    /// The id of the user, or `nil` for an anonymous caller. Ids are compared by their bytes.
    public let user: String?
    public let claims: Claims
    /// The time at which the token and the streams of the caller expire, in seconds since 1970, or `nil` for never.
    public let expiry: Int64?
    /// The key for limits per caller. Without authentication, it is the address of the client.
    public var limitKey = LimitKey.unknown

    /// An anonymous caller.
    public static let anonymous = Caller(user: nil, claims: Claims(), expiry: nil)

    /// Returns the caller for a user, or an anonymous caller if the id is empty. The expiry is in seconds since 1970.
    public static func user(_ id: String, claims: Claims = Claims(), until expiry: Int64? = nil) -> Caller {
        id.isEmpty ? .anonymous : Caller(user: id, claims: claims, expiry: expiry)
    }

    private init(user: String?, claims: Claims, expiry: Int64?) {
        self.user = user
        self.claims = claims
        self.expiry = expiry
    }
}

/// The claims of a verified token, by name (RFC 7519, section 4).
public struct Claims: Hashable, Sendable {
    private let members: JSONValue

    /// Creates claims from a JSON object. Any other JSON value contains no claims.
    public init(_ members: JSONValue = .object([])) {
        self.members = members
    }

    /// The value of a claim, or `nil` if there is no such claim.
    public subscript(name: String) -> JSONValue? { members[name] }

    /// Returns a Boolean value that indicates whether a claim equals a text, or is a list that contains the text. The claim `scope` is a
    /// list of words that are separated by spaces (RFC 8693, section 4.2).
    public func contains(_ text: String, in name: String) -> Bool {
        let expected = ExactText(text)
        switch members[name] {
        case .string(let value) where name == "scope": return value.split(separator: " ").contains { ExactText(String($0)) == expected }
        case .string(let value): return ExactText(value) == expected
        case .array(let elements): return elements.contains(.string(text))
        default: return false
        }
    }
}

extension Claims: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self.init(.object(members.map { JSONValue.Member($0.0, $0.1) }))
    }
}

/// A rule that determines which callers may use a screen or an action. For other callers, the list of screens omits the screen or action.
public enum Access: Hashable, Sendable {
    /// All callers, including anonymous callers.
    case everyone
    /// All users.
    case users
    /// The users for whom a claim equals or contains one of the texts.
    case usersWith(claim: String, anyOf: [String])

    /// Returns a rule that admits the users for whom a claim equals or contains one of the texts.
    public static func users(with claim: String, _ texts: String...) -> Access {
        .usersWith(claim: claim, anyOf: texts)
    }

    /// Returns a Boolean value that indicates whether a caller satisfies the rule.
    package func admits(_ caller: Caller) -> Bool { refusal(of: caller) == nil }

    /// Returns the reason why a caller does not satisfy the rule, or `nil` if the caller does.
    package func refusal(of caller: Caller) -> Refusal? {
        if self == .everyone { return nil }
        if caller.user == nil { return .needsUser }
        guard case .usersWith(let claim, let texts) = self else { return nil }
        return texts.contains { caller.claims.contains($0, in: claim) } ? nil : .forbidden
    }

    package enum Refusal {
        case needsUser
        case forbidden
    }
}
