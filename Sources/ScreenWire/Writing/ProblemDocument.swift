public import ScreenModel

/// A notice to a client that its request failed, and what to do: `application/problem+json` (RFC 9457).
public struct ProblemDocument: Hashable, Sendable {
    /// A URI that names the kind of problem.
    public var type: String
    /// The same for all problems of this type.
    public var title: String
    /// The HTTP status.
    public var status: Int
    /// The fault of this request, and what to do.
    public var detail: String
    /// Where the input is wrong.
    public var errors: [Fault]
    /// The outcome of the action that was requested; nil for any other request.
    public var outcome: Outcome?

    /// The outcome of an action, as far as the server knows.
    public enum Outcome: String, CaseIterable, ContentValue {
        /// The action is performed, by this request or an earlier one under its key.
        case performed
        /// The transaction of this request was not committed, and will not be. Effects of a handler outside of its transaction are not
        /// part of the outcome.
        case notPerformed = "not-performed"
        /// The action may have been performed, or may still be.
        case unknown
    }

    /// A part of the input that is wrong.
    public struct Fault: Hashable, Sendable {
        public let place: Place
        public let detail: String

        public enum Place: Hashable, Sendable {
            /// A JSON pointer into the body (RFC 6901).
            case pointer(String)
            /// The name of a parameter of the query.
            case parameter(String)
        }

        public init(at place: Place, _ detail: String) {
            self.place = place
            self.detail = detail
        }
    }

    public init(type: String, title: String, status: Int, detail: String, errors: [Fault] = [], outcome: Outcome? = nil) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.errors = errors
        self.outcome = outcome
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
    }
}

extension ProblemDocument.Fault: Content {
    public static func fields(_ field: inout some FieldVisitor<Self>) {
        field("pointer") { if case .pointer(let pointer) = $0.place { pointer } else { nil } }
        field("parameter") { if case .parameter(let name) = $0.place { name } else { nil } }
        field("detail", \.detail)
    }
}
