public import HTTPServer
public import ScreenModel
public import ScreenService

/// The authentication of callers.
public protocol Authenticating: Sendable {
    /// The layer that sets the caller of a request, or rejects the request.
    var layer: any Middleware { get }
    /// The current condition of the authentication, which `/readyz` reports.
    var condition: AuthenticationCondition { get }
    /// Keeps the keys of the authentication up to date until the task is cancelled.
    func run() async
}

/// The settings of a server's authentication.
public struct AuthenticationSettings: Hashable, Sendable {
    public enum Choice: Hashable, Sendable {
        /// Tokens are verified with the key set at a file path or URL.
        case keys(String)
        /// Tokens are signed and verified with a key of this server.
        case development
    }

    public let choice: Choice
    /// The required `iss` of tokens that a key set verifies; nil accepts any issuer. The choice `development` ignores it.
    public let issuer: String?
    /// The required `aud` of tokens that a key set verifies; nil accepts only tokens without `aud`.
    public let audience: String?
    /// The path of the database. The choice `development` stores its key in a file beside the database.
    public let database: String
    /// The users that the page offers to sign in as, with the choice `development`.
    public var developmentUsers: [DevelopmentUser] = DevelopmentUser.examples

    /// A Boolean value that indicates whether users need a token from an issuer outside of this server.
    package var needsCredentials: Bool { choice != .development }

    public init(_ choice: Choice, issuer: String? = nil, audience: String? = nil, database: String) {
        (self.choice, self.issuer, self.audience, self.database) = (choice, issuer, audience, database)
    }
}

/// A user that the page offers to sign in as, on a server with `--authentication development`.
///
///     DevelopmentUser("ada", claims: ["role": "cook"])
public struct DevelopmentUser: Hashable, Sendable {
    /// The id of the user, which is the `sub` of the token.
    public let name: String
    /// The claims of the token in addition to `iss`, `sub`, `iat` and `exp`, as a JSON object.
    public let claims: JSONValue

    public init(_ name: String, claims: OrderedFields<JSONValue> = [:]) {
        (self.name, self.claims) = (name, .object(claims))
    }

    /// The users of a server that names none.
    package static let examples = [DevelopmentUser("alice", claims: ["role": "editor"]), DevelopmentUser("bob"), DevelopmentUser("demo")]
}

/// The condition of an authentication.
public enum AuthenticationCondition: Hashable, Sendable {
    case sound
    /// The authentication has a fault, but still works with the keys that it has. The text describes the fault.
    case impaired(String)
    /// The authentication has a fault, and no token can be verified. The text describes the fault.
    case unable(String)
}

/// An error in the credentials of a request. The text tells a developer the cause and what to do.
public enum CredentialsFault: Error, Hashable {
    /// The credentials are invalid.
    case refused(String)
    /// The credentials cannot be verified now. A later request may succeed.
    case unverifiable(String)
}

/// A layer for servers without authentication. It sets the same caller for all requests.
public struct FixedCaller: Middleware {
    private let caller: Caller

    public init(_ caller: Caller) {
        self.caller = caller
    }

    public func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        context.caller = caller
        return next(context)
    }
}
