import Foundation
import JWTKit
import ScreenModel
import ScreenWire

/// A key that verifies signatures of one algorithm, and no other.
struct VerificationKey: Sendable {
    /// Its name in the set; nil for a key without one.
    let id: String?
    let algorithm: SigningAlgorithm
    private let verifier: any JWTAlgorithm

    /// Whether it has signed these bytes.
    func verifies(_ signature: [UInt8], of signed: [UInt8]) -> Bool {
        (try? verifier.verify(signature, signs: signed)) ?? false
    }
}

/// The algorithms of signatures that are taken (RFC 7518, section 3.1; RFC 8037, section 3.1).
enum SigningAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case es256 = "ES256"
    case edDSA = "EdDSA"
    case hs256 = "HS256"

    /// - Parameter name: of the registry; for one of them a newer name is there, too (RFC 9864, section 2.2).
    init?(name: String) {
        self.init(rawValue: name == "Ed25519" ? "EdDSA" : name)
    }
}

extension VerificationKey {
    /// Why a key of a set is of no use here.
    enum Unfitness: Error, Hashable {
        /// It is for something else than signatures.
        case otherUse
        case otherAlgorithm
        /// It lacks a part, or one is not what it has to be.
        case malformed
        /// A secret is taken from a file alone, where nobody but this server reads it.
        case secretFromElsewhere
        /// It has fewer than 32 bytes (RFC 7518, section 3.2).
        case shortSecret
    }

    /// - Parameters:
    ///   - key: a JSON Web Key (RFC 7517). Its private part, if it has one, is left alone.
    ///   - acceptsSecrets: whether it may be a key that also signs.
    init(_ key: JSONValue, acceptsSecrets: Bool) async throws(Unfitness) {
        id = try Self.text("kid", of: key)
        if let use = try Self.text("use", of: key), use != "sig" { throw .otherUse }
        if let uses = key["key_ops"], case .array(let uses) = uses, !uses.contains(.string("verify")) { throw .otherUse }
        let usual = try Self.usualAlgorithm(of: key)
        if let stated = try Self.text("alg", of: key), SigningAlgorithm(name: stated) != usual { throw .otherAlgorithm }
        algorithm = usual
        verifier = usual == .hs256
            ? try await Self.secret(key, isAccepted: acceptsSecrets) : try await Self.publicKey(key, algorithm: usual)
    }

    /// The one algorithm of those that are taken for which a key can be.
    private static func usualAlgorithm(of key: JSONValue) throws(Unfitness) -> SigningAlgorithm {
        switch (try text("kty", of: key), try text("crv", of: key)) {
        case ("RSA", _): return .rs256
        case ("EC", "P-256"): return .es256
        case ("OKP", "Ed25519"): return .edDSA
        case ("oct", _): return .hs256
        case (nil, _): throw .malformed
        default: throw .otherAlgorithm
        }
    }

    private static func publicKey(_ key: JSONValue, algorithm: SigningAlgorithm) async throws(Unfitness) -> any JWTAlgorithm {
        let parts = ["kty", "crv", "n", "e", "x", "y"].compactMap { name in key[name].map { JSONValue.Member(name, $0) } }
        let named = parts + [.init("alg", .string(algorithm.rawValue)), .init("kid", .string(algorithm.rawValue))]
        var writer = JSONWriter()
        JSONValue.object(named).write(to: &writer)
        do {
            let keys = try await JWTKeyCollection().add(jwk: JSONDecoder().decode(JWK.self, from: Data(writer.bytes)))
            return try await keys.getKey(for: JWKIdentifier(string: algorithm.rawValue))
        } catch {
            throw .malformed
        }
    }

    private static func secret(_ key: JSONValue, isAccepted: Bool) async throws(Unfitness) -> any JWTAlgorithm {
        guard isAccepted else { throw .secretFromElsewhere }
        guard let secret = try text("k", of: key).flatMap({ Base64URL.bytes(of: $0.utf8) }) else { throw .malformed }
        guard secret.count >= 32 else { throw .shortSecret }
        do {
            return try await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256).getKey()
        } catch {
            throw .malformed
        }
    }

    private static func text(_ name: String, of key: JSONValue) throws(Unfitness) -> String? {
        switch key[name] {
        case nil: return nil
        case .string(let text): return text
        default: throw .malformed
        }
    }
}
