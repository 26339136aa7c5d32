import Foundation
import JWTKit
import ScreenWire

/// A key that verifies signatures of one algorithm.
struct VerificationKey: Sendable {
    /// The `kid` of the key in its set; nil if it has no `kid`.
    let id: String?
    let algorithm: SigningAlgorithm
    private let verifier: any JWTAlgorithm

    func verifies(_ signature: [UInt8], of signed: [UInt8]) -> Bool {
        (try? verifier.verify(signature, signs: signed)) ?? false
    }
}

extension VerificationKey {
    /// The reason why a key of a set cannot be used.
    enum Fault: Error, Hashable {
        /// The key is not for signatures.
        case otherUse
        case otherAlgorithm
        /// A parameter of the JSON Web Key is missing or invalid.
        case malformed
        /// The key is a secret, which is accepted only in a local file.
        case secretFromElsewhere
        /// The secret has fewer than 32 bytes (RFC 7518, section 3.2).
        case shortSecret
    }

    /// Creates a key from a JSON Web Key (RFC 7517), whose private part is ignored. `acceptsSecrets` allows symmetric keys.
    init(_ key: JSONValue, acceptsSecrets: Bool) async throws(Fault) {
        id = try Self.text("kid", of: key)
        if let use = try Self.text("use", of: key), use != "sig" { throw .otherUse }
        if let uses = key["key_ops"], case .array(let uses) = uses, !uses.contains(.string("verify")) { throw .otherUse }
        algorithm = try Self.algorithm(of: key)
        if let stated = try Self.text("alg", of: key), SigningAlgorithm(name: stated) != algorithm { throw .otherAlgorithm }
        verifier =
            algorithm == .hs256
            ? try await Self.secret(key, isAccepted: acceptsSecrets) : try await Self.publicKey(key, algorithm: algorithm)
    }

    /// Returns the signature algorithm, which the type of the key determines.
    private static func algorithm(of key: JSONValue) throws(Fault) -> SigningAlgorithm {
        switch (try text("kty", of: key), try text("crv", of: key)) {
        case ("RSA", _): return .rs256
        case ("EC", "P-256"): return .es256
        case ("OKP", "Ed25519"): return .edDSA
        case ("oct", _): return .hs256
        case (nil, _): throw .malformed
        default: throw .otherAlgorithm
        }
    }

    private static func publicKey(_ key: JSONValue, algorithm: SigningAlgorithm) async throws(Fault) -> any JWTAlgorithm {
        let parts = ["kty", "crv", "n", "e", "x", "y"].compactMap { name in key[name].map { JSONValue.Member(name, $0) } }
        let named = parts + [.init("alg", .string(algorithm.rawValue)), .init("kid", .string(algorithm.rawValue))]
        do {
            let keys = try await JWTKeyCollection().add(jwk: JSONDecoder().decode(JWK.self, from: Data(JSONValue.object(named).bytes)))
            return try await keys.getKey(for: JWKIdentifier(string: algorithm.rawValue))
        } catch {
            throw .malformed
        }
    }

    private static func secret(_ key: JSONValue, isAccepted: Bool) async throws(Fault) -> any JWTAlgorithm {
        guard isAccepted else { throw .secretFromElsewhere }
        guard let secret = try text("k", of: key).flatMap({ Base64URL.bytes(of: $0.utf8) }) else { throw .malformed }
        guard secret.count >= 32 else { throw .shortSecret }
        do {
            return try await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256).getKey()
        } catch {
            throw .malformed
        }
    }

    private static func text(_ name: String, of key: JSONValue) throws(Fault) -> String? {
        switch key[name] {
        case nil: return nil
        case .string(let text): return text
        default: throw .malformed
        }
    }
}
