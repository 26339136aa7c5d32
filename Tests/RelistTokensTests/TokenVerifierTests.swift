import Foundation
import HTTPClient
import HTTPServer
import Logging
import ScreenHTTP
import ScreenService
import ScreenWire
import Synchronization
import TemporaryDatabase
import Testing

@testable import RelistTokens

/// Tests of the verification of tokens and of the cache of verified callers.
@Suite struct TokenVerifierTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private let folder: TemporaryFolder
    private let key: DevelopmentKey
    private let verified = VerifiedTokens()
    private let time = Time()
    private let keys: KeyRing
    private let verifier: TokenVerifier

    private final class Time: Sendable {
        private let seconds = Mutex(Int64(1_000_000))
        var now: Int64 { seconds.withLock { $0 } }
        func advance(_ duration: Int64) { seconds.withLock { $0 += duration } }
    }

    init() async throws {
        folder = try TemporaryFolder()
        let (key, time) = (try DevelopmentKey.openOrMake(beside: folder.database), time)
        self.key = key
        keys = KeyRing(
            acceptsSecrets: false, logger: logger,
            read: { () async throws(KeySetFault) in key.keySet }, onChange: verified.removeAll
        )
        verifier = TokenVerifier(
            TokenRules(issuer: DevelopmentKey.issuer, audience: nil), keys: keys, verified: verified, now: { time.now }
        )
    }

    private func field(_ user: String = "alice", seconds: Int64 = 100) async throws -> String {
        "Bearer " + (try await key.token(for: user, seconds: seconds, now: time.now))
    }

    @Test func aVerifiedTokenIsCachedUntilItExpires() async throws {
        let field = try await field()
        #expect(verifier.cachedCaller(for: field) == nil)
        #expect(try await verifier.caller(for: field).user == "alice")
        #expect(verifier.cachedCaller(for: field)?.user == "alice")
        time.advance(99)
        #expect(verifier.cachedCaller(for: field)?.expiry == 1_000_100)
        time.advance(1)
        #expect(verifier.cachedCaller(for: field) == nil && verified.count == 0)
        await #expect(throws: TokenFault.expired) { try await verifier.caller(for: field) }
    }

    @Test func theLimitsOfAUserAreCountedByUserId() async throws {
        let field = try await field()
        #expect(try await verifier.caller(for: field).limitKey == .user("alice"))
        #expect(verifier.cachedCaller(for: field)?.limitKey == .user("alice"))
    }

    /// Databases cannot store U+0000 in text.
    @Test func aUserIdThatContainsTheCharacterU0000IsRejected() async throws {
        for user in ["\0", "a\0b", "alice\0"] {
            let field = try await field(user)
            await #expect(throws: TokenFault.subjectWithZero) { try await verifier.caller(for: field) }
        }
    }

    @Test func aRejectedTokenIsNotCached() async throws {
        // The token has the claims of one user and the signature of another user's token.
        let parts = try await [field("alice"), field("bob")].map { $0.split(separator: ".") }
        let forged = [parts[0][0], parts[0][1], parts[1][2]].joined(separator: ".")
        await #expect(throws: TokenFault.signature) { try await verifier.caller(for: forged) }
        #expect(verified.count == 0)
    }

    @Test func differentSpellingsOfTheAuthorizationFieldShareOneCachedToken() async throws {
        let field = try await field()
        for spelling in [field, field.replacing("Bearer ", with: "Bearer   "), field.replacing("Bearer", with: "bearer"), field + " "] {
            _ = try? await verifier.caller(for: spelling)
        }
        #expect(verified.count == 1)
    }

    @Test func aChangeOfKeysClearsTheCacheOfTokens() async throws {
        let field = try await field()
        _ = try await verifier.caller(for: field)
        let generation = verified.generation
        verified.removeAll()
        #expect(verifier.cachedCaller(for: field) == nil)
        // A caller that was verified before the keys changed must not be cached.
        verified.insert(.user("alice", until: 2_000_000), for: field, verifiedIn: generation)
        #expect(verified.count == 0)
    }

    @Test func tokensThatDifferOnlyInUnicodeNormalizationAreCachedSeparately() async throws {
        verified.insert(.user("alice", until: 2_000_000), for: "Bearer aKb", verifiedIn: 0)
        #expect(verified.caller(for: "Bearer aKb", at: 1)?.user == "alice")
        #expect("Bearer a\u{212A}b" == "Bearer aKb")
        #expect(verified.caller(for: "Bearer a\u{212A}b", at: 1) == nil)
    }

    @Test func theNumberOfCachedTokensIsLimited() {
        let verified = VerifiedTokens(byteLimit: 10_000)
        for number in 0..<1000 { verified.insert(.user("u", until: .max), for: "Bearer \(number)", verifiedIn: 0) }
        #expect((1..<20).contains(verified.count))
        #expect(verified.caller(for: "Bearer 999", at: 0) != nil && verified.caller(for: "Bearer 0", at: 0) == nil)
    }

    @Test func theDevelopmentKeyIsStoredOnceAndReadableOnlyByItsOwner() throws {
        let path = DevelopmentKey.path(beside: folder.database)
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
        #expect(try DevelopmentKey.openOrMake(beside: folder.database).keySet == key.keySet)
        #expect(try DevelopmentKey.open(beside: folder.database).keySet == key.keySet)
        try Data("not a key".utf8).write(to: URL(filePath: path))
        #expect(throws: SettingsFault.self) { try DevelopmentKey.openOrMake(beside: folder.database) }
        #expect(throws: SettingsFault.self) { try DevelopmentKey.open(beside: folder.path + "/other") }
    }

    private struct UnexpectedResponse: Error {}

    private final class KeySetStub: Sendable {
        let set = Mutex<[UInt8]?>(nil)
        let time = Mutex(ContinuousClock.now)
    }

    @Test func aServerIsNotReadyUntilItHasReadItsKeys() async throws {
        let stub = KeySetStub()
        let authentication = TokenAuthentication(
            TokenRules(issuer: DevelopmentKey.issuer, audience: nil), acceptsSecrets: false,
            logger: logger, now: { 1 }, instant: { stub.time.withLock { $0 } }
        ) { () async throws(KeySetFault) in
            guard let set = stub.set.withLock({ $0 }) else { throw .unreachable(.unreachable) }
            return set
        }
        let service = try await ScreenService(
            catalog: ScreenCatalog([]), store: ServiceStoreInMemory(), logger: logger
        )
        let api = ScreenAPI(
            service: service, publicFolder: nil, middleware: [authentication.layer], authentication: authentication,
            logger: logger
        )
        let token = try await key.token(for: "alice", seconds: 9, now: 1)
        func ask(_ target: String) async throws -> (Int, String) {
            let request = Request(method: "GET", target: target, headers: ["Authorization": "Bearer \(token)"])
            guard case .response(let response) = try await api.reply(to: request).answer else { return (200, "") }
            return (response.status, String(decoding: response.body, as: UTF8.self))
        }
        #expect(try await ask("/screens").0 == 503)
        #expect(authentication.condition == .unable("the key set cannot be read: its server cannot be reached"))
        stub.set.withLock { $0 = key.keySet }
        stub.time.withLock { $0 += KeyRing.interval }
        #expect(try await ask("/screens").0 == 200)
        #expect(authentication.condition == .sound)
        stub.set.withLock { $0 = nil }
        stub.time.withLock { $0 += KeyRing.interval }
        let other = Request(method: "GET", target: "/readyz", headers: [:])
        try await refresh(authentication)
        guard case .response(let ready) = try await api.reply(to: other).answer else { throw UnexpectedResponse() }
        #expect(ready.status == 200 && String(decoding: ready.body, as: UTF8.self).contains("tokens are verified with the last known keys"))
        #expect(try await ask("/screens").0 == 200)
    }

    /// Verifies a token that names an unknown key. The verification reads the key set again.
    private func refresh(_ authentication: TokenAuthentication) async throws {
        let unknown = "Bearer eyJhbGciOiJFZERTQSIsImtpZCI6Im5vbmUifQ.eyJpc3MiOiJyZWxpc3QtZGV2ZWxvcG1lbnQiLCJzdWIiOiJhIiwiZXhwIjo5fQ.AAAA"
        let layer = try #require(authentication.layer as? TokenLayer)
        await #expect(throws: CredentialsFault.self) { try await layer.verifier.caller(for: unknown) }
    }
}
