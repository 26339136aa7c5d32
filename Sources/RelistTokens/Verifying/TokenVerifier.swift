import ScreenHTTP
import ScreenService
import ScreenWire
import Synchronization

/// A verifier of tokens. It caches the callers of verified tokens until the tokens expire or the keys change.
final class TokenVerifier: Sendable {
    private let rules: TokenRules
    private let keys: KeyRing
    private let verified: VerifiedTokens
    private let now: @Sendable () -> Int64

    /// Creates a verifier that accepts tokens according to the rules.
    ///
    /// - Parameter now: Returns the current time in seconds since 1970.
    init(_ rules: TokenRules, keys: KeyRing, verified: VerifiedTokens, now: @escaping @Sendable () -> Int64) {
        self.rules = rules
        self.keys = keys
        self.verified = verified
        self.now = now
    }

    /// Returns the cached caller for a value of `Authorization`, or nil if the value is not in the cache.
    func cachedCaller(for field: String) -> Caller? {
        verified.caller(for: field, at: now())
    }

    /// Verifies the token in a value of `Authorization`, and returns the caller. The signature is verified last, because its verification
    /// is expensive.
    func caller(for field: String) async throws -> Caller {
        let token = try Token(BearerField.token(in: field))
        let caller = try rules.caller(in: token.claims, at: now())
        let (key, generation) = try await key(for: token)
        guard key.verifies(token.signature, of: token.signed) else { throw TokenFault.signature }
        // A value in an unusual spelling is not cached. Otherwise one token in many spellings could evict other tokens.
        if BearerField.isCanonical(field) { verified.insert(caller, for: field, verifiedIn: generation) }
        return caller
    }

    /// Returns the key that verifies a token. Also returns the generation that the cache had before the key was looked up.
    private func key(for token: Token) async throws -> (VerificationKey, Int) {
        for isLast in [false, true] {
            // The generation is read before the key is looked up, because the key may be removed right after the lookup.
            let generation = verified.generation
            let current = keys.keys
            if let key = current?.key(named: token.keyID, for: token.algorithm) { return (key, generation) }
            // While the key set cannot be read, the token may name a new key of the set. So it is not known whether the token is invalid.
            if isLast, current == nil || keys.fault != nil {
                throw CredentialsFault.unverifiable("The key of the token is unknown, and the key set cannot be read now; try again.")
            }
            if !isLast { await keys.refresh() }
        }
        throw TokenFault.unknownKey
    }
}

/// The header field `Authorization` with the scheme `Bearer` (RFC 6750, section 2.1).
enum BearerField {
    private static let scheme = "Bearer "

    /// Returns a Boolean value that indicates whether a value of `Authorization` has the scheme `Bearer`, in upper or lower case (RFC 9110,
    /// section 11.1).
    static func hasBearerScheme(_ field: String) -> Bool {
        field.prefix { $0 != " " && $0 != "\t" }.lowercased() == "bearer"
    }

    /// Returns a Boolean value that indicates whether a value of `Authorization` has the usual spelling: `Bearer`, one space, and a token.
    static func isCanonical(_ field: String) -> Bool {
        field.hasPrefix(scheme) && !field.dropFirst(scheme.count).contains(" ")
    }

    static func token(in field: String) -> Substring {
        field.dropFirst(scheme.count).drop { $0 == " " }
    }
}

/// A cache of the callers of verified tokens. Entries expire with their tokens, and the least recently used are evicted first.
final class VerifiedTokens: Sendable {
    private struct State {
        /// The callers, by the value of `Authorization`. Each entry also has the length of this value in bytes.
        var callers: CostBoundedCache<String, (caller: Caller, length: Int)>
        /// The number of times that the keys have changed.
        var generation = 0
    }

    private let state: Mutex<State>
    private let byteLimit: Int

    /// Creates an empty cache.
    ///
    /// - Parameter byteLimit: The approximate maximum size of the cache in bytes.
    init(byteLimit: Int = 16 << 20) {
        self.byteLimit = byteLimit
        state = Mutex(State(callers: CostBoundedCache(costLimit: byteLimit)))
    }

    /// The approximate size in bytes of an entry without the token and its claims.
    private static let cost = 512

    var generation: Int { state.withLock { $0.generation } }

    var count: Int { state.withLock { $0.callers.count } }

    func caller(for field: String, at time: Int64) -> Caller? {
        state.withLock { state in
            // Strings are compared by canonical equivalence, so a different value with non-ASCII characters can equal the cached value. In
            // this case, the lengths differ.
            guard let (caller, length) = state.callers.use(field), length == field.utf8.count else { return nil }
            if let expiry = caller.expiry, expiry > time { return caller }
            _ = state.callers.remove(field)
            return nil
        }
    }

    /// Caches the caller for a value of `Authorization`.
    ///
    /// - Parameter generation: The generation that the cache had before the key was looked up. If the generation has changed since
    ///   then, nothing is cached, because the key may have been removed.
    func insert(_ caller: Caller, for field: String, verifiedIn generation: Int) {
        let cost = 4 * field.utf8.count + Self.cost
        let gone = state.withLock { state in
            state.generation == generation ? state.callers.insert((caller, field.utf8.count), for: field, cost: cost) : []
        }
        withExtendedLifetime(gone) {}
    }

    func removeAll() {
        let gone = state.withLock { state in
            defer { state.callers = CostBoundedCache(costLimit: byteLimit) }
            state.generation += 1
            return state.callers
        }
        withExtendedLifetime(gone) {}
    }
}
