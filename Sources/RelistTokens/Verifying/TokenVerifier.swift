import ScreenService
import ScreenWire
import Synchronization

/// The verifying of tokens: each once, until it expires or the keys change.
final class TokenVerifier: Sendable {
    private let rules: TokenRules
    private let keys: KeyRing
    private let verified: VerifiedTokens
    private let now: @Sendable () -> Int64

    /// - Parameter now: the time in seconds since 1970.
    init(_ rules: TokenRules, keys: KeyRing, verified: VerifiedTokens, now: @escaping @Sendable () -> Int64) {
        self.rules = rules
        self.keys = keys
        self.verified = verified
        self.now = now
    }

    /// Who asks, where that was verified before.
    func known(by field: String) -> Caller? {
        verified.caller(by: field, at: now())
    }

    /// Who asks, by the value of the field `Authorization`.
    ///
    /// The signature comes last: it is dear.
    func caller(by field: String) async throws -> Caller {
        let token = try Token(BearerField.token(in: field))
        let caller = try rules.caller(in: token.claims, at: now())
        let (key, generation) = try await key(for: token)
        guard key.verifies(token.signature, of: token.signed) else { throw TokenFault.signature }
        // Otherwise one token could be spelt in many ways, and take the room of others.
        if BearerField.isPlain(field) { verified.keep(caller, for: field, verifiedIn: generation) }
        return caller
    }

    /// - Returns: the key that a token names, and the generation in which it was known.
    private func key(for token: Token) async throws -> (VerificationKey, Int) {
        for isLast in [false, true] {
            // Before the look: the key may go right behind it.
            let generation = verified.generation
            let known = keys.keys
            if let key = known?.key(named: token.keyID, for: token.algorithm) { return (key, generation) }
            // It may be a new key, which cannot be had just now.
            if isLast, known == nil || keys.fault != nil { throw KeysMissing() }
            if !isLast { await keys.refresh() }
        }
        throw TokenFault.unknownKey
    }
}

/// The key that a token names is not known, and may be one that cannot be had now.
struct KeysMissing: Error {}

/// The field `Authorization` of the scheme `Bearer` (RFC 6750, section 2.1).
enum BearerField {
    private static let scheme = "Bearer "

    /// Whether its value is of that scheme, in letters of any size (RFC 9110, section 11.1).
    static func isMeant(by field: String) -> Bool {
        field.prefix { $0 != " " && $0 != "\t" }.lowercased() == "bearer"
    }

    /// Whether it is spelt as most clients do.
    static func isPlain(_ field: String) -> Bool {
        field.hasPrefix(scheme) && !field.dropFirst(scheme.count).contains(" ")
    }

    static func token(in field: String) -> Substring {
        field.dropFirst(scheme.count).drop { $0 == " " }
    }
}

/// The tokens that were verified, until they expire or the keys change. Those that were not used for longest go first.
final class VerifiedTokens: Sendable {
    private struct State {
        /// With the lengths of their fields in bytes.
        var callers: CostBoundedCache<String, (caller: Caller, length: Int)>
        /// Counts the times that the keys have changed.
        var generation = 0
    }

    private let state: Mutex<State>
    private let byteLimit: Int

    /// - Parameter byteLimit: of all together, about.
    init(byteLimit: Int = 16 << 20) {
        self.byteLimit = byteLimit
        state = Mutex(State(callers: CostBoundedCache(costLimit: byteLimit)))
    }

    /// What a token takes beside its text and its claims.
    private static let cost = 512

    var generation: Int { state.withLock { $0.generation } }

    /// How many are kept.
    var count: Int { state.withLock { $0.callers.count } }

    func caller(by field: String, at time: Int64) -> Caller? {
        state.withLock { state in
            // What reads the same in other letters than those of ASCII, of which it is, is longer.
            guard let (caller, length) = state.callers.use(field), length == field.utf8.count else { return nil }
            if let expiry = caller.expiry, expiry > time { return caller }
            _ = state.callers.remove(field)
            return nil
        }
    }

    /// - Parameter generation: what it was before the key was looked up: if it is another now, the key may be gone.
    func keep(_ caller: Caller, for field: String, verifiedIn generation: Int) {
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
