/// Why a token is not accepted.
enum TokenFault: Error, Hashable, CaseIterable {
    case severalFields
    case malformed
    case algorithm
    case critical
    case otherType
    /// No key of that name is known that is for its algorithm.
    case unknownKey
    case signature
    case noExpiry
    case expired
    case notYetValid
    case otherIssuer
    case otherAudience
    case noSubject
    case longSubject
    /// Neither database keeps U+0000 in a text.
    case subjectWithZero

    /// What is wrong, and what to do; nothing of what the token says.
    var detail: String {
        switch self {
        case .severalFields: "There is more than one Authorization field; send one."
        case .malformed: "This is no signed JSON Web Token in its compact form, each member once."
        case .algorithm: "The token must be signed by one of \(SigningAlgorithm.allCases.map(\.rawValue).joined(separator: ", "))."
        case .critical: "The token has an extension that must be understood, and is not."
        case .otherType: "The token says that it is of another type than JWT."
        case .unknownKey: "No key is known that the token can be signed with: there must be one of that kid, for that algorithm."
        case .signature: "The signature of the token is not right."
        case .noExpiry: "The token does not say until when it is valid; it needs an exp, in seconds since 1970."
        case .expired: "The token has expired; get a new one."
        case .notYetValid: "The token is not valid yet."
        case .otherIssuer: "The token comes from another issuer."
        case .otherAudience: "The token is meant for others than this service."
        case .noSubject: "The token does not say who it is for; it needs a sub that is not empty."
        case .longSubject: "The sub of the token has more than 255 bytes."
        case .subjectWithZero: "The sub of the token has the character U+0000."
        }
    }
}
