import Foundation
import Glibc
import JWTKit
import ScreenModel
public import ScreenWire

/// The key with which a development's own tokens are signed. It lies in a file beside the database, for its owner alone.
public struct DevelopmentKey: Sendable {
    /// Whom its tokens come from.
    static let issuer = "relist-development"
    private static let id = "development"

    private let key: EdDSA.PrivateKey

    /// The path of the file for a database.
    static func path(beside database: String) -> String { database + ".development-key" }

    /// The key of a database whose server was started with `--authentication development`.
    ///
    /// - Throws: why there is none, in a sentence.
    public static func open(beside database: String) throws -> DevelopmentKey {
        let path = path(beside: database)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SettingsFault(
                "There is no development key at \(path); relist serve --authentication development --database \(database) makes it."
            )
        }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        do {
            return DevelopmentKey(key: try EdDSA.PrivateKey(d: text, curve: .ed25519))
        } catch {
            throw SettingsFault("\(path) is no development key; delete it, and the next start makes another.")
        }
    }

    static func openOrMake(beside database: String) throws -> DevelopmentKey {
        let path = path(beside: database)
        if FileManager.default.fileExists(atPath: path) { return try open(beside: database) }
        let key = try EdDSA.PrivateKey(curve: .ed25519)
        let draft = "\(path).\(getpid())"
        defer { unlink(draft) }
        // Linked when it is whole, and only where there is none: two that start at once agree on one.
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

    /// Signs a token that says who its user is, for so many seconds.
    ///
    /// - Parameter now: in seconds since 1970.
    public func token(for user: String, claims: [JSONValue.Member] = [], seconds: Int64, now: Int64) async throws -> String {
        let stated: [JSONValue.Member] = [
            .init("iss", .string(Self.issuer)), .init("sub", .string(user)), .init("iat", .number(String(now))),
            .init("exp", .number(String(now + seconds))),
        ]
        let header = [JSONValue.Member("alg", .string("EdDSA")), .init("typ", .string("JWT")), .init("kid", .string(Self.id))]
        let signed = [header, stated + claims].map { Base64URL.text(of: Self.bytes(of: $0)) }.joined(separator: ".")
        let signature = try await JWTKeyCollection().add(eddsa: key).getKey().sign(Array(signed.utf8))
        return "\(signed).\(Base64URL.text(of: signature))"
    }

    /// The set of the one key that verifies what it signs.
    var keySet: [UInt8] {
        let x = Base64URL.text(of: key.publicKey.rawRepresentation)
        let members = ["kty": "OKP", "crv": "Ed25519", "kid": Self.id, "x": x].map { JSONValue.Member($0, .string($1)) }
        return Self.bytes(of: [.init("keys", .array([.object(members)]))])
    }

    private static func bytes(of members: [JSONValue.Member]) -> [UInt8] {
        var writer = JSONWriter()
        JSONValue.object(members).write(to: &writer)
        return writer.bytes
    }
}
