import HTTPServer
import ScreenService

/// A path and what can be done there.
///
/// Routes and operations are classes, as each request finds one: what has ten fields is dear to copy.
final class Route: Sendable {
    let path: PathPattern
    /// One for each method.
    let operations: [Operation]

    init(_ path: PathPattern, _ operations: Operation...) {
        self.path = path
        self.operations = operations
    }

    /// The methods that it takes, OPTIONS aside.
    var methods: [String] { operations.flatMap(\.method.names) }

    func operation(for method: String) -> Operation? {
        operations.first { $0.method.isMeant(by: method) }
    }

    /// Answers OPTIONS, and refuses what it does not take.
    func reply(toOther method: String) throws(Problem) -> Reply {
        let allowed = methods + ["OPTIONS"]
        guard method == "OPTIONS" else {
            let detail = "\(method) is not allowed here; use \(methods.joined(separator: " or "))."
            throw Problem(kind: .methodNotAllowed, detail: detail, allowed: allowed)
        }
        return .response(Response(status: 204, headers: ["Allow": allowed.joined(separator: ", ")]))
    }
}

/// Something that a client can have done: how it is asked for, and what may be answered.
final class Operation: Sendable {
    typealias Handler = @Sendable (borrowing RoutedRequest) throws -> Reply

    let method: Method
    /// Its name, with `{screen}` and `{action}` where theirs belong.
    let name: String
    /// In a sentence.
    let summary: String
    let query: QueryRule
    /// The fields of the request that it reads.
    let fields: [RequestField]
    /// What its body is for; nil where there is none.
    let body: RequestBody.Purpose?
    /// All answers that are no problems.
    let answers: [Success]
    /// The problems that are its own, beside ``commonProblems``.
    let problems: Set<Problem.Kind>
    let handler: Handler

    init(
        _ method: Method, _ name: String, _ summary: String, query: QueryRule, fields: [RequestField] = [],
        body: RequestBody.Purpose? = nil, answers: [Success], problems: Set<Problem.Kind> = [], handler: @escaping Handler
    ) {
        self.method = method
        self.name = name
        self.summary = summary
        self.query = query
        self.fields = fields
        self.body = body
        self.answers = answers
        self.problems = problems
        self.handler = handler
    }

    /// What any request may be answered with: it was refused before it was looked at, or something went wrong.
    static let commonProblems: Set<Problem.Kind> = [
        .invalidRequest, .lengthRequired, .bodyTooLarge, .unmetExpectation, .misdirected, .headTooLarge, .notImplemented,
        .unavailable, .internalError,
    ]

    enum Method: Sendable {
        case get, post

        /// HEAD is GET without the body (RFC 9110, section 9.3.2).
        var names: [String] {
            switch self {
            case .get: ["GET", "HEAD"]
            case .post: ["POST"]
            }
        }

        // Without a list of names, as each request asks.
        func isMeant(by name: String) -> Bool {
            switch self {
            case .get: name == "GET" || name == "HEAD"
            case .post: name == "POST"
            }
        }
    }

    /// A status with the media types in which there is a body, the preferred one first; none for no body.
    struct Success: Hashable, Sendable {
        var status = 200
        let types: [String]
        var content = Content.anything
        var fields: [ResponseField] = []
    }

    /// What is in a body.
    enum Content: Hashable, Sendable {
        case snapshot, changes, screens, description
        /// A text, or a file.
        case anything
    }
}

/// What a query may say.
enum QueryRule: Hashable, Sendable {
    /// Anything: it is not read.
    case ignored
    /// These parameters of the protocol.
    case taking([ProtocolParameter])
    /// These parameters of the protocol, and those of the screen that the path names.
    case ofScreen(taking: [ProtocolParameter])
}

/// A request whose operation is known, with what its target says.
struct RoutedRequest: ~Copyable, Sendable {
    let context: RequestContext
    let query: Query

    var path: PathArguments { context.route?.path ?? PathArguments() }
    var headers: Headers { context.request.headers }
}
