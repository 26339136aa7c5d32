import CAllocator
import ExampleScreens
import Glibc
import HTTPServer
import Logging
import ScreenHTTP
import ScreenService
import Storage
import StorageSQLite

/// Composes the server from its parts and runs it until a signal asks it to stop.
enum Server {
    /// The one user, until there is authentication.
    private static let user = "demo"

    static func run(_ configuration: ServeConfiguration) async throws {
        // What one thread frees can then be used by the others: with heaps of their own the process grows for hours.
        mallopt(M_ARENA_MAX, 2)
        let openFiles = OpenFiles.raiseLimit()
        let http = httpConfiguration(configuration)
        guard http.connectionLimit > 0 else { throw HTTPServer.StartError.noConnections }
        let signals = Signals(catching: [SIGTERM, SIGINT])
        let logger = makeLogger(configuration)
        if openFiles < OpenFiles.usualLimit {
            let left = http.connectionLimit
            logger.warning("the limit of \(openFiles) open files leaves \(left) for connections; raise it with ulimit -n")
        }
        let store = try SQLiteStore.open(path: configuration.database, logger: logger)
        let service = try ScreenService(
            catalog: try ScreenCatalog(
                ExampleScreens.all(
                    store: store, topics: store.topics, postsUpstream: configuration.postsUpstream,
                    // Shown in time, with what there is.
                    patience: min(.seconds(2), configuration.deadline / 2), logger: logger
                )
            ),
            store: store,
            bounds: ScreenService.Bounds(viewCacheBytes: configuration.viewCacheBytes, history: configuration.historyBounds),
            deadline: .after(configuration.deadline), logger: logger
        )
        let api = ScreenAPI(service: service, user: user, publicFolder: configuration.publicFolder, logger: logger) {
            // Of pages that are there, so that a file which was cut short is noticed.
            (try? await store.read { try $0.contractNames() }) != nil
        }
        let server = HTTPServer(configuration: http, logger: logger, problem: ScreenAPI.problem, handler: api.reply)
        let address = try server.start()
        let writing = Task { await service.history.run() }
        await Greeting(address: address, service: service, user: user).show()

        let signal = await signals.first()
        logger.info("stopping", metadata: ["signal": "\(signal)"])
        // Who sends SIGINT is a person, and no balancer looks.
        if signal == SIGTERM, configuration.drain > .zero {
            api.withdraw()
            server.drain()
            try? await Task.sleep(for: configuration.drain)
        }
        api.drain()
        await server.stop(grace: configuration.grace)
        writing.cancel()
        await writing.value
        await service.history.flush()
        await store.close()
    }

    private static func makeLogger(_ configuration: ServeConfiguration) -> Logger {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var logger = Logger(label: "relist")
        logger.logLevel = configuration.logLevel
        return logger
    }

    private static func httpConfiguration(_ configuration: ServeConfiguration) -> HTTPServer.Configuration {
        var http = HTTPServer.Configuration()
        http.host = configuration.host
        http.port = configuration.port
        return http
    }
}
