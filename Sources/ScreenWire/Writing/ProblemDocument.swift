public import ScreenModel

/// The response to a request that failed: `application/problem+json` (RFC 9457).
public struct ProblemDocument: Hashable, Sendable {
    /// A URI that identifies the type of the problem.
    public var type: String
    /// A short summary of the type of the problem.
    public var title: String
    /// The HTTP status code.
    public var status: Int
    /// The cause of the failure and what to do about it.
    public var detail: String
    /// The invalid parts of the request.
    public var errors: [Fault]
    /// The outcome of the requested action, or `nil` if no action was requested.
    public var outcome: Outcome?
    /// The id of the request, or `nil` if it is not known.
    public var requestID: String?

    /// The outcome of an action, as far as the server knows.
    public enum Outcome: String, CaseIterable, ContentValue {
        /// The action was performed by this request, or by an earlier request with the same idempotency key.
        case performed
        /// The transaction of this request was not committed and will not be committed. The handler may have had effects outside of this
        /// transaction.
        case notPerformed = "not-performed"
        /// The action may have been performed, or may be performed later.
        case unknown
    }

    /// An invalid part of a request.
    public struct Fault: Hashable, Sendable {
        public let place: Place
        public let detail: String

        /// The place of an invalid part in its request.
        public enum Place: Hashable, Sendable {
            /// A JSON pointer into the body (RFC 6901).
            case pointer(String)
            /// The name of a query parameter.
            case parameter(String)
        }

        public init(at place: Place, _ detail: String) {
            self.place = place
            self.detail = detail
        }
    }

    public init(
        type: String, title: String, status: Int, detail: String, errors: [Fault] = [], outcome: Outcome? = nil, requestID: String? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.errors = errors
        self.outcome = outcome
        self.requestID = requestID
    }

    /// The document, in UTF-8.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension ProblemDocument: Content {
    public static func fields(_ field: inout some FieldVisitor<Self>) {
        field("type", \.type)
        field("title", \.title)
        field("status", \.status)
        field("detail", \.detail)
        field("errors") { $0.errors.isEmpty ? nil : $0.errors }
        field("outcome", \.outcome)
        field("requestId", \.requestID)
    }
}

extension ProblemDocument.Fault: Content {
    public static func fields(_ field: inout some FieldVisitor<Self>) {
        field("pointer") { if case .pointer(let pointer) = $0.place { pointer } else { nil } }
        field("parameter") { if case .parameter(let name) = $0.place { name } else { nil } }
        field("detail", \.detail)
    }
}
