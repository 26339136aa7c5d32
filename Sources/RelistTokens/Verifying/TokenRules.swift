import Foundation
import ScreenService
import ScreenWire

/// The rules for the claims of a token (RFC 7519, section 4.1).
struct TokenRules: Sendable {
    /// The required `iss`; nil accepts any issuer. The issuer matters, because users of two issuers can have the same id.
    let issuer: String?
    /// The required `aud`. If it is nil, only tokens without an `aud` are accepted.
    let audience: String?

    /// The number of seconds by which the clocks of the issuer and the server may differ when `nbf` is checked.
    static let leeway = 60.0
    /// The maximum length of `sub` in bytes (OpenID Connect Core 1.0, section 2).
    private static let subjectLimit = 255

    /// Checks the claims of a token, and returns the user that the claims name. `now` is in seconds since 1970.
    func caller(in claims: JSONValue, at now: Int64) throws(TokenFault) -> Caller {
        let expiry = try expiry(in: claims)
        guard expiry > now else { throw .expired }
        if let start = claims["nbf"] {
            guard let start = start.seconds else { throw .malformed }
            guard start <= Double(now) + Self.leeway else { throw .notYetValid }
        }
        if let issuer, claims["iss"] != .string(issuer) { throw .otherIssuer }
        guard isAccepted(audience: claims["aud"]) else { throw .otherAudience }
        guard case .string(let subject)? = claims["sub"] else { throw .noSubject }
        if let fault = Self.fault(ofSubject: subject) { throw fault }
        var caller = Caller.user(subject, claims: Claims(claims), until: expiry)
        caller.limitKey = .user(subject)
        return caller
    }

    /// Returns the reason why a text cannot be the `sub` of a token, or nil if it can.
    static func fault(ofSubject subject: String) -> TokenFault? {
        if subject.isEmpty { return .noSubject }
        if subject.utf8.count > subjectLimit { return .longSubject }
        return subject.utf8.contains(0) ? .subjectWithZero : nil
    }

    private func expiry(in claims: JSONValue) throws(TokenFault) -> Int64 {
        guard let seconds = claims["exp"]?.seconds else { throw .noExpiry }
        // The time is clamped, so that the difference of two times cannot overflow.
        return Int64(min(max(seconds, 0), 1e15))
    }

    /// Returns a Boolean value that indicates whether the `aud` of a token is accepted. A service must reject a token whose `aud` does not
    /// name the service (RFC 7519, section 4.1.3).
    private func isAccepted(audience stated: JSONValue?) -> Bool {
        switch stated {
        case nil: audience == nil
        case .array(let stated): audience.map { stated.contains(.string($0)) } ?? false
        case let stated?: audience.map { stated == .string($0) } ?? false
        }
    }
}

extension JSONValue {
    /// The seconds of a NumericDate; nil if the value is not a finite number.
    fileprivate var seconds: Double? {
        guard case .number(let text) = self, let seconds = Double(text), seconds.isFinite else { return nil }
        return seconds
    }
}
