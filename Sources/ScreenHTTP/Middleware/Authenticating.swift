public import HTTPServer
public import ScreenService

/// What finds out who asks.
public protocol Authenticating: Sendable {
    /// The layer that says who asks, or refuses.
    var layer: any Middleware { get }
    /// What it lacks, and whether it can still do its work.
    var condition: AuthenticationCondition { get }
    /// Keeps what it verifies by up to date, until it is cancelled.
    func run() async
}

/// What a server is started with to find out who asks.
public struct AuthenticationSettings: Hashable, Sendable {
    public enum Choice: Hashable, Sendable {
        /// By tokens that are signed with the keys of a set: the path of a file, or a URL.
        case keys(String)
        /// By tokens that are signed with a key of this server's own.
        case development
    }

    public let choice: Choice
    /// Whose tokens are taken; nil takes those of anyone who has the keys.
    public let issuer: String?
    /// What tokens must be meant for; nil where none is said.
    public let audience: String?
    /// The path of the database.
    public let database: String

    /// A Boolean value that indicates whether only callers with a token of an issuer are users. Development gives tokens to anyone.
    package var needsCredentials: Bool { choice != .development }

    public init(_ choice: Choice, issuer: String? = nil, audience: String? = nil, database: String) {
        (self.choice, self.issuer, self.audience, self.database) = (choice, issuer, audience, database)
    }
}

/// How it stands with what finds out who asks.
public enum AuthenticationCondition: Hashable, Sendable {
    case sound
    /// It goes on with what it knows, in spite of this.
    case impaired(String)
    /// Nobody's word can be verified, for this reason.
    case unable(String)
}

/// Why a layer does not take what a request says of who asks. The texts are for its developer: what is wrong, and what to do.
public enum CredentialsFault: Error, Hashable {
    case refused(String)
    /// It could not be found out whether it is good; a later request may be answered.
    case unverifiable(String)
}

/// Everyone as the same caller, for servers that need not know who asks.
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
