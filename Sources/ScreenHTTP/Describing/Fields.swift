import ScreenModel
import ScreenService

/// A header field of a request that an operation reads.
///
/// `Accept` is not listed, because OpenAPI describes it by the media types of the responses instead of a parameter.
enum RequestField: String, CaseIterable {
    case acceptLanguage = "Accept-Language"
    case acceptEncoding = "Accept-Encoding"
    case ifNoneMatch = "If-None-Match"
    case prefer = "Prefer"
    case lastEventID = "Last-Event-ID"
    case idempotencyKey = "Idempotency-Key"
    case position = "Relist-Position"
    case requestID = "X-Request-Id"
    case traceparent

    var summary: String {
        switch self {
        case .acceptLanguage: "The preferred languages of the response. The parameter `locale` takes precedence."
        case .acceptEncoding: "The accepted codings of the body: `zstd`, `br`, `gzip`; for a stream `gzip`."
        case .ifNoneMatch: "The `ETag` of the client's copy. If it is still current, the response is a 304."
        case .prefer: "`wait=N` waits up to N seconds, at most 60, for changes; with `return=minimal` the response to an action is a 204."
        case .lastEventID: "The version that the client holds, from which a stream resumes. It takes precedence over `version`."
        case .idempotencyKey:
            "The same request with the same key is performed once within 24 hours. Without a user the key must have at least 22 characters."
        case .position:
            "The `Relist-Position` of an action's response: no replica responds with an older state. The parameter `position` means the same. Any other text is ignored."
        case .requestID: "An id for the request in logs. The response has the same, or a new one if the id is not valid."
        case .traceparent: "The trace of the request (W3C Trace Context), for logs and for requests to other servers."
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
        case .acceptEncoding: "gzip"
        case .prefer: "wait=1"
        case .traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        default: nil
        }
    }
}

/// A header field of a response.
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
    case contentEncoding = "Content-Encoding"
    case acceptEncoding = "Accept-Encoding"
    case position = "Relist-Position"
    case requestID = "X-Request-Id"

    /// Fields that keep browsers from showing data as a page.
    static let protective: [ResponseField] = [.contentTypeOptions, .contentSecurityPolicy]

    var summary: String {
        switch self {
        case .entityTag: "The tag for `If-None-Match`; that of a snapshot is its version, in quotes."
        case .contentLanguage: "The language of the texts."
        case .cacheControl: "The caches that may store the response."
        case .vary: "The request fields that affect the response."
        case .preferenceApplied: "`wait=N`, with the maximum number of seconds, or `return=minimal`."
        case .allow: "The supported methods."
        case .retryAfter: "The number of seconds after which the request can be sent again."
        case .wwwAuthenticate: "The required authentication."
        case .contentSecurityPolicy: "The sources that a page may load from."
        case .referrerPolicy: "The policy for the `Referer` of requests to other servers."
        case .contentTypeOptions: "`nosniff`: browsers must not guess the type."
        case .position: "With replicas, an opaque token for the position of the action's commit. Send it with the next requests."
        case .contentEncoding: "The coding of the body, if the request accepts one: `zstd`, `br` or `gzip`."
        case .acceptEncoding: "`identity`: bodies of requests must not be encoded."
        case .requestID: "The id of the request, with which the operator finds it in the logs."
        case .buffering: "`no`: a proxy must forward the events of a stream at once."
        }
    }

    var schema: Schema {
        switch self {
        case .retryAfter: ["type": "integer", "minimum": 0]
        default: .text
        }
    }

    /// A Boolean value that indicates whether the field is present in all responses for which the OpenAPI document lists it.
    var isRequired: Bool {
        switch self {
        case .vary, .preferenceApplied, .retryAfter, .buffering, .position, .contentEncoding, .acceptEncoding: false
        // Streams do not have these fields.
        case .contentTypeOptions, .contentSecurityPolicy: false
        default: true
        }
    }
}

extension ParameterDeclaring {
    /// The OpenAPI description of a screen's parameter.
    var parameter: Schema {
        let schema = type.schema(in: .query).with("default", defaultText.map(type.value(ofText:)))
        return Schema.object(["name": .string(name), "in": "query", "schema": schema])
            .with("description", .string("\(summary.in(.english)) It must be \(type.shape(in: .query))."))
            .with("example", exampleText.map(type.value(ofText:)))
    }
}

extension ProtocolParameter {
    /// Returns the OpenAPI description of a parameter of the protocol. `revisions` is nil if the operation is not about a screen.
    func parameter(_ languages: [String], _ revisions: ClosedRange<Int>?) -> Schema {
        let (schema, summary): (Schema, String) =
            switch self {
            case .version: (.text, "The version that the client holds. Without it, the response is a snapshot.")
            case .locale: (.choice(languages), "The language of the response, instead of the best of `Accept-Language`.")
            case .revision:
                (.integer(in: revisions), "The revision of the screen that the client was built for, instead of the oldest supported one.")
            case .position:
                (.text, "The `Relist-Position` of an action's response: the response is not older than that. Any other text is ignored.")
            }
        return ["name": .string(rawValue), "in": "query", "schema": schema, "description": .string(summary)]
    }
}

extension RequestField {
    var parameter: Schema {
        Schema.object(["name": .string(rawValue), "in": "header", "schema": schema, "description": .string(summary)])
            .with("example", example)
    }
}

extension ResponseField {
    var header: Schema {
        Schema.object(["description": .string(summary), "schema": schema]).with("required", isRequired ? true : nil)
    }
}
