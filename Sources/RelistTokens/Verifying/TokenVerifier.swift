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

    /// Creates a verifier that accepts tokens according to the rules. `now` returns the seconds since 1970.
    init(_ rules: TokenRules, keys: KeyRing, verified: VerifiedTokens, now: @escaping @Sendable () -> Int64) {
        self.rules = rules
        self.keys = keys
        self.verified = verified
        self.now = now
    }

    func cachedCaller(for field: String) -> Caller? {
        verified.caller(for: field, at: now())
    }

    /// Verifies the token in a value of `Authorization`, and returns the caller. The expensive check of the signature comes last.
    func caller(for field: String) async throws -> Caller {
        let token = try Token(BearerField.token(in: field))
        let caller = try rules.caller(in: token.claims, at: now())
        let (key, generation) = try await key(for: token)
        guard key.verifies(token.signature, of: token.signed) else { throw TokenFault.signature }
        // A value in an unusual spelling is not cached. Otherwise one token in many spellings could evict other tokens.
        if BearerField.isCanonical(field) { verified.insert(caller, for: field, verifiedIn: generation) }
        return caller
    }

    /// Returns the key that verifies a token, and the generation of the cache before the key was looked up.
    private func key(for token: Token) async throws -> (VerificationKey, Int) {
        for isLast in [false, true] {
            let generation = verified.generation
            let current = keys.keys
            if let key = current?.key(named: token.keyID, for: token.algorithm) { return (key, generation) }
            // The token may name a new key of the key set, so it is not known whether the token is invalid.
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

    /// Returns a Boolean value that indicates whether the scheme is `Bearer`, in upper or lower case (RFC 9110, section 11.1).
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
///
/// The generation is the number of times that the keys have changed. A key may be removed while a token is being verified. Therefore the
/// verifier reads the generation before it looks up the key. If the generation has changed when the caller is inserted, nothing is
/// cached.
final class VerifiedTokens: Sendable {
    private struct State {
        /// The callers, by the value of `Authorization`. Each entry also has the length of this value in bytes.
        var callers: CostBoundedCache<String, (caller: Caller, length: Int)>
        var generation = 0
    }

    private let state: Mutex<State>
    private let byteLimit: Int

    /// Creates an empty cache. `byteLimit` is its approximate maximum size in bytes.
    init(byteLimit: Int = 16 << 20) {
        self.byteLimit = byteLimit
        state = Mutex(State(callers: CostBoundedCache(costLimit: byteLimit)))
    }

    private static let entryOverhead = 512

    var generation: Int { state.withLock { $0.generation } }

    var count: Int { state.withLock { $0.callers.count } }

    func caller(for field: String, at time: Int64) -> Caller? {
        state.withLock { state in
            // A longer value with non-ASCII characters can equal the cached value, because strings are compared by canonical equivalence.
            guard let (caller, length) = state.callers.use(field), length == field.utf8.count else { return nil }
            if let expiry = caller.expiry, expiry > time { return caller }
            _ = state.callers.remove(field)
            return nil
        }
    }

    /// Caches the caller for a value of `Authorization`, unless the generation has changed.
    func insert(_ caller: Caller, for field: String, verifiedIn generation: Int) {
        let cost = 4 * field.utf8.count + Self.entryOverhead
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
