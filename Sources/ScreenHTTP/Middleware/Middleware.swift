public import HTTPServer
public import ScreenService

/// A layer around the answering of requests.
///
/// It can answer by itself, change what is known of a request before it is passed on, change the reply
/// (`Reply.map(_:)`, also for what comes later), and observe the end of the answer (`Reply.observed(_:)`). It is
/// called on a thread that serves many, so it must not block: what takes time it returns as a `Reply` that comes later.
///
///     struct ServerName: Middleware {
///         func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
///             next(context).map { answer in
///                 var answer = answer
///                 answer.headers.append("Server", "garden")
///                 return answer
///             }
///         }
///     }
///
/// A layer sees every answer as it is sent, since errors within it are problems by then. It refuses a request with
/// ``RequestContext/refused(by:)``. Requests that the server rejects pass through it as well: `Request.refusal`.
public protocol Middleware: Sendable {
    typealias Next = @Sendable (consuming RequestContext) -> Reply

    /// - Parameters:
    ///   - context: consumed, so that it is passed on without a copy.
    ///   - next: what all layers within this one make of the request.
    func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply
}

extension Middleware {
    /// This layer around others. Errors of its own work become problems here, so that the layers around it see them, too.
    func around(_ next: @escaping Next) -> Next {
        { (context: consuming RequestContext) in
            let (errors, fields, isOfAction) = (context.errors, context.decisiveFields, context.isOfAction)
            let answered = reply(to: context, next: next)
            if case .now = answered.content { return answered }
            if answered.isRecovering { return answered }
            return answered.recovering { errors.answer(to: $0, decidedBy: fields, isOfAction: isOfAction) }
        }
    }
}

/// What is known of a request on its way through the layers.
public struct RequestContext: ~Copyable, Sendable {
    public let request: Request
    /// The route of the request; nil where its path cannot be decoded, and in a context that a layer has made.
    public private(set) var route: RequestRoute?
    /// A Boolean value that indicates whether the path of the request is that of an action.
    private(set) var isOfAction: Bool
    let errors: ErrorAnswers
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
        self.init(request, route: nil, .unlogged)
        self.caller = caller
        self.deadline = deadline
        self.decisiveFields = decisiveFields
    }

    init(_ request: Request, route: RequestRoute?, _ errors: ErrorAnswers) {
        clientAddress = request.peer
        self.request = request
        self.route = route
        isOfAction = route?.action != nil
        self.errors = errors
        caller = .nobody
        decisiveFields = []
    }

    /// Adds the route to a context that a layer has made from the request alone.
    mutating func addRoute(_ route: RequestRoute?) {
        self.route = route
        isOfAction = route?.action != nil
    }

    /// Returns a copy, for a layer that passes the request on after other work.
    public func copy() -> RequestContext {
        var copy = RequestContext(request, route: route, errors)
        (copy.caller, copy.clientAddress, copy.deadline, copy.decisiveFields) = (caller, clientAddress, deadline, decisiveFields)
        return copy
    }

    /// Returns the reply of a layer that refuses the request: the problem that the error is, or a bare 500 and a log line where a
    /// client can do nothing about it.
    public func refused(by error: any Error) -> Reply {
        .now(errors.answer(to: error, decidedBy: decisiveFields, isOfAction: isOfAction))
    }

    /// The party that limits per caller count: the one that authentication names, else the address of the client.
    public var limitKey: LimitKey {
        if caller.limitKey != .unknown { return caller.limitKey }
        return clientAddress.map { .address(high: $0.high, low: $0.isIPv4 ? $0.low : 0) } ?? .unknown
    }
}

/// The route of a request.
public struct RequestRoute: Sendable {
    let route: Route
    let path: PathArguments
    let query: Substring?

    /// The pattern of the path, such as `/screens/{screen}/changes`. There are few, so a layer can count requests by them.
    public var template: String { route.path.template }

    /// The name of the screen in the path, whether there is such a screen or not; nil where the pattern has none.
    public var screen: String? { route.path.parts.contains(.screen) ? path.screen : nil }

    /// The name of the action in the path, whether there is such an action or not; nil where the pattern has none.
    public var action: String? { path.action.isEmpty ? nil : path.action }
}
