public import HTTPServer
public import ScreenService

/// A layer around the answering of requests.
///
/// It can answer by itself, change what is known of a request before it is passed on, change the reply
/// (`Reply.map(_:)`, also for what comes later), and observe the end of the answer (`Reply.observed(_:)`). It is
/// called on a thread that serves many, so it must not block: what takes time it returns as a `Reply` that comes later.
///
///     struct ServerName: Middleware {
///         func reply(to context: consuming RequestContext, next: @escaping Next) throws -> Reply {
///             try next(context).map { answer in
///                 var answer = answer
///                 answer.headers.append("Server", "garden")
///                 return answer
///             }
///         }
///     }
///
/// Requests that the server refuses by itself pass through it as well: `Request.refusal`.
public protocol Middleware: Sendable {
    typealias Next = @Sendable (consuming RequestContext) throws -> Reply

    /// - Parameters:
    ///   - context: consumed, so that it is passed on without a copy.
    ///   - next: what all layers within this one make of the request.
    /// - Throws: what is wrong, for a layer around this one to answer.
    func reply(to context: consuming RequestContext, next: @escaping Next) throws -> Reply
}

extension Middleware {
    /// This layer around others.
    func around(_ next: @escaping Next) -> Next {
        { (context: consuming RequestContext) in try reply(to: context, next: next) }
    }
}

/// What is known of a request on its way through the layers.
public struct RequestContext: ~Copyable, Sendable {
    public var request: Request
    public var caller: Caller
    /// The address of the client: the other end of the connection, unless a layer knows of proxies before it.
    public var clientAddress: NetworkAddress?
    /// The time that an action has, and how long who asks waits for a screen; nil for the service's own. A screen is
    /// computed for all who ask, so no longer than that. Streams, and who waits for something new, have the service's.
    public var deadline: Deadline?
    /// The names of request fields that had a part in the answer, for `Vary` (RFC 9110, section 12.5.5), beside those
    /// that say what is accepted. Streams have none.
    public var decisiveFields: [String]

    public init(
        _ request: Request, caller: Caller = .nobody, deadline: Deadline? = nil, decisiveFields: [String] = []
    ) {
        clientAddress = request.peer
        self.request = request
        self.caller = caller
        self.deadline = deadline
        self.decisiveFields = decisiveFields
    }
    /// The party that limits per caller count: the one that authentication names, else the address of the client.
    public var limitKey: LimitKey {
        if caller.limitKey != .unknown { return caller.limitKey }
        return clientAddress.map { .address(high: $0.high, low: $0.isIPv4 ? $0.low : 0) } ?? .unknown
    }
}
