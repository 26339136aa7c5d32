import Foundation
import Glibc
import JWTKit
public import ScreenWire

/// The key that signs tokens for a server with `--authentication development`. It is stored beside the database in a file that only its
/// owner can read.
public struct DevelopmentKey: Sendable {
    /// The `iss` of all tokens that the key signs.
    static let issuer = "relist-development"
    private static let id = "development"
    /// The names of the claims that every token has, and of those that tokens of this key must not have.
    static let ownClaims: Set = ["iss", "sub", "iat", "exp", "nbf", "aud"]

    private let key: EdDSA.PrivateKey

    static func path(beside database: String) -> String { database + ".development-key" }

    /// Reads the key that a server with `--authentication development` has stored beside its database.
    public static func open(beside database: String) throws -> DevelopmentKey {
        let path = path(beside: database)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SettingsFault(
                """
                There is no development key at \(path). A server with --authentication development creates it at its start; run this \
                command in the folder of the server, or name the server's database with --database.
                """
            )
        }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        do {
            return DevelopmentKey(key: try EdDSA.PrivateKey(d: text, curve: .ed25519))
        } catch {
            throw SettingsFault("\(path) is not a development key; delete it, and the next start creates another.")
        }
    }

    static func openOrMake(beside database: String) throws -> DevelopmentKey {
        let path = path(beside: database)
        if FileManager.default.fileExists(atPath: path) { return try open(beside: database) }
        let key = try EdDSA.PrivateKey(curve: .ed25519)
        let draft = "\(path).\(getpid())"
        defer { unlink(draft) }
        // `link` fails if the path exists. So two servers that start at the same time use the same key.
        guard write(Base64URL.text(of: key.rawRepresentation) + "\n", to: draft), link(draft, path) == 0 || errno == EEXIST else {
            throw SettingsFault("The development key cannot be written to \(path): \(String(cString: strerror(errno))).")
        }
        return try open(beside: database)
    }

    private static func write(_ text: String, to path: String) -> Bool {
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        let bytes = Array(text.utf8)
        let count = Glibc.write(file, bytes, bytes.count)
        return fsync(file) == 0 && close(file) == 0 && count == bytes.count
    }

    /// Returns a signed token for a user, with `claims` in addition to `iss`, `sub`, `iat` and `exp`. The token expires `seconds` after
    /// `now`, which is in seconds since 1970.
    public func token(for user: String, claims: [JSONValue.Member] = [], seconds: Int64, now: Int64) async throws -> String {
        let stated: [JSONValue.Member] = [
            .init("iss", .string(Self.issuer)), .init("sub", .string(user)), .init("iat", .number(String(now))),
            .init("exp", .number(String(now + seconds))),
        ]
        let header = [JSONValue.Member("alg", .string("EdDSA")), .init("typ", .string("JWT")), .init("kid", .string(Self.id))]
        let signed = [header, stated + claims].map { Base64URL.text(of: JSONValue.object($0).bytes) }.joined(separator: ".")
        let signature = try await JWTKeyCollection().add(eddsa: key).getKey().sign(Array(signed.utf8))
        return "\(signed).\(Base64URL.text(of: signature))"
    }

    /// A JSON Web Key Set that contains only the public key.
    var keySet: [UInt8] {
        let x = Base64URL.text(of: key.publicKey.rawRepresentation)
        let members: KeyValuePairs = ["kty": "OKP", "crv": "Ed25519", "kid": Self.id, "x": x]
        return JSONValue.object([.init("keys", .array([.object(members.map { JSONValue.Member($0.key, .string($0.value)) })]))]).bytes
    }
}
