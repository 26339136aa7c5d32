import ScreenModel

/// A field of a request that an operation reads.
///
/// `Accept` is none of them: by OpenAPI it is not described as a parameter, but follows from the types of the answers.
enum RequestField: String, CaseIterable {
    case acceptLanguage = "Accept-Language"
    case ifNoneMatch = "If-None-Match"
    case prefer = "Prefer"
    case lastEventID = "Last-Event-ID"
    case idempotencyKey = "Idempotency-Key"
    case position = "Relist-Position"

    var summary: String {
        switch self {
        case .acceptLanguage: "The languages to answer in, the best of which counts; the parameter `locale` wins over it."
        case .ifNoneMatch: "The `ETag` of what the client has: where that is still so, the answer is 304."
        case .prefer: "`wait=N` has changes wait up to N seconds, 60 at most, for something new; `return=minimal` has an action answered with 204."
        case .lastEventID: "Where a stream goes on: the version that the client holds. It wins over `version`."
        case .idempotencyKey: "The same request under the same key is performed once within 24 hours. Without a user it has 22 characters at least."
        case .position:
            "What an action was answered with: the answer is not from before it, whichever replica gives it. `position` is the same. Any other text is ignored."
        }
    }

    var schema: Schema {
        switch self {
        case .idempotencyKey:
            Schema.text.with("maxLength", .int(IdempotencyKey.lengths.upperBound)).with("pattern", "^[!-~]([ -~]*[!-~])?$")
        default: .text
        }
    }

    var example: Schema? {
        switch self {
        case .acceptLanguage: "fr-CH, en;q=0.5"
        case .prefer: "wait=1"
        default: nil
        }
    }
}

/// A field of an answer.
enum ResponseField: String, CaseIterable {
    case entityTag = "ETag"
    case contentLanguage = "Content-Language"
    case cacheControl = "Cache-Control"
    case vary = "Vary"
    case preferenceApplied = "Preference-Applied"
    case allow = "Allow"
    case retryAfter = "Retry-After"
    case wwwAuthenticate = "WWW-Authenticate"
    case contentSecurityPolicy = "Content-Security-Policy"
    case referrerPolicy = "Referrer-Policy"
    case contentTypeOptions = "X-Content-Type-Options"
    case buffering = "X-Accel-Buffering"
    case position = "Relist-Position"

    /// So that no browser takes data for a page.
    static let protective: [ResponseField] = [.contentTypeOptions, .contentSecurityPolicy]

    var summary: String {
        switch self {
        case .entityTag: "What `If-None-Match` may name: of a snapshot its version, in quotes."
        case .contentLanguage: "The language that the texts are in."
        case .cacheControl: "Who may keep the answer."
        case .vary: "The fields of the request that had a part in the answer."
        case .preferenceApplied: "`wait=N`, with the seconds that the answer would have waited at most, or `return=minimal`."
        case .allow: "The methods that there are instead."
        case .retryAfter: "After how many seconds to send it again."
        case .wwwAuthenticate: "How to say who asks."
        case .contentSecurityPolicy: "What a page may load."
        case .referrerPolicy: "Whether other servers are told where a request came from."
        case .contentTypeOptions: "`nosniff`: the type is the one that is said."
        case .position: "Where replicas share the data, an opaque token for the position at which what was done is there. Send it back with what is asked next."
        case .buffering: "`no`: has a proxy send the events of a stream on at once."
        }
    }

    var schema: Schema {
        switch self {
        case .retryAfter: ["type": "integer", "minimum": 0]
        default: .text
        }
    }

    /// Whether every answer has it that may have it.
    var isRequired: Bool {
        switch self {
        case .vary, .preferenceApplied, .retryAfter, .buffering, .position: false
        // Streams have neither.
        case .contentTypeOptions, .contentSecurityPolicy: false
        default: true
        }
    }
}
