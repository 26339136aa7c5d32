/// The reason why a token is rejected.
enum TokenFault: Error, Hashable, CaseIterable {
    case severalFields
    case malformed
    case algorithm
    case critical
    case otherType
    /// No key has the `kid` and the algorithm of the token.
    case unknownKey
    case signature
    case noExpiry
    case expired
    case notYetValid
    case otherIssuer
    case otherAudience
    case noSubject
    case longSubject
    /// The `sub` contains U+0000, which databases cannot store in text.
    case subjectWithZero

    /// A text that states the cause and what to do. It contains no part of the token.
    var detail: String {
        switch self {
        case .severalFields: "There is more than one Authorization field; send one."
        case .malformed: "This is no signed JSON Web Token in its compact form, each member once."
        case .algorithm: "The token must be signed by one of \(SigningAlgorithm.allCases.map(\.rawValue).joined(separator: ", "))."
        case .critical: "The token has a critical extension that must be understood, but is not supported."
        case .otherType: "The token is of another type than JWT."
        case .unknownKey: "No key is known with the kid and the algorithm of the token."
        case .signature: "The signature of the token is not valid."
        case .noExpiry: "The token does not state until when it is valid; it needs an exp, in seconds since 1970."
        case .expired: "The token has expired; get a new one."
        case .notYetValid: "The token is not valid yet."
        case .otherIssuer: "The token comes from another issuer."
        case .otherAudience: "The token is meant for others than this service."
        case .noSubject: "The token does not name a user; it needs a sub that is not empty."
        case .longSubject: "The sub of the token has more than 255 bytes."
        case .subjectWithZero: "The sub of the token has the character U+0000."
        }
    }
}
