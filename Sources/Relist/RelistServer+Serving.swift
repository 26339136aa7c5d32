import CoreMetrics
import Foundation
import HTTPServer
import Logging
import RelistPage
import ScreenHTTP
import ScreenService

extension RelistServer {
    /// Serves until `stop` returns.
    ///
    /// - Parameters:
    ///   - manager: passes the socket to serve, if there is one, and is notified.
    ///   - greet: shows the greeting. It is called as soon as the server listens.
    ///   - stop: waits for the signal to stop, and returns the signal.
    func serve(
        _ configuration: ServerConfiguration, under manager: ServiceManager = .absent, greeting greet: (Greeting) async -> Void,
        until stop: () async -> Int32
    ) async throws {
        Heap.share()
        let openFiles = OpenFiles.raiseLimit()
        let http = Self.httpConfiguration(configuration)
        guard http.connectionLimit > 0 else { throw HTTPServer.StartError.noConnections }
        let logger = Self.logger(configuration)
        if openFiles < OpenFiles.usualLimit {
            let left = http.connectionLimit
            logger.warning("the limit of \(openFiles) open files leaves \(left) for connections; raise it with ulimit -n")
        }
        manager.notify("STATUS=Opening the database")
        try await prepared(configuration, logger) { try await serve($0, http, configuration, under: manager, greeting: greet, until: stop) }
    }

    /// The parts of a server that can start.
    private struct Prepared {
        let catalog: ScreenCatalog
        let store: any ServiceStoring
        let context: Context
        let metrics: MetricsRegistry
        /// The path of the folder of files, if there is one.
        let folder: String?
        let routes: OwnRoutes
        let authentication: (any Authenticating)?
        let accessLog: AccessLog?
    }

    /// Opens the parts of the server, calls `body` with them, and closes the store.
    private func prepared<Value>(
        _ configuration: ServerConfiguration, _ logger: Logger, _ body: (Prepared) async throws -> Value
    ) async throws -> Value {
        // Invalid screens and routes are reported before anything is created.
        _ = try checkedBeforeOpening(configuration)
        let authentication = try await authentication(as: configuration, logger)
        let registry = MetricsRegistry()
        let backend: any MetricsFactory = metrics.map { MultiplexMetricsHandler(factories: [registry, $0]) } ?? registry
        let context = Context(logger: logger, deadline: configuration.deadline, metrics: backend)
        let opened = try await open(configuration.database, context)
        let result = await Result {
            let (catalog, routes) = try await parts(of: opened, configuration, context)
            let accessLog = try await AccessLog.open(configuration.accessLog, hashingBy: opened.store, logger)
            return try await body(
                Prepared(
                    catalog: catalog, store: opened.store, context: context, metrics: registry, folder: folder(of: configuration),
                    routes: routes, authentication: authentication, accessLog: accessLog
                )
            )
        }
        await Self.waitBriefly(for: "closing the store", logger) { [store = opened.store] in await store.close() }
        return try result.get()
    }

    /// Checks the screens and routes that are known before the store is opened.
    func checkedBeforeOpening(_ configuration: ServerConfiguration) throws -> ScreenCatalog {
        _ = try OwnRoutes(routes, beside: folder(of: configuration))
        return try ScreenCatalog(screens ?? [], locales: languages)
    }

    /// Makes the screens and the routes with an open store, and checks them.
    func parts(
        of opened: Opened, _ configuration: ServerConfiguration, _ context: Context
    ) async throws -> (catalog: ScreenCatalog, routes: OwnRoutes) {
        let catalog = try ScreenCatalog(await opened.screens(), locales: languages)
        return (catalog, try OwnRoutes(routes + context.routes.all, beside: folder(of: configuration)))
    }

    private func serve(
        _ prepared: Prepared, _ http: HTTPServer.Configuration, _ configuration: ServerConfiguration, under manager: ServiceManager,
        greeting greet: (Greeting) async -> Void, until stop: () async -> Int32
    ) async throws {
        let (context, authentication) = (prepared.context, prepared.authentication)
        let logger = context.logger
        let service = try await makeService(of: prepared, configuration)
        let serverMetrics = HTTPServer.Metrics()
        let api = makeAPI(of: prepared, service, configuration, serverMetrics)
        let server = HTTPServer(
            configuration: http, metrics: serverMetrics, logger: logger, makeRecord: api.makeRecord, handler: api.reply
        )
        let address = try server.start(on: manager.socket)
        let administration = try startAdministration(of: api, configuration, logger)
        let forwarding = Task { await forwardMetrics(of: prepared.metrics) }
        let writing = Task { await service.history.run() }
        let counting = Task { await service.countReceipts() }
        let authenticating = Task { await authentication?.run() }
        let background = context.backgroundTasks.start(logger)
        Heap.keepTrimmed()
        let watchdog = manager.reportServing(server, on: address, logger)
        await greet(
            Greeting(
                address: address, administration: administration?.address, service: service,
                caller: authentication == nil ? Self.demo : .anonymous, hasPage: prepared.folder != nil,
                development: configuration.authentication?.choice == .development ? development(configuration.database) : nil
            )
        )

        await endRequests(on: server, of: api, after: await stop(), configuration, manager, logger)
        manager.notify("STATUS=Writing what is in memory")
        await administration?.server.stop(grace: .zero)
        forwarding.cancel()
        if let accessLog = prepared.accessLog { await Self.waitBriefly(for: "writing the access log", logger, accessLog.flush) }
        for task in background { task.cancel() }
        await Self.waitBriefly(for: "background tasks", logger, deadline: .after(.seconds(5))) {
            for task in background { await task.value }
        }
        authenticating.cancel()
        counting.cancel()
        writing.cancel()
        await Self.waitBriefly(for: "writing history", logger) {
            await writing.value
            await service.history.flush()
        }
        watchdog.cancel()
    }

    private func makeService(of prepared: Prepared, _ configuration: ServerConfiguration) async throws -> ScreenService {
        try await ScreenService(
            catalog: prepared.catalog, store: prepared.store,
            bounds: ScreenService.Bounds(
                viewCacheBytes: configuration.viewCacheBytes, history: configuration.historyBounds, receipts: configuration.receiptBounds,
                following: configuration.followingBounds
            ),
            deadline: .after(configuration.deadline), logger: prepared.context.logger, metrics: prepared.context.metrics
        )
    }

    private func makeAPI(
        of prepared: Prepared, _ service: ScreenService, _ configuration: ServerConfiguration, _ serverMetrics: HTTPServer.Metrics
    ) -> ScreenAPI {
        let (store, logger, authentication) = (prepared.store, prepared.context.logger, prepared.authentication)
        if prepared.folder == nil { logger.warning("\(Self.missingPage)") }
        prepared.metrics.observeProcess(build: Build.labels)
        return ScreenAPI(
            service: service, publicFolder: prepared.folder, routes: prepared.routes, middleware: layers(configuration, authentication),
            authentication: authentication, metrics: prepared.metrics, backend: prepared.context.metrics, serverMetrics: serverMetrics,
            hasMetrics: configuration.hasPublicMetrics, observers: [prepared.accessLog?.add].compactMap(\.self),
            sharedCacheSeconds: configuration.sharedCacheSeconds, logger: logger
        ) {
            (try? await store.checkReadable()) != nil
        }
    }

    /// Ends all requests and stops the server, after a signal.
    private func endRequests(
        on server: HTTPServer, of api: ScreenAPI, after signal: Int32, _ configuration: ServerConfiguration, _ manager: ServiceManager,
        _ logger: Logger
    ) async {
        logger.info("stopping", metadata: ["signal": "\(signal)"])
        manager.notify("STOPPING=1", "STATUS=Answering requests while balancers turn to other servers")
        // After SIGTERM, the server keeps serving for some time, so that a load balancer can notice that the server is no longer ready.
        // After SIGINT, which a person sends, this time is not needed.
        if signal == SIGTERM, configuration.drain > .zero {
            api.withdraw()
            server.drain()
            try? await Task.sleep(for: configuration.drain)
        }
        manager.notify("STATUS=Ending responses in progress")
        api.drain()
        await server.stop(grace: configuration.grace)
    }

    private func development(_ database: String) -> Greeting.Development {
        Greeting.Development(database: database, tokenCommand: tokenCommand, user: developmentUsers.first)
    }

    /// Opens the authentication of callers. Returns `nil` if every caller is the user `demo`.
    func authentication(as configuration: ServerConfiguration, _ logger: Logger) async throws -> (any Authenticating)? {
        guard var settings = configuration.authentication else { return nil }
        guard let authentication else { throw NoAuthentication() }
        settings.developmentUsers = developmentUsers
        return try await authentication(settings, logger)
    }

    /// Returns the middleware, the outermost first. Only the layer that checks the host comes before ``CrossOrigin``. So pages of other
    /// origins can read the response even if a later layer rejects the request.
    private func layers(_ configuration: ServerConfiguration, _ authentication: (any Authenticating)?) -> [any Middleware] {
        var layers: [any Middleware] = []
        if let hosts = configuration.hosts { layers.append(hosts) }
        if !configuration.origins.isEmpty { layers.append(CrossOrigin(allowing: configuration.origins)) }
        if !configuration.proxies.isEmpty { layers.append(ClientAddress(behind: configuration.proxies)) }
        let limits = CallerLimits(configuration.callerBounds, patience: configuration.deadline)
        if authentication != nil { layers.append(limits.beforeAuthentication) }
        layers.append(authentication?.layer ?? FixedCaller(Self.demo))
        // A team's middleware may set the caller.
        return layers + middleware + [limits.afterAuthentication]
    }

    /// Waits for the end of an operation, but not longer than the deadline. Otherwise a transaction that hangs would keep the
    /// server from stopping.
    static func waitBriefly(
        for operation: String, _ logger: Logger, deadline: Deadline = .after(.seconds(3)), _ body: @escaping @Sendable () async -> Void
    ) async {
        do {
            try await deadline.value(of: body) { _ in DeadlineFault.notPerformed }
        } catch {
            logger.warning("\(operation) did not end in time")
        }
    }

    /// The path of the folder of files, or `nil` if there is none.
    func folder(of configuration: ServerConfiguration) -> String? {
        configuration.publicFolder ?? publicFolder ?? Self.defaultPublicFolder
    }

    static let missingPage = "the page is missing: relist_RelistPage.resources is not beside the program"

    /// The folder of files if no folder is configured: `Public` in the working directory, or the page of Relist if there is no
    /// such folder.
    private static var defaultPublicFolder: String? { isFolder("Public") ? "Public" : Page.folder }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    static func logger(_ configuration: ServerConfiguration) -> Logger {
        var logger = configuration.logFormat.logger
        logger.logLevel = configuration.logLevel
        return logger
    }

    private static func httpConfiguration(_ configuration: ServerConfiguration) -> HTTPServer.Configuration {
        var http = HTTPServer.Configuration()
        http.host = configuration.host
        http.port = configuration.port
        http.maximumBodyBytesInAll = configuration.bodyBytes
        http.callerShare = configuration.followingBounds.callerShare
        http.connectionsPerCaller = configuration.callerConnections
        let proxies = configuration.proxies
        http.isProxy = { peer in proxies.contains { $0.contains(peer) } }
        return http
    }
}
