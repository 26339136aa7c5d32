import HTTPServer
import ScreenService
import ScreenWire

/// A problem with a request. It is sent to the client as `application/problem+json` (RFC 9457). Handlers of routes throw it, and
/// middleware passes it to ``RequestContext/rejected(by:)``.
public struct Problem: Error, Hashable {
    let kind: Kind
    /// The cause of the problem, and what the client can do about it.
    let detail: String
    var errors: [ProblemDocument.Fault] = []
    /// The supported methods, for `Allow`.
    var allowed: [String] = []
    /// The number of seconds after which the client can send the same request again; nil for the default of the kind.
    var retryAfter: Int?
    /// The language of `detail` if a screen has provided the text for users; nil if the text is for developers, in English.
    var locale: ScreenLocale?
    /// The outcome of the requested action; nil if the request is not for an action.
    var outcome: ProblemDocument.Outcome?
    /// A Boolean value that indicates whether the body of the request is in a content coding that is not supported.
    var isAboutCoding = false
    /// The position token that stands for the action's commit; nil if nothing was committed, or if the store has no positions.
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
        case keyInProgress = "under-way"
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

        var type: String { "urn:relist:problem:\(rawValue)" }

        var status: Int { statusAndTitle.status }

        /// A short summary, which is the same for all problems of this kind.
        var title: String { statusAndTitle.title }

        private var statusAndTitle: (status: Int, title: String) {
            switch self {
            case .invalidTarget: (400, "The path cannot be read")
            case .invalidParameters: (400, "Parameters are not valid")
            case .invalidBody: (400, "The body is not valid")
            case .invalidRequest: (400, "The request is not valid HTTP")
            case .unauthorized: (401, "A user is required")
            case .invalidToken: (401, "The token is not accepted")
            case .forbidden: (403, "The user lacks permission")
            case .unknownScreen: (404, "There is no such screen")
            case .unknownAction: (404, "There is no such action")
            case .invalidInput: (400, "The input is not valid")
            case .brokenRule: (422, "The input breaks a rule")
            case .keyInProgress: (409, "The same request is in progress")
            case .reusedKey: (422, "The key belongs to another request")
            case .unsupportedMediaType: (415, "The media type of the body is not supported")
            case .notFound: (404, "There is nothing here")
            case .methodNotAllowed: (405, "The method is not allowed here")
            case .notAcceptable: (406, "None of the accepted types can be served")
            case .bodyTooLarge: (413, "The body is too large")
            case .misdirected: (421, "The host is not served here")
            case .headTooLarge: (431, "The target or the headers are too large")
            case .lengthRequired: (411, "The body has no length")
            case .unmetExpectation: (417, "The expectation cannot be met")
            case .notImplemented: (501, "The transfer coding is not supported")
            case .unavailable: (503, "The service is not available now")
            case .tooManyRequests: (429, "A limit of the caller is reached")
            // The status is not 503, because proxies and generic clients repeat a request after a 503.
            case .outcomeUnknown: (500, "The outcome of the action is unknown")
            case .performed: (500, "The action was performed, but the response is missing")
            case .internalError: (500, "Something went wrong here")
            }
        }
    }
}

extension Problem.Kind {
    /// A Boolean value that indicates whether the same request can succeed later.
    var isTemporary: Bool { retryAfter != nil }

    /// The default number of seconds after which the same request can be sent again; nil if it should not be sent again.
    fileprivate var retryAfter: Int? {
        switch self {
        case .unavailable, .keyInProgress, .tooManyRequests: 1
        default: nil
        }
    }
}

extension Problem {
    /// Returns the problem as a response to a request with a trace. `fields` are the names of request fields that middleware has used.
    func response(to trace: RequestTrace?, varyingBy fields: [String] = []) -> Response {
        let document = ProblemDocument(
            type: kind.type, title: kind.title, status: kind.status, detail: detail,
            errors: errors, outcome: outcome, requestID: trace?.requestID
        )
        var headers: Headers = [
            "Content-Type": "application/problem+json", "Cache-Control": "no-store",
            "Content-Language": locale?.language ?? "en",
        ]
        headers.append(contentsOf: DocumentResponses.protectiveFields)
        headers.append("Vary", (varyFields + fields).joined(separator: ", "))
        if !allowed.isEmpty { headers.append("Allow", allowed.joined(separator: ", ")) }
        // The only coding in which bodies are accepted. A 415 for another reason must not have this field (RFC 9110, section 12.5.3).
        if isAboutCoding { headers.append("Accept-Encoding", "identity") }
        if let challenge { headers.append("WWW-Authenticate", challenge) }
        if let position { headers.append(PositionField.name, position) }
        if let seconds = retryAfter ?? kind.retryAfter { headers.append("Retry-After", String(seconds)) }
        if let id = document.requestID { headers.append(RequestTrace.field, id) }
        return Response(status: kind.status, headers: headers, body: document.bytes, note: ResponseNote.problem(kind))
    }

    /// The value of `WWW-Authenticate` (RFC 6750, section 3); nil if the problem is not about authentication.
    private var challenge: String? {
        switch kind {
        case .unauthorized: "Bearer"
        case .invalidToken: #"Bearer error="invalid_token""#
        case .forbidden: #"Bearer error="insufficient_scope""#
        default: nil
        }
    }

    /// The names of the request fields that affect the problem, for `Vary`.
    private var varyFields: [String] {
        if locale != nil { return ["Accept", "Accept-Encoding", "Accept-Language"] }
        return kind == .notAcceptable ? ["Accept", "Accept-Encoding"] : ["Accept-Encoding"]
    }
}
