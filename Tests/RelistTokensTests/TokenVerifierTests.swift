import Foundation
import HTTPClient
import HTTPServer
import Logging
@testable import RelistTokens
import ScreenHTTP
import ScreenService
import ScreenWire
import Synchronization
import TemporaryDatabase
import Testing

/// Verifying once, and until when.
@Suite struct TokenVerifierTests {
    private let folder: TemporaryFolder
    private let key: DevelopmentKey
    private let verified = VerifiedTokens()
    private let time = Time()
    private let keys: KeyRing
    private let verifier: TokenVerifier

    private final class Time: Sendable {
        private let seconds = Mutex(Int64(1_000_000))
        var now: Int64 { seconds.withLock { $0 } }
        func pass(_ duration: Int64) { seconds.withLock { $0 += duration } }
    }

    init() async throws {
        folder = try TemporaryFolder()
        let (key, time) = (try DevelopmentKey.openOrMake(beside: folder.database), time)
        self.key = key
        keys = KeyRing(
            acceptsSecrets: false, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            read: { () async throws(KeySetFault) in key.keySet }, changed: verified.removeAll
        )
        verifier = TokenVerifier(
            TokenRules(issuer: DevelopmentKey.issuer, audience: nil), keys: keys, verified: verified, now: { time.now }
        )
    }

    private func field(_ user: String = "alice", seconds: Int64 = 100) async throws -> String {
        "Bearer " + (try await key.token(for: user, seconds: seconds, now: time.now))
    }

    @Test func aTokenIsKnownFromThenOnUntilItExpires() async throws {
        let field = try await field()
        #expect(verifier.known(by: field) == nil)
        #expect(try await verifier.caller(by: field).user == "alice")
        #expect(verifier.known(by: field)?.user == "alice")
        time.pass(99)
        #expect(verifier.known(by: field)?.expiry == 1_000_100)
        time.pass(1)
        #expect(verifier.known(by: field) == nil && verified.count == 0)
        await #expect(throws: TokenFault.expired) { try await verifier.caller(by: field) }
    }

    @Test func aUserIsCountedByTheirIdFromTheFirstTokenOn() async throws {
        let field = try await field()
        #expect(try await verifier.caller(by: field).limitKey == .user("alice"))
        #expect(verifier.known(by: field)?.limitKey == .user("alice"))
    }

    /// The databases keep no text with it.
    @Test func aUserWithTheCharacterZeroIsNone() async throws {
        for user in ["\0", "a\0b", "alice\0"] {
            let field = try await field(user)
            await #expect(throws: TokenFault.subjectWithZero) { try await verifier.caller(by: field) }
        }
    }

    @Test func oneThatIsRefusedIsNotKept() async throws {
        // Of one user, the signature of another.
        let parts = try await [field("alice"), field("bob")].map { $0.split(separator: ".") }
        let forged = [parts[0][0], parts[0][1], parts[1][2]].joined(separator: ".")
        await #expect(throws: TokenFault.signature) { try await verifier.caller(by: forged) }
        #expect(verified.count == 0)
    }

    @Test func oneTokenTakesOnePlaceHoweverItIsSpelt() async throws {
        let field = try await field()
        for spelt in [field, field.replacing("Bearer ", with: "Bearer   "), field.replacing("Bearer", with: "bearer"), field + " "] {
            _ = try? await verifier.caller(by: spelt)
        }
        #expect(verified.count == 1)
    }

    @Test func whenTheKeysChangeNoneIsKnown() async throws {
        let field = try await field()
        _ = try await verifier.caller(by: field)
        let generation = verified.generation
        verified.removeAll()
        #expect(verifier.known(by: field) == nil)
        // What was verified by the keys of before is not kept behind it.
        verified.keep(.user("alice", until: 2_000_000), for: field, verifiedIn: generation)
        #expect(verified.count == 0)
    }

    @Test func whatOnlyReadsTheSameIsAnother() async throws {
        verified.keep(.user("alice", until: 2_000_000), for: "Bearer aKb", verifiedIn: 0)
        #expect(verified.caller(by: "Bearer aKb", at: 1)?.user == "alice")
        #expect("Bearer a\u{212A}b" == "Bearer aKb")
        #expect(verified.caller(by: "Bearer a\u{212A}b", at: 1) == nil)
    }

    @Test func howManyAreKnownIsBounded() {
        let verified = VerifiedTokens(byteLimit: 10_000)
        for number in 0..<1000 { verified.keep(.user("u", until: .max), for: "Bearer \(number)", verifiedIn: 0) }
        #expect((1..<20).contains(verified.count))
        #expect(verified.caller(by: "Bearer 999", at: 0) != nil && verified.caller(by: "Bearer 0", at: 0) == nil)
    }

    @Test func aDevelopmentHasOneKeyThatOnlyItsOwnerReads() throws {
        let path = DevelopmentKey.path(beside: folder.database)
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
        #expect(try DevelopmentKey.openOrMake(beside: folder.database).keySet == key.keySet)
        #expect(try DevelopmentKey.open(beside: folder.database).keySet == key.keySet)
        try Data("not a key".utf8).write(to: URL(filePath: path))
        #expect(throws: SettingsFault.self) { try DevelopmentKey.openOrMake(beside: folder.database) }
        #expect(throws: SettingsFault.self) { try DevelopmentKey.open(beside: folder.path + "/other") }
    }

    private final class Place: Sendable {
        let set = Mutex<[UInt8]?>(nil)
        let time = Mutex(ContinuousClock.now)
    }

    @Test func aServerWithoutKeysSaysSoAndTakesThemLater() async throws {
        let place = Place()
        let authentication = TokenAuthentication(
            TokenRules(issuer: DevelopmentKey.issuer, audience: nil), acceptsSecrets: false,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { 1 }, instant: { place.time.withLock { $0 } }
        ) { () async throws(KeySetFault) in
            guard let set = place.set.withLock({ $0 }) else { throw .unreachable(.unreachable) }
            return set
        }
        let service = try await ScreenService(
            catalog: ScreenCatalog([]), store: ServiceStoreInMemory(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let api = ScreenAPI(
            service: service, publicFolder: nil, middleware: [authentication.layer], authentication: authentication,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let token = try await key.token(for: "alice", seconds: 9, now: 1)
        func ask(_ target: String) async throws -> (Int, String) {
            let request = Request(method: "GET", target: target, headers: ["Authorization": "Bearer \(token)"])
            guard case .response(let response) = try await api.reply(to: request).answer else { return (200, "") }
            return (response.status, String(decoding: response.body, as: UTF8.self))
        }
        #expect(try await ask("/screens").0 == 503)
        #expect(authentication.condition == .unable("the key set cannot be had: its server cannot be reached"))
        place.set.withLock { $0 = key.keySet }
        place.time.withLock { $0 += KeyRing.interval }
        #expect(try await ask("/screens").0 == 200)
        #expect(authentication.condition == .sound)
        place.set.withLock { $0 = nil }
        place.time.withLock { $0 += KeyRing.interval }
        let other = Request(method: "GET", target: "/readyz", headers: [:])
        await refresh(authentication)
        guard case .response(let ready) = try await api.reply(to: other).answer else { return }
        #expect(ready.status == 200 && String(decoding: ready.body, as: UTF8.self).contains("tokens of the keys that are known go on"))
        #expect(try await ask("/screens").0 == 200)
    }

    /// As its work beside the server does every minute.
    private func refresh(_ authentication: TokenAuthentication) async {
        let unknown = "Bearer eyJhbGciOiJFZERTQSIsImtpZCI6Im5vbmUifQ.eyJpc3MiOiJyZWxpc3QtZGV2ZWxvcG1lbnQiLCJzdWIiOiJhIiwiZXhwIjo5fQ.AAAA"
        guard let layer = authentication.layer as? TokenLayer else { return }
        await #expect(throws: KeysMissing.self) { try await layer.verifier.caller(by: unknown) }
    }
}
