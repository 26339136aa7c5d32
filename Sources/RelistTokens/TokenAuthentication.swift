import HTTPClient
public import Logging
public import ScreenHTTP
import ScreenService

/// The authentication of callers by JSON Web Tokens.
public final class TokenAuthentication: Authenticating {
    public let layer: any Middleware
    private let keys: KeyRing

    /// Creates the authentication that the settings choose, and reads its keys.
    ///
    /// If the keys come from a file, the file must be readable. If the keys come from a URL that cannot be read, the server starts
    /// without keys, logs a warning, and tries again.
    ///
    /// - Throws: An error whose description explains which setting is invalid.
    public static func open(_ settings: AuthenticationSettings, logger: Logger) async throws -> any Authenticating {
        switch settings.choice {
        case .development: try await development(settings, logger)
        case .keys(let address): try await verifying(address, settings, logger)
        }
    }

    private static func verifying(
        _ address: String, _ settings: AuthenticationSettings, _ logger: Logger
    ) async throws -> TokenAuthentication {
        let source = try KeySource(address)
        let client = HTTPClient()
        let authentication = TokenAuthentication(
            TokenRules(issuer: settings.issuer, audience: settings.audience), acceptsSecrets: source.isPrivate, logger: logger
        ) { () async throws(KeySetFault) in try await source.read(client) }
        await authentication.keys.refresh()
        if let fault = authentication.keys.fault, source.isPrivate {
            throw SettingsFault("--authentication names the key set \(address), but \(fault).")
        }
        authentication.keys.log()
        return authentication
    }

    private static func development(_ settings: AuthenticationSettings, _ logger: Logger) async throws -> any Authenticating {
        try DevelopmentUser.check(settings.developmentUsers)
        let key = try DevelopmentKey.openOrMake(beside: settings.database)
        let set = key.keySet
        let authentication = TokenAuthentication(
            TokenRules(issuer: DevelopmentKey.issuer, audience: nil), acceptsSecrets: false, logger: logger
        ) { () async throws(KeySetFault) in set }
        await authentication.keys.refresh()
        logger.warning("anyone who reaches this server can sign in as anyone: --authentication development is for development")
        let signIn = DevelopmentSignIn(users: settings.developmentUsers, key: key, within: authentication.layer)
        return TokenAuthentication(signIn, keys: authentication.keys)
    }

    private init(_ layer: any Middleware, keys: KeyRing) {
        self.layer = layer
        self.keys = keys
    }

    /// Creates an authentication that accepts tokens according to the rules. `now` returns the seconds since 1970, for the expiry of
    /// tokens. `instant` returns the time of the clock that schedules the readings of the key set.
    convenience init(
        _ rules: TokenRules, acceptsSecrets: Bool, logger: Logger, now: @escaping @Sendable () -> Int64 = ScreenService.systemTime,
        instant: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, read: @escaping KeyRing.Read
    ) {
        let verified = VerifiedTokens()
        let keys = KeyRing(acceptsSecrets: acceptsSecrets, logger: logger, now: instant, read: read, onChange: verified.removeAll)
        self.init(TokenLayer(verifier: TokenVerifier(rules, keys: keys, verified: verified, now: now)), keys: keys)
    }

    public var condition: AuthenticationCondition {
        guard let fault = keys.fault else { return .sound }
        return keys.keys == nil
            ? .unable("the key set cannot be read: \(fault)")
            : .impaired("the key set cannot be read: \(fault); tokens are verified with the last known keys")
    }

    public func run() async {
        try? await keys.run()
    }
}

/// An error in the settings of a server. The description states the cause.
struct SettingsFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
