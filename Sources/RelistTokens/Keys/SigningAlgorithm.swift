/// The supported signature algorithms (RFC 7518, section 3.1; RFC 8037, section 3.1).
enum SigningAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case es256 = "ES256"
    case edDSA = "EdDSA"
    case hs256 = "HS256"

    /// Creates the algorithm with a registered name. `Ed25519` is a newer name of `EdDSA` (RFC 9864, section 2.2).
    init?(name: String) {
        self.init(rawValue: name == "Ed25519" ? "EdDSA" : name)
    }
}
