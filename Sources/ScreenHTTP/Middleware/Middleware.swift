public import HTTPServer
public import ScreenService

/// A layer around the handling of requests.
///
/// A layer can reply itself, or pass the request to the inner layers with a changed context. It can change the response with
/// `Reply.map(_:)`, even a response that is computed later, and observe the end of the response with `Reply.observed(_:)`. It is called on
/// an event loop thread, so it must not block. For slow work it returns a `Reply` whose response is computed later in a task.
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
/// Errors of inner layers have already been converted into problems, so a layer always receives a response from them. A layer rejects a
/// request with ``RequestContext/rejected(by:)``. Requests that the server itself rejects also pass through the layers (see
/// `Request.refusal`).
public protocol Middleware: Sendable {
    typealias Next = @Sendable (consuming RequestContext) -> Reply

    /// Replies to a request. `next` passes a request to the inner layers and returns their reply. `context` is consuming to avoid copies.
    func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply
}

extension Middleware {
    /// Returns a function that passes a request through this layer and afterwards through the inner layers. If the response is computed
    /// later and the computation fails, the error is converted into a problem, so that outer layers receive a response.
    func around(_ next: @escaping Next) -> Next {
        { (context: consuming RequestContext) in
            let (errors, trace, fields, action) = (context.errors, context.trace, context.varyFields, context.rejectedAction)
            let answered = reply(to: context, next: next)
            if case .now = answered.content { return answered }
            if answered.isRecovering { return answered }
            return answered.recovering { errors.answer(to: $0, of: trace, varyingBy: fields, action) }
        }
    }
}

/// A request that passes through the layers, with its route, its caller and other properties that layers can set.
public struct RequestContext: ~Copyable, Sendable {
    public let request: Request
    // The route is stored in three properties, because a copy of a `RequestRoute` would retain each of its parts.
    private(set) var matched: RouteEntry?
    private(set) var path = PathArguments()
    private(set) var query: Substring?
    /// The content codings that the client accepts.
    let codings: AcceptedCodings
    let errors: ErrorResponder
    /// The ids of the request.
    public let trace: RequestTrace
    /// The record of the request; nil if the request comes from no connection.
    let record: RequestRecord?
    public var caller: Caller
    /// The address of the client. It is the address of the connection's peer, unless a layer has found the client behind a proxy.
    public var clientAddress: NetworkAddress?
    /// The deadline of the request; nil if only the limits of the service apply. An action must have been performed before this time, and a
    /// request for a screen waits at most until this time.
    ///
    /// The deadline does not end the computation of a screen, because several callers may share the computation. It does not apply to
    /// streams and to requests that wait for changes.
    public var deadline: Deadline?
    /// The names of request fields that affect the response in addition to the fields of content negotiation. The names are sent in
    /// `Vary` (RFC 9110, section 12.5.5), except in responses that are streams.
    public var varyFields: [String]

    /// Creates the context of a request, without a route.
    public init(_ request: Request, caller: Caller = .anonymous) {
        let record = request.record as? RequestRecord
        let trace = record?.trace ?? .current ?? RequestTrace(request.headers)
        self.init(request, route: nil, AcceptedCodings(in: request.headers), .unlogged, trace, record)
        self.caller = caller
    }

    init(
        _ request: Request, route: RequestRoute?, _ codings: AcceptedCodings, _ errors: ErrorResponder, _ trace: RequestTrace,
        _ record: RequestRecord?
    ) {
        clientAddress = request.peer
        self.request = request
        self.codings = codings
        self.errors = errors
        self.trace = trace
        self.record = record
        caller = .anonymous
        varyFields = []
        addRoute(route)
    }

    mutating func addRoute(_ route: RequestRoute?) {
        guard let route else { return }
        (matched, path, query) = (route.route, route.path, route.query)
    }

    /// The route of the request; nil if the path cannot be decoded, or if a layer has created the context from the request alone.
    public var route: RequestRoute? {
        guard let matched else { return nil }
        return RequestRoute(route: matched, path: path, query: query)
    }

    /// A Boolean value that indicates whether the path of the request is the path of an action.
    var isOfAction: Bool { matched?.isOfAction ?? false }

    var rejectedAction: RejectedAction {
        guard isOfAction else { return .none }
        return request.headers[IdempotencyKey.field] == nil ? .notPerformed : .perhapsPerformedBefore
    }

    /// Returns a copy of the context, for a layer that passes the request on after asynchronous work.
    public func copy() -> RequestContext {
        var copy = RequestContext(request, route: route, codings, errors, trace, record)
        (copy.caller, copy.clientAddress, copy.deadline, copy.varyFields) = (caller, clientAddress, deadline, varyFields)
        return copy
    }

    /// Returns the reply of a layer that rejects the request because of an error. The response is a problem document that describes the
    /// error. If a client can do nothing about the error, the error is logged, and the response is a 500 without detail.
    public func rejected(by error: any Error) -> Reply {
        .now(rejection(by: error))
    }

    /// Returns the response of a layer that rejects the request because of an error.
    func rejection(by error: any Error) -> Answer {
        record?.noteCaller(of: self)
        return errors.answer(to: error, of: trace, varyingBy: varyFields, rejectedAction)
    }

    /// The key that identifies the caller for the limits per caller: the verified user, or else the address of the client.
    public var limitKey: LimitKey {
        caller.limitKey.isUnknown ? LimitKey(of: clientAddress) : caller.limitKey
    }
}
