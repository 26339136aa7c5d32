import HTTPServer
import ScreenService
import ScreenWire

/// A pattern of paths, with an operation for each supported method.
///
/// Routes and operations are classes, because every request refers to them, and a struct with ten fields would be expensive to copy.
final class RouteEntry: Sendable {
    let path: PathPattern
    let template: String
    let isOfAction: Bool
    let operations: [Operation]

    convenience init(_ path: PathPattern, _ operations: Operation...) {
        self.init(path, operations)
    }

    init(_ path: PathPattern, _ operations: [Operation]) {
        self.path = path
        template = path.template
        isOfAction = path.parts.contains(.action)
        self.operations = operations
    }

    /// The supported methods, except OPTIONS.
    var methods: [String] { operations.flatMap(\.method.names) }

    func operation(for method: String) -> Operation? {
        operations.first { $0.method.matches(method) }
    }

    /// Replies to OPTIONS with the supported methods. Throws a problem for any other method.
    func reply(toOther method: String) throws(Problem) -> Reply {
        let allowed = methods + ["OPTIONS"]
        guard method == "OPTIONS" else {
            let detail = "\(method) is not allowed here; use \(methods.joined(separator: " or "))."
            throw Problem(kind: .methodNotAllowed, detail: detail, allowed: allowed)
        }
        return .response(Response(status: 204, headers: ["Allow": allowed.joined(separator: ", ")]))
    }
}

/// A method of a route: its handler, and the description of its requests and responses.
final class Operation: Sendable {
    typealias Handler = @Sendable (borrowing RoutedRequest) throws -> Reply

    let method: Route.Method
    /// The operation id in the OpenAPI document. It may have the placeholders `{screen}` and `{action}`.
    let name: String
    /// The sentence in the OpenAPI document; nil if the document does not list the operation.
    let summary: String?
    let query: QueryRule
    /// The header fields of the request that the handler reads.
    let fields: [RequestField]
    /// The purpose of the request body; nil if the operation has no request body.
    let body: RequestBody.Purpose?
    /// The callers who may use the operation; nil if its handler finds out.
    let access: Access?
    /// The responses that are not problems.
    let successes: [Success]
    /// The problems that can occur in addition to ``commonProblems``.
    let problems: Set<Problem.Kind>
    let handler: Handler

    init(
        _ method: Route.Method, _ name: String, _ summary: String?, query: QueryRule, fields: [RequestField] = [],
        body: RequestBody.Purpose? = nil, access: Access? = nil, successes: [Success], problems: Set<Problem.Kind> = [],
        handler: @escaping Handler
    ) {
        self.method = method
        self.name = name
        self.summary = summary
        self.query = query
        self.fields = fields
        self.body = body
        self.access = access
        self.successes = successes
        self.problems = problems
        self.handler = handler
    }

    /// The problems that any operation can respond with, because the server rejects the request or fails.
    static let commonProblems: Set<Problem.Kind> = [
        .invalidRequest, .lengthRequired, .bodyTooLarge, .unmetExpectation, .misdirected, .headTooLarge, .notImplemented,
        .notAcceptable, .tooManyRequests, .unavailable, .internalError,
    ]

    /// A successful response.
    struct Success: Hashable, Sendable {
        var status = 200
        /// The media types of the body, with the preferred one first; empty if there is no body.
        let types: [String]
        var content = Content.anything
        var fields: [ResponseField] = []
    }

    /// The content of a response body.
    enum Content: Hashable, Sendable {
        case snapshot, changes, screens, description
        /// Any content, such as a text or a file.
        case anything
    }
}

/// The parameters that an operation accepts in the query string.
enum QueryRule: Hashable, Sendable {
    /// The query string is not read.
    case ignored
    /// Only the listed parameters of the protocol are accepted.
    case accepting([ProtocolParameter])
    /// The listed parameters of the protocol are accepted, and all parameters of the requested screen.
    case ofScreen(accepting: [ProtocolParameter])
}

/// The route that matches a request.
public struct RequestRoute: Sendable {
    let route: RouteEntry
    let path: PathArguments
    let query: Substring?

    /// The pattern of the path, such as `/screens/{screen}/changes`. There are few patterns, so a layer can count requests by their
    /// pattern.
    public var template: String { route.template }

    /// The name of the screen in the path; nil if the pattern has no screen. A screen with this name need not exist.
    public var screen: String? { route.path.parts.contains(.screen) ? path.screen : nil }

    /// The name of the action in the path; nil if the pattern has no action. An action with this name need not exist.
    public var action: String? { path.action.isEmpty ? nil : path.action }
}

/// A request whose operation is known, with its parsed query string.
struct RoutedRequest: ~Copyable, Sendable {
    let context: RequestContext
    let query: Query

    var path: PathArguments { context.path }
    var headers: Headers { context.request.headers }
}

/// A pattern of paths: a list of segments, some of which are placeholders.
struct PathPattern: Hashable, Sendable {
    enum Part: Hashable, Sendable, ExpressibleByStringLiteral {
        case text(String)
        case screen, action
        /// A segment that a team's route names.
        case named(String)
        /// All remaining segments of the path: the names of folders and of a file.
        case file

        init(stringLiteral text: String) {
            self = .text(text)
        }
    }

    /// The path of the Swift source of an example screen.
    static let source = PathPattern("screens", .screen, "source")

    let parts: [Part]

    init(_ parts: Part...) {
        self.parts = parts
    }

    /// The pattern in the notation of OpenAPI, such as `/screens/{screen}`.
    var template: String {
        parts.map { part in
            switch part {
            case .text(let text): "/\(text)"
            case .screen: "/{screen}"
            case .action: "/{action}"
            case .named(let name): "/{\(name)}"
            case .file: "/{file}"
            }
        }.joined()
    }

    /// Returns whether a decoded segment names one thing. A handler may build the path of a file from it, so it has no separators.
    private static func isOneName(_ segment: String) -> Bool {
        !["", ".", ".."].contains(segment) && !segment.utf8.contains { [UInt8(ascii: "/"), UInt8(ascii: "\\"), 0].contains($0) }
    }

    /// Returns the decoded segments at the placeholders, or nil if the path does not match the pattern. A path that ends with a slash
    /// matches only the pattern of files.
    func arguments(in path: UnsafeBufferPointer<UInt8>) throws(Problem) -> PathArguments? {
        var segments = PathSegments(path)
        var arguments = PathArguments()
        for part in parts {
            switch part {
            case .file:
                while let segment = try segments.next() { arguments.segments.append(segment) }
                return arguments
            case .named:
                guard let segment = try segments.next(), Self.isOneName(segment) else { return nil }
                arguments.segments.append(segment)
            case .text(let text): guard try segments.isNext(text) else { return nil }
            case .screen:
                guard let segment = try segments.next() else { return nil }
                arguments.screen = segment
            case .action:
                guard let segment = try segments.next() else { return nil }
                arguments.action = segment
            }
        }
        return segments.isAtEnd && !segments.wasLastEmpty ? arguments : nil
    }
}

/// The segments of a path at the placeholders of its pattern.
struct PathArguments: Hashable, Sendable {
    var screen = ""
    var action = ""
    /// The segments of the path of a file, or the segments that a team's route names.
    var segments: [String] = []
}

/// An iterator over the segments of a path. It reads bytes, and decodes one segment at a time, because each path is compared with several
/// patterns, and most patterns differ in the first two segments.
private struct PathSegments {
    private let path: UnsafeBufferPointer<UInt8>
    /// The offset of the next segment. If there is no next segment, the offset is greater than the length of the path.
    private var start: Int
    private(set) var wasLastEmpty = true

    /// Creates an iterator that starts after the first slash of the path.
    init(_ path: UnsafeBufferPointer<UInt8>) {
        self.path = path
        start = (path.firstIndex(of: UInt8(ascii: "/")) ?? path.count) + 1
    }

    var isAtEnd: Bool { start > path.count }

    /// Consumes the next segment, and returns a Boolean value that indicates whether the segment is this text.
    mutating func isNext(_ text: String) throws(Problem) -> Bool {
        guard let segment = nextSegment() else { return false }
        if Self.isEncoded(segment) { return ExactText(try Self.decoded(segment)) == ExactText(text) }
        return ExactText(text).hasBytes(segment)
    }

    mutating func next() throws(Problem) -> String? {
        guard let segment = nextSegment() else { return nil }
        return Self.isEncoded(segment) ? try Self.decoded(segment) : String(decoding: segment, as: UTF8.self)
    }

    private mutating func nextSegment() -> UnsafeBufferPointer<UInt8>? {
        guard start <= path.count else { return nil }
        var end = start
        while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
        defer { start = end + 1 }
        wasLastEmpty = start == end
        return UnsafeBufferPointer(rebasing: path[start..<end])
    }

    private static func isEncoded(_ segment: UnsafeBufferPointer<UInt8>) -> Bool {
        segment.contains(UInt8(ascii: "%"))
    }

    private static func decoded(_ segment: UnsafeBufferPointer<UInt8>) throws(Problem) -> String {
        guard let decoded = PercentEncoding.decode(Substring(decoding: segment, as: UTF8.self)) else {
            throw Problem(kind: .invalidTarget, detail: "The path is not percent-encoded UTF-8.")
        }
        return decoded
    }
}

extension Route.Method {
    /// The names of the methods that a route handles. HEAD is handled as GET without the body (RFC 9110, section 9.3.2).
    var names: [String] { self == .get ? ["GET", "HEAD"] : [rawValue] }

    // The names are repeated here, because `names` would allocate a list for each request.
    func matches(_ name: String) -> Bool { name == rawValue || self == .get && name == "HEAD" }
}
