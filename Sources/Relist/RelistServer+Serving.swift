import Foundation
import HTTPServer
import Logging
import ScreenHTTP
import ScreenService

extension RelistServer {
    /// - Parameters:
    ///   - greet: is called once the server listens.
    ///   - stop: returns the signal to stop, once it has come.
    func serve(
        _ configuration: ServerConfiguration, greeting greet: (Greeting) async -> Void, until stop: () async -> Int32
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
        // Before anything is created.
        _ = try ScreenCatalog(screens ?? [], locales: languages)
        let authentication = try await authentication(as: configuration, logger)
        let context = Context(logger: logger, deadline: configuration.deadline)
        let opened = try await open(configuration.database, context)
        do {
            let catalog = try ScreenCatalog(await opened.screens(), locales: languages)
            try await serve(catalog, on: opened.store, context, http, configuration, authentication, greeting: greet, until: stop)
        } catch {
            await Self.end("the store was not closed", logger) { [store = opened.store] in await store.close() }
            throw error
        }
        await Self.end("the store was not closed", logger) { [store = opened.store] in await store.close() }
    }

    private func serve(
        _ catalog: ScreenCatalog, on store: any ServiceStoring, _ context: Context, _ http: HTTPServer.Configuration,
        _ configuration: ServerConfiguration, _ authentication: (any Authenticating)?, greeting greet: (Greeting) async -> Void,
        until stop: () async -> Int32
    ) async throws {
        let logger = context.logger
        let service = try await ScreenService(
            catalog: catalog, store: store,
            bounds: ScreenService.Bounds(
                viewCacheBytes: configuration.viewCacheBytes, history: configuration.historyBounds, receipts: configuration.receiptBounds,
                following: configuration.followingBounds
            ),
            deadline: .after(configuration.deadline), logger: logger
        )
        let folder = PublicFolders.folder(said: configuration.publicFolder, own: publicFolder)
        if folder == nil { logger.warning("there is no page: relist_RelistPage.resources does not lie beside the program") }
        let serverMetrics = HTTPServer.Metrics()
        let api = ScreenAPI(
            service: service, publicFolder: folder, middleware: layers(configuration, authentication), authentication: authentication,
            serverMetrics: serverMetrics, sharedCacheSeconds: configuration.sharedCacheSeconds, logger: logger
        ) {
            (try? await store.checkReadable()) != nil
        }
        let server = HTTPServer(configuration: http, metrics: serverMetrics, logger: logger, handler: api.reply)
        let address = try server.start()
        let writing = Task { await service.history.run() }
        let counting = Task { await service.countReceipts() }
        let authenticating = Task { await authentication?.run() }
        let working = context.works.start(logger)
        Heap.keepTrimmed()
        await greet(
            Greeting(
                address: address, service: service, caller: authentication == nil ? Self.demo : .nobody, hasPage: folder != nil,
                developmentDatabase: configuration.authentication?.choice == .development ? configuration.database : nil
            )
        )

        let signal = await stop()
        logger.info("stopping", metadata: ["signal": "\(signal)"])
        // Who sends SIGINT is a person, and no balancer looks.
        if signal == SIGTERM, configuration.drain > .zero {
            api.withdraw()
            server.drain()
            try? await Task.sleep(for: configuration.drain)
        }
        api.drain()
        await server.stop(grace: configuration.grace)
        await working.end()
        authenticating.cancel()
        counting.cancel()
        writing.cancel()
        await Self.end("history was not written to its end", logger) {
            await writing.value
            await service.history.flush()
        }
    }

    /// What finds out who asks; nil where everyone is the user `demo`.
    private func authentication(as configuration: ServerConfiguration, _ logger: Logger) async throws -> (any Authenticating)? {
        guard let settings = configuration.authentication else { return nil }
        guard let authentication else { throw NoAuthentication() }
        return try await authentication(settings, logger)
    }

    /// The layers from the outermost to the innermost. Pages of other origins can read refusals, except those of a host that is not allowed.
    private func layers(_ configuration: ServerConfiguration, _ authentication: (any Authenticating)?) -> [any Middleware] {
        var layers: [any Middleware] = []
        if let hosts = configuration.hosts { layers.append(hosts) }
        if !configuration.origins.isEmpty { layers.append(CrossOrigin(allowing: configuration.origins)) }
        if !configuration.proxies.isEmpty { layers.append(ClientAddress(behind: configuration.proxies)) }
        layers.append(authentication?.layer ?? FixedCaller(Self.demo))
        return layers + middleware
    }

    /// Waits for what ends the server, but for what hangs: a transaction that does not end holds all behind it up.
    static func end(
        _ loss: String, _ logger: Logger, within deadline: Deadline = .after(.seconds(3)), _ body: @escaping @Sendable () async -> Void
    ) async {
        do {
            try await deadline.value(of: body) { _ in DeadlineFault.notPerformed }
        } catch {
            logger.warning("\(loss): what runs in the database has not ended in time")
        }
    }

    private static func logger(_ configuration: ServerConfiguration) -> Logger {
        var logger = Logger(label: "relist")
        logger.logLevel = configuration.logLevel
        return logger
    }

    private static func httpConfiguration(_ configuration: ServerConfiguration) -> HTTPServer.Configuration {
        var http = HTTPServer.Configuration()
        http.host = configuration.host
        http.port = configuration.port
        http.maximumBodyBytesInAll = configuration.bodyBytes
        http.callerShare = configuration.followingBounds.callerShare
        return http
    }
}
