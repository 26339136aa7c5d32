import ScreenWire

/// A token as it came, taken apart: nothing in it is true yet.
struct Token {
    /// What names the key that has signed it; nil where it names none.
    let keyID: String?
    let algorithm: SigningAlgorithm
    /// An object.
    let claims: JSONValue
    let signature: [UInt8]
    /// What the signature is of.
    let signed: [UInt8]

    /// Reads the compact form (RFC 7515, section 7.1). Members that say where keys are to be had are not looked at.
    ///
    /// How long it can be the server's limit of heads decides.
    init(_ text: some StringProtocol) throws(TokenFault) {
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.bytes(of: parts[2]) else { throw .malformed }
        let header = try Self.object(in: parts[0])
        claims = try Self.object(in: parts[1])
        self.signature = signature
        signed = Array(bytes[..<parts[1].endIndex])
        // A verifier that does not understand what is critical must refuse it (RFC 7515, section 4.1.11).
        guard header["crit"] == nil else { throw .critical }
        guard case .string(let name)? = header["alg"], let algorithm = SigningAlgorithm(name: name) else { throw .algorithm }
        self.algorithm = algorithm
        if let type = header["typ"], !Self.isOfToken(type) { throw .otherType }
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

    /// What is signed for another purpose says so (RFC 8725, section 3.11).
    private static func isOfToken(_ type: JSONValue) -> Bool {
        guard case .string(let type) = type else { return false }
        return ["jwt", "at+jwt", "application/jwt", "application/at+jwt"].contains(type.lowercased())
    }
}
