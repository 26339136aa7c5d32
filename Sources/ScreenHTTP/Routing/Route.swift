import Glibc
public import HTTPServer
public import ScreenModel
public import ScreenService
import ScreenWire

/// A route of a team, in addition to the routes of Relist.
///
/// ```swift
/// server.routes = [
///     Route(.get, "/kitchen/printers/{name}", "Returns the state of a printer.") { request in
///         guard let state = await printers.state(of: request["name"]) else { throw Problem.notFound("There is no such printer.") }
///         return .json(["state": state])
///     }
/// ]
/// ```
///
/// The handler runs in a task, with the deadline of actions. The middleware and the authentication of the server apply to the route. An
/// error that the handler throws is sent as a problem: a ``Problem``, `BrokenRules` or `DataUnavailable`. Any other error is logged, and
/// the response is a 500 without detail.
public struct Route: Sendable {
    public typealias Handler = @Sendable (RouteRequest) async throws -> Response

    /// The method of a request. A route for GET also handles HEAD.
    public enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    let method: Method
    let path: String
    let summary: String?
    let access: Access
    let bodyType: String
    let bodyLimit: Int
    let handler: Handler

    /// Creates a route.
    ///
    /// - Parameters:
    ///   - path: The path, such as `/kitchen/printers/{name}`. A placeholder in braces stands for one segment. The first segment must not
    ///     be a placeholder, or the first segment of a path of Relist, such as `screens`.
    ///   - summary: One sentence, with which the OpenAPI document lists the route; nil to leave the route out of the document.
    ///   - access: The callers who may use the route. Other callers receive a 401 or a 403.
    ///   - bodyType: The media type that the body of POST, PUT and PATCH must have. A form of any web page can send text or a form in
    ///     the name of a user whom the server knows without a token, but no JSON.
    ///   - bodyLimit: The maximum size of the body in bytes. A larger body is rejected with a 413.
    ///   - handler: Handles a request whose caller and whose type of body are checked.
    public init(
        _ method: Method, _ path: String, _ summary: String? = nil, access: Access = .users, bodyType: String = "application/json",
        bodyLimit: Int = 64 << 10, handler: @escaping Handler
    ) {
        (self.method, self.path, self.summary, self.access) = (method, path, summary, access)
        (self.bodyType, self.bodyLimit, self.handler) = (bodyType, bodyLimit, handler)
    }
}

/// A request for a route of a team.
public struct RouteRequest: Sendable {
    /// The verified caller.
    public let caller: Caller
    /// The language of the server that the client prefers.
    public let locale: ScreenLocale
    public let headers: Headers
    /// The body, or an empty array for GET.
    public internal(set) var body: [UInt8] = []
    let arguments: [String: String]
    let queryText: Substring?

    /// The decoded segment of the path at a placeholder, or an empty text if the path has no such placeholder.
    public subscript(placeholder: String) -> String { arguments[placeholder] ?? "" }

    /// Returns the first value of a name in the query string, or nil if there is none that can be decoded.
    public func query(_ name: String) -> String? {
        for pair in (queryText ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard PercentEncoding.decode(parts[0], plusIsSpace: true) == name else { continue }
            return PercentEncoding.decode(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
        }
        return nil
    }

    /// Decodes the body from JSON, by the rules of `JSONValue.decode(_:)`.
    ///
    /// - Throws: A 400 that states the place of the fault.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(Problem) -> Value {
        let value: JSONValue
        do { value = try JSONReader.read(body) } catch { throw .invalidBody("The body is not JSON: \(error).") }
        do { return try value.decode(type) } catch {
            guard let error = error as? DecodingError else { throw .invalidBody("The body is not valid.") }
            throw .invalidBody("The body is not valid: \(error.text)", at: error.pointer)
        }
    }
}

extension DecodingError {
    private var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): context
        case .keyNotFound(_, let context): context
        @unknown default: nil
        }
    }

    fileprivate var text: String {
        if case .keyNotFound(let key, _) = self { return "\"\(key.stringValue)\" is missing." }
        return context?.debugDescription ?? ""
    }

    /// The place of the fault, as a JSON Pointer (RFC 6901).
    fileprivate var pointer: String {
        (context?.codingPath ?? []).map { key in
            "/" + (key.intValue.map(String.init) ?? key.stringValue.replacing("~", with: "~0").replacing("/", with: "~1"))
        }.joined()
    }
}

extension Response {
    /// Returns a response with a value as JSON: a literal, a list, a dictionary, or a type that declares its fields.
    public static func json(_ value: some ContentValue, status: Int = 200) -> Response {
        var writer = JSONWriter()
        value.write(to: &writer)
        return Response(status: status, headers: ["Content-Type": "application/json"], body: writer.bytes)
    }

    /// Returns a response with a text.
    public static func text(_ text: String, status: Int = 200) -> Response {
        Response(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array(text.utf8))
    }

    /// Returns a response with a file, whose media type follows from its name. The file is read as a whole, on a thread that may block.
    ///
    /// - Throws: A 404 if there is no regular file at the path or it cannot be read.
    public static func file(at path: String) async throws -> Response {
        let bytes = try await files.run { () -> [UInt8]? in
            // Without `O_NONBLOCK`, opening a pipe could block the thread for ever.
            guard let descriptor = Descriptor(path, O_RDONLY | O_NONBLOCK), let file = OpenFile(descriptor, location: path) else {
                return nil
            }
            return try? file.read()
        }
        guard let bytes else { throw Problem.notFound("There is no such file.") }
        return Response(headers: ["Content-Type": MediaType.of(path)], body: bytes, note: ResponseNote.file)
    }

    private static let files = BlockingWork(width: 2, waitingLimit: 1024)
}
