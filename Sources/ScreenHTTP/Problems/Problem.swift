import HTTPServer
import ScreenService
import ScreenWire

/// What is wrong with a request and what to do, for its client: `application/problem+json` (RFC 9457).
struct Problem: Error, Hashable {
    let kind: Kind
    /// What is wrong with this request, and what to do.
    let detail: String
    var errors: [ProblemDocument.Fault] = []
    /// The methods to allow instead, for `Allow`.
    var allowed: [String] = []
    /// The seconds after which to send the same request again; nil where it is not to be sent again.
    var retryAfter: Int?
    /// The language in which a screen said what is wrong; nil for what is said here, to developers, in English.
    var locale: ScreenLocale?
    /// The outcome of the action that was requested; nil for any other request.
    var outcome: ProblemDocument.Outcome?
    /// The token of the position at which what was done is there, where something was.
    var position: String?

    enum Kind: String, Hashable, CaseIterable {
        case invalidTarget = "invalid-target"
        case invalidParameters = "invalid-parameters"
        case invalidBody = "invalid-body"
        case invalidRequest = "invalid-request"
        case unauthorized
        case invalidToken = "invalid-token"
        case forbidden
        case unknownScreen = "unknown-screen"
        case unknownAction = "unknown-action"
        case invalidInput = "invalid-input"
        case brokenRule = "broken-rule"
        case underWay = "under-way"
        case reusedKey = "reused-key"
        case unsupportedMediaType = "unsupported-media-type"
        case notFound = "not-found"
        case methodNotAllowed = "method-not-allowed"
        case notAcceptable = "not-acceptable"
        case bodyTooLarge = "body-too-large"
        case misdirected
        case headTooLarge = "head-too-large"
        case lengthRequired = "length-required"
        case unmetExpectation = "unmet-expectation"
        case notImplemented = "not-implemented"
        case tooManyRequests = "too-many-requests"
        case unavailable
        case outcomeUnknown = "outcome-unknown"
        case performed
        case internalError = "internal-error"

        /// The URI that names it.
        var type: String { "urn:relist:problem:\(rawValue)" }

        var status: Int {
            switch self {
            case .invalidTarget, .invalidParameters, .invalidBody, .invalidInput, .invalidRequest: 400
            case .unauthorized, .invalidToken: 401
            case .forbidden: 403
            case .unknownScreen, .unknownAction, .notFound: 404
            case .methodNotAllowed: 405
            case .notAcceptable: 406
            case .underWay: 409
            case .lengthRequired: 411
            case .bodyTooLarge: 413
            case .unsupportedMediaType: 415
            case .unmetExpectation: 417
            case .misdirected: 421
            case .brokenRule, .reusedKey: 422
            case .tooManyRequests: 429
            case .headTooLarge: 431
            case .unavailable: 503
            // No 503, which proxies and clients that know nothing of actions send again.
            case .outcomeUnknown, .performed, .internalError: 500
            case .notImplemented: 501
            }
        }

        /// The same for all problems of this kind.
        var title: String {
            switch self {
            case .invalidTarget: "The path cannot be read"
            case .invalidParameters: "Parameters are not valid"
            case .invalidBody: "The body is not valid"
            case .invalidRequest: "The request is not valid HTTP"
            case .unauthorized: "A user is needed"
            case .invalidToken: "The token is not accepted"
            case .forbidden: "This user may not have it"
            case .unknownScreen: "There is no such screen"
            case .unknownAction: "There is no such action"
            case .invalidInput: "The input is not valid"
            case .brokenRule: "The input breaks a rule"
            case .underWay: "The same request is under way"
            case .reusedKey: "The key belongs to another request"
            case .unsupportedMediaType: "The body is of another type"
            case .notFound: "There is nothing here"
            case .methodNotAllowed: "The method is not allowed here"
            case .notAcceptable: "None of the accepted types can be served"
            case .bodyTooLarge: "The body is too large"
            case .misdirected: "The host is not served here"
            case .headTooLarge: "The target or the headers are too large"
            case .lengthRequired: "The body has no length"
            case .unmetExpectation: "The expectation cannot be met"
            case .notImplemented: "The transfer coding is not supported"
            case .unavailable: "The service is not available now"
            case .tooManyRequests: "A limit of the caller is reached"
            case .outcomeUnknown: "It is not known whether it was done"
            case .performed: "It was done, but the answer is missing"
            case .internalError: "Something went wrong here"
            }
        }
    }
}

extension Problem.Kind {
    /// The seconds after which to send the same request again where nothing else is known; nil where it is not to be sent again.
    fileprivate var retryAfter: Int? {
        switch self {
        case .unavailable, .underWay, .tooManyRequests: 1
        default: nil
        }
    }
}

extension Problem {
    /// The problem as a response.
    ///
    /// - Parameter fields: those of the request by which layers have decided.
    func response(decidedBy fields: [String] = []) -> Response {
        let document = ProblemDocument(
            type: kind.type, title: kind.title, status: kind.status, detail: detail,
            errors: errors, outcome: outcome
        )
        var headers: Headers = [
            "Content-Type": "application/problem+json", "Cache-Control": "no-store",
            "Content-Language": locale?.language ?? "en",
        ]
        headers.append(contentsOf: DocumentResponses.protectiveFields)
        let decisive = decisiveFields + fields
        if !decisive.isEmpty { headers.append("Vary", decisive.joined(separator: ", ")) }
        if !allowed.isEmpty { headers.append("Allow", allowed.joined(separator: ", ")) }
        if let challenge { headers.append("WWW-Authenticate", challenge) }
        if let position { headers.append(PositionField.name, position) }
        if let seconds = retryAfter ?? kind.retryAfter { headers.append("Retry-After", String(seconds)) }
        return Response(status: kind.status, headers: headers, body: document.bytes)
    }

    /// How to say who asks (RFC 6750, section 3).
    private var challenge: String? {
        switch kind {
        case .unauthorized: "Bearer"
        case .invalidToken: #"Bearer error="invalid_token""#
        case .forbidden: #"Bearer error="insufficient_scope""#
        default: nil
        }
    }

    /// The fields of the request that had a part in it, for `Vary`.
    private var decisiveFields: [String] {
        if locale != nil { return ["Accept", "Accept-Language"] }
        return kind == .notAcceptable ? ["Accept"] : []
    }
}
