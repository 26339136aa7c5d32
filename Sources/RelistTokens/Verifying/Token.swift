import Foundation
import ScreenModel
import ScreenWire

/// A parsed JSON Web Token. Its signature and its claims have not been verified.
struct Token {
    /// The `kid` of the header, which names the signing key.
    let keyID: String?
    let algorithm: SigningAlgorithm
    let claims: JSONValue
    let signature: [UInt8]
    /// The bytes that the signature covers.
    let signed: [UInt8]

    /// Parses the compact form of a token (RFC 7515, section 7.1). The limit of a request's head also limits the length of a token. Header
    /// parameters that contain or locate keys are ignored.
    init(_ text: some StringProtocol) throws(TokenFault) {
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.bytes(of: parts[2]) else { throw .malformed }
        let header = try Self.object(in: parts[0])
        claims = try Self.object(in: parts[1])
        self.signature = signature
        signed = Array(bytes[..<parts[1].endIndex])
        // A verifier must reject a token with critical extensions that it does not support (RFC 7515, section 4.1.11).
        guard header["crit"] == nil else { throw .critical }
        guard case .string(let name)? = header["alg"], let algorithm = SigningAlgorithm(name: name) else { throw .algorithm }
        self.algorithm = algorithm
        if let type = header["typ"], !Self.isTokenType(type) { throw .otherType }
        switch header["kid"] {
        case nil: keyID = nil
        case .string(let id): keyID = id
        default: throw .malformed
        }
    }

    private static func object(in part: ArraySlice<UInt8>) throws(TokenFault) -> JSONValue {
        guard let bytes = Base64URL.bytes(of: part), let value = try? JSONReader.read(bytes), case .object = value else {
            throw .malformed
        }
        return value
    }

    /// Returns a Boolean value that indicates whether `typ` names an access token. Other types are rejected (RFC 8725, section 3.11).
    private static func isTokenType(_ type: JSONValue) -> Bool {
        guard case .string(let type) = type else { return false }
        return ["jwt", "at+jwt", "application/jwt", "application/at+jwt"].contains(type.lowercased())
    }
}

/// Base64 with the URL-safe alphabet and without padding (RFC 7515, section 2).
enum Base64URL {
    /// Returns the bytes that a text encodes. Returns nil if the text is not the canonical encoding of any bytes.
    static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
        var base64 = Data(capacity: text.count + 2)
        for character in text {
            switch character {
            case UInt8(ascii: "-"): base64.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): base64.append(UInt8(ascii: "/"))
            // `+` and `/` belong to the standard alphabet, which is not URL-safe. `=` is padding.
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: base64.append(character)
            }
        }
        while base64.count % 4 != 0 { base64.append(UInt8(ascii: "=")) }
        guard let bytes = Data(base64Encoded: base64), bytes.base64EncodedData() == base64 else { return nil }
        return Array(bytes)
    }

    static func text(of bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension JSONValue {
    /// The value as JSON in UTF-8.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
