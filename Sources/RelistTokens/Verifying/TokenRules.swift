import Foundation
import ScreenService
import ScreenWire

/// What the claims of a token must say (RFC 7519, section 4.1).
struct TokenRules: Sendable {
    /// Whom tokens come from; users of two issuers could have one id. Nil for whoever has the keys.
    let issuer: String?
    /// What tokens for this service are meant for; nil takes those that are meant for nothing in particular.
    let audience: String?

    /// How many seconds the clocks of two machines may differ, where a token has just been made.
    static let leeway = 60.0
    /// As OpenID Connect Core 1.0 has it, section 2.
    private static let subjectLimit = 255

    /// The user whom the claims are about.
    ///
    /// - Parameter now: in seconds since 1970.
    func caller(in claims: JSONValue, at now: Int64) throws(TokenFault) -> Caller {
        let expiry = try expiry(in: claims)
        guard expiry > now else { throw .expired }
        if let start = claims["nbf"] {
            guard let start = start.seconds else { throw .malformed }
            guard start <= Double(now) + Self.leeway else { throw .notYetValid }
        }
        if let issuer, claims["iss"] != .string(issuer) { throw .otherIssuer }
        guard isMeant(claims["aud"]) else { throw .otherAudience }
        guard case .string(let subject)? = claims["sub"], !subject.isEmpty else { throw .noSubject }
        guard subject.utf8.count <= Self.subjectLimit else { throw .longSubject }
        guard !subject.utf8.contains(0) else { throw .subjectWithZero }
        var caller = Caller.user(subject, claims: Claims(claims), until: expiry)
        caller.limitKey = .user(subject)
        return caller
    }

    private func expiry(in claims: JSONValue) throws(TokenFault) -> Int64 {
        guard let seconds = claims["exp"]?.seconds else { throw .noExpiry }
        // Far beyond it, the difference of two times would overflow.
        return Int64(min(max(seconds, 0), 1e15))
    }

    /// One that names audiences is only for those, whoever else verifies it (RFC 7519, section 4.1.3).
    private func isMeant(_ stated: JSONValue?) -> Bool {
        switch stated {
        case nil: audience == nil
        case .array(let stated): audience.map { stated.contains(.string($0)) } ?? false
        case let stated?: audience.map { stated == .string($0) } ?? false
        }
    }
}

extension JSONValue {
    /// A NumericDate; nil for anything else, and for what is beyond all numbers.
    fileprivate var seconds: Double? {
        guard case .number(let text) = self, let seconds = Double(text), seconds.isFinite else { return nil }
        return seconds
    }
}
