import ContentCoding
public import CoreMetrics
public import HTTPServer
public import Logging
public import ScreenService

/// The HTTP API of a screen service.
///
/// It finds the route of a request, runs the middleware, and turns the results of the service into responses. A cached result is sent at
/// once, on the thread that received the request.
public final class ScreenAPI: Sendable {
    let service: ScreenService
    let routes: RouteTable
    private let status: ServiceStatus
    private let errors: ErrorResponder
    private let encoder: ContentEncoder
    /// Creates the record of the requests of one connection, for `HTTPServer`; nil if the API is for operators.
    public let makeRecord: (@Sendable () -> any RequestRecording)?
    private let layers: @Sendable (consuming RequestContext) -> Reply

    /// Creates the API of a service.
    ///
    /// - Parameters:
    ///   - publicFolder: The path of the folder whose files are served. If it is nil, or there is no such folder, no files are served.
    ///   - routes: The routes of the team.
    ///   - middleware: The layers that every request passes through, even a request that is rejected. The first layer is the outermost.
    ///     Without a layer that sets the caller, all callers are anonymous.
    ///   - authentication: The authentication whose condition `/readyz` reports. Its layer must be in `middleware`.
    ///   - metrics: The metrics that `/metrics` returns. The metrics of the service and of the HTTP server are added.
    ///   - backend: The backend in which the instruments of requests are made; nil for `metrics` alone.
    ///   - serverMetrics: The counters of the HTTP server.
    ///   - hasMetrics: A Boolean value that indicates whether there is a route `/metrics`. ``administration(middleware:)`` always has it.
    ///   - observers: The functions that receive each request whose response has ended.
    ///   - sharedCacheSeconds: The number of seconds for which shared caches may use stored responses of screens for everyone. If it is 0,
    ///     shared caches must revalidate a stored response before each use.
    ///   - isDataReady: Returns a Boolean value that indicates whether the data can be read now. `/readyz` uses it.
    ///   - retry: Returns the number of milliseconds that a client waits before it reopens a broken stream. The number is random, so that
    ///     the clients of a server that stops do not all reconnect at the same time.
    public convenience init(
        service: ScreenService, publicFolder: String?, routes own: OwnRoutes = .none, middleware: [any Middleware] = [],
        authentication: (any Authenticating)? = nil, metrics: MetricsRegistry = MetricsRegistry(),
        backend: (any MetricsFactory)? = nil, serverMetrics: HTTPServer.Metrics? = nil, hasMetrics: Bool = true,
        observers: [RequestObserver] = [], sharedCacheSeconds: Int = 0, logger: Logger,
        isDataReady: @escaping @Sendable () async -> Bool = { true },
        retry: @escaping @Sendable () -> Int = { Int.random(in: 1000...5000) }
    ) {
        let encoder = ContentEncoder(byteLimit: service.encodedByteLimit)
        metrics.observe(service, encoder, serverMetrics)
        let status = ServiceStatus(of: service, metrics, authentication: authentication, isDataReady: isDataReady)
        let (catalog, backend) = (service.catalog, backend ?? metrics)
        let (requestMetrics, eventMetrics) = (RequestMetrics(metrics, backend: backend), EventMetrics(metrics, backend: backend))
        let routes = RouteTable(
            ScreenHandlers(service: service, sharedCacheSeconds: sharedCacheSeconds, retry: retry, eventMetrics: eventMetrics), status,
            publicFolder.flatMap { PublicFiles(folder: $0) }, own,
            takesTokens: authentication != nil, hasMetrics: hasMetrics
        )
        self.init(service, routes, status, encoder, ErrorResponder(logger: logger), middleware) {
            RequestRecord(requestMetrics, observers, catalog: catalog)
        }
    }

    private init(
        _ service: ScreenService, _ routes: RouteTable, _ status: ServiceStatus, _ encoder: ContentEncoder, _ errors: ErrorResponder,
        _ middleware: [any Middleware], makeRecord: (@Sendable () -> any RequestRecording)? = nil
    ) {
        (self.service, self.routes, self.status, self.encoder, self.errors) = (service, routes, status, encoder, errors)
        self.makeRecord = makeRecord
        var handler: @Sendable (consuming RequestContext) -> Reply = { (context: consuming RequestContext) in
            routes.reply(to: context, errors)
        }
        for layer in middleware.reversed() { handler = layer.around(handler) }
        layers = handler
    }

    /// Returns an API with only the routes for operators: `/healthz`, `/readyz` and `/metrics`.
    public func administration(middleware: [any Middleware]) -> ScreenAPI {
        let table = RouteTable(routes: RouteTable.operatorRoutes(status, hasMetrics: true), locales: routes.locales)
        return ScreenAPI(service, table, status, encoder, errors, middleware)
    }

    /// Makes `/readyz` report that the server is about to stop. All other requests are served as before.
    public func withdraw() {
        status.withdraw()
    }

    /// Calls `withdraw()`, ends the streams, and responds to the requests that wait for changes. New requests still receive responses.
    public func drain() {
        withdraw()
        service.drain()
    }

    /// Replies to a request. The request passes through the middleware to the handler of its route.
    @Sendable public func reply(to request: consuming Request) -> Reply {
        let route = try? routes.route(of: request)
        let codings = AcceptedCodings(in: request.headers)
        let trace = RequestTrace(request.headers)
        let record = request.record as? RequestRecord
        record?.begin(request, route, trace)
        let reply = layers(RequestContext(request, route: route, codings, errors, trace, record))
        // The fields of the trace differ in each response, so they are added to the coded form, which is cached.
        return trace.applied(to: encoder.encode(reply, for: codings))
    }
}

/// The routes of the API, in the order in which they are compared with a path. The most requested routes come first. The route that
/// matches any path comes last.
struct RouteTable: Sendable {
    let routes: [RouteEntry]
    let locales: [ScreenLocale]

    func route(of request: Request) throws(Problem) -> RequestRoute {
        let target = request.splitTarget
        var path = target.path
        let found = path.withUTF8 { path in Result { () throws(Problem) in try route(of: path) } }
        if let (route, arguments) = try found.get() { return RequestRoute(route: route, path: arguments, query: target.query) }
        throw Problem(kind: .notFound, detail: "There is nothing at this path. The screens are listed at /screens.")
    }

    private func route(of path: UnsafeBufferPointer<UInt8>) throws(Problem) -> (RouteEntry, PathArguments)? {
        for route in routes {
            if let arguments = try route.path.arguments(in: path) { return (route, arguments) }
        }
        return nil
    }

    /// Replies to a request that has passed through all layers. An error of the handler or of its reply is converted into a problem.
    func reply(to context: consuming RequestContext, _ errors: ErrorResponder) -> Reply {
        // A context that a layer has created from the request alone has no route yet.
        if context.matched == nil { context.addRoute(try? route(of: context.request)) }
        context.record?.noteCaller(of: context)
        let (trace, fields, action) = (context.trace, context.varyFields, context.rejectedAction)
        do {
            let reply = try handledReply(to: context)
            if case .now = reply.content { return reply }
            return reply.recovering { errors.answer(to: $0, of: trace, varyingBy: fields, action) }
        } catch {
            return .now(errors.answer(to: error, of: trace, varyingBy: fields, action))
        }
    }

    private func handledReply(to context: consuming RequestContext) throws -> Reply {
        if let refusal = context.request.refusal { throw refusal }
        // If routing has failed, the context has no route. In this case, a second routing throws the same error.
        let route = if let route = context.matched { route } else { try route(of: context.request).route }
        let method = context.request.method
        guard let operation = route.operation(for: method) else { return try route.reply(toOther: method) }
        guard context.codings.isSatisfiable else {
            throw Problem.unacceptableForm("\(ContentCoding.allCases.map(\.rawValue).joined(separator: ", ")) or identity")
        }
        if operation.body != nil, let coding = context.request.headers.list(of: "Content-Encoding"), coding.lowercased() != "identity" {
            let detail = "The body must not be encoded. Send it without Content-Encoding."
            throw Problem(kind: .unsupportedMediaType, detail: detail, isAboutCoding: true)
        }
        let query = Query(context.query, by: operation.query, locales: locales)
        // The faults of a screen's query are thrown later, together with the faults that only the screen can find.
        if case .accepting = operation.query, !query.faults.isEmpty { throw ViewFault.parameters(query.faults) }
        return try operation.handler(RoutedRequest(context: context, query: query))
    }
}
