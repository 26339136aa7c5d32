public import HTTPServer
public import Logging
public import ScreenService

/// The protocol over HTTP: finds the route, reads the request, and sends what the service answers.
///
/// What the service has at hand is answered at once, on the thread that asked; everything else later.
public final class ScreenAPI: Sendable {
    let service: ScreenService
    let routes: RouteTable
    private let status: ServiceStatus
    private let errors: ErrorAnswers
    private let layers: @Sendable (consuming RequestContext) -> Reply

    /// - Parameters:
    ///   - publicFolder: the files to serve; none if nil or if there is no such folder.
    ///   - middleware: layers around all that is answered, problems and refusals too; the first outermost.
    ///     Without one that says who asks nobody is known to.
    ///   - authentication: what finds out who asks, so that it is told of; its layer is one of those.
    ///   - serverMetrics: the counts of the server that asks, for `/metrics`.
    ///   - sharedCacheSeconds: for how long caches that serve many may keep what screens for everyone show.
    ///   - isDataReady: whether data can be read now.
    ///   - retry: gives the milliseconds after which a client that loses its stream shall come back. They are random, so that
    ///     the clients of a server that stops do not come back all at once.
    public init(
        service: ScreenService, publicFolder: String?, middleware: [any Middleware] = [],
        authentication: (any Authenticating)? = nil, serverMetrics: HTTPServer.Metrics? = nil, sharedCacheSeconds: Int = 0,
        logger: Logger,
        isDataReady: @escaping @Sendable () async -> Bool = { true },
        retry: @escaping @Sendable () -> Int = { Int.random(in: 1000...5000) }
    ) {
        self.service = service
        status = ServiceStatus(of: service, on: serverMetrics, authentication: authentication, isDataReady: isDataReady)
        let routes = RouteTable(
            ScreenHandlers(service: service, sharedCaching: SharedCaching(seconds: sharedCacheSeconds), retry: retry), status,
            publicFolder.flatMap { PublicFiles(folder: $0) },
            takesTokens: authentication != nil
        )
        let errors = ErrorAnswers(logger: logger)
        self.errors = errors
        var within: @Sendable (consuming RequestContext) -> Reply = { (context: consuming RequestContext) in
            routes.reply(to: context, errors)
        }
        for layer in middleware.reversed() { within = layer.around(within) }
        layers = within
        self.routes = routes
    }

    /// Says that the server is about to stop: it is no longer ready, but goes on as before.
    public func withdraw() {
        status.withdraw()
    }

    /// Says that the server stops: it is no longer ready, ends its streams and answers who waits, but answers
    /// what still comes.
    public func drain() {
        withdraw()
        service.drain()
    }

    /// Answers a request: its route and its caller come first, then its body, where they have a use for it.
    @Sendable public func reply(to request: consuming Request) -> Reply {
        let route = try? routes.route(of: request)
        return layers(RequestContext(request, route: route, errors))
    }
}
