import HTTPClient
public import Logging
public import ScreenHTTP
import ScreenService

/// Callers by the JSON Web Tokens that they send.
public final class TokenAuthentication: Authenticating {
    public let layer: any Middleware
    private let keys: KeyRing

    /// Tokens that are signed with the keys of a set, or with the development's own.
    ///
    /// A set in a file must be there. For one elsewhere the server starts without it, says so, and goes on asking.
    ///
    /// - Throws: what is wrong with the settings, in a sentence.
    public static func open(_ settings: AuthenticationSettings, logger: Logger) async throws -> any Authenticating {
        switch settings.choice {
        case .development: try await development(settings, logger)
        case .keys(let address): try await verifying(address, settings, logger)
        }
    }

    private static func verifying(
        _ address: String, _ settings: AuthenticationSettings, _ logger: Logger
    ) async throws -> TokenAuthentication {
        let source: KeySource
        do { source = try KeySource(address) } catch { throw SettingsFault("--authentication is keys=\(address) but \(error.rule).") }
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
        let key = try DevelopmentKey.openOrMake(beside: settings.database)
        let set = key.keySet
        let authentication = TokenAuthentication(
            TokenRules(issuer: DevelopmentKey.issuer, audience: nil), acceptsSecrets: false, logger: logger
        ) { () async throws(KeySetFault) in set }
        await authentication.keys.refresh()
        logger.warning("anyone who reaches this server can sign in as anyone: --authentication development is for development")
        return TokenAuthentication(DevelopmentSignIn(key: key, within: authentication.layer), keys: authentication.keys)
    }

    private init(_ layer: any Middleware, keys: KeyRing) {
        self.layer = layer
        self.keys = keys
    }

    /// - Parameter now: the time in seconds since 1970.
    convenience init(
        _ rules: TokenRules, acceptsSecrets: Bool, logger: Logger, now: @escaping @Sendable () -> Int64 = ScreenService.systemTime,
        instant: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, read: @escaping KeyRing.Read
    ) {
        let verified = VerifiedTokens()
        let keys = KeyRing(acceptsSecrets: acceptsSecrets, logger: logger, now: instant, read: read, changed: verified.removeAll)
        self.init(TokenLayer(verifier: TokenVerifier(rules, keys: keys, verified: verified, now: now)), keys: keys)
    }

    public var condition: AuthenticationCondition {
        guard let fault = keys.fault else { return .sound }
        return keys.keys == nil
            ? .unable("the key set cannot be had: \(fault)")
            : .impaired("the key set cannot be had: \(fault); tokens of the keys that are known go on")
    }

    public func run() async {
        try? await keys.run()
    }
}

/// What is wrong with the settings of a server, and what to do.
struct SettingsFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
