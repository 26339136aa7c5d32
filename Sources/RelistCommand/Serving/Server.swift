import CAllocator
import Dispatch
import ExampleStoresSQLite
import Glibc
import HTTPServer
import Logging
import ScreenHTTP
import ScreenService
import ServiceStoreSQLite

/// The server, composed from its parts, until a signal asks it to stop.
enum Server {
    /// Who asks, until there is authentication.
    private static let caller = Caller.user("demo")

    static func run(_ configuration: ServeConfiguration) async throws {
        Heap.share()
        let openFiles = OpenFiles.raiseLimit()
        let http = httpConfiguration(configuration)
        guard http.connectionLimit > 0 else { throw HTTPServer.StartError.noConnections }
        let signals = Signals(catching: [SIGTERM, SIGINT])
        let logger = makeLogger(configuration)
        if openFiles < OpenFiles.usualLimit {
            let left = http.connectionLimit
            logger.warning("the limit of \(openFiles) open files leaves \(left) for connections; raise it with ulimit -n")
        }
        let store = try SQLiteServiceStore.open(path: configuration.database, tables: Example.all.compactMap(\.tables), logger: logger)
        let parts = Example.Parts(
            topics: store.topics, postsUpstream: configuration.postsUpstream,
            // Shown in time, with what there is.
            patience: min(.seconds(2), configuration.deadline / 2), logger: logger
        )
        let service = try await ScreenService(
            catalog: try ScreenCatalog(Example.all.map { $0.screen(store, parts) }), store: store,
            bounds: ScreenService.Bounds(viewCacheBytes: configuration.viewCacheBytes, history: configuration.historyBounds),
            deadline: .after(configuration.deadline), logger: logger
        )
        let api = ScreenAPI(
            service: service, publicFolder: configuration.publicFolder, middleware: [FixedCaller(caller)], logger: logger
        ) {
            (try? await store.checkReadable()) != nil
        }
        let server = HTTPServer(configuration: http, logger: logger, handler: api.reply)
        let address = try server.start()
        let writing = Task { await service.history.run() }
        Heap.keepTrimmed()
        await Greeting(address: address, service: service, caller: caller).show()

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

/// The memory of the process, as the allocator has it from the system.
enum Heap {
    /// In seconds.
    private static let trimInterval = 30.0
    /// How many times as long as it takes it stays away: whoever allocates has to wait, and with gigabytes that are in
    /// pieces it takes 100 ms.
    private static let trimRarity = 1000.0
    /// To have a thread for that which serves nobody.
    private static let queue = DispatchQueue(label: "heap")

    /// Has threads use what others free: with heaps of their own the process grows for hours.
    static func share() {
        mallopt(M_ARENA_MAX, 2)
    }

    /// Gives back what nobody uses every so often, for as long as the process runs. By itself the allocator does so at the
    /// end of the heap alone, where some small thing always lies after a large screen.
    static func keepTrimmed(after pause: Double = trimInterval) {
        queue.asyncAfter(deadline: .now() + pause) {
            let duration = ContinuousClock().measure { malloc_trim(0) } / .seconds(1)
            keepTrimmed(after: max(trimInterval, duration * trimRarity))
        }
    }
}

/// How many files the process may have open: each connection is one.
enum OpenFiles {
    /// What systems let a process have that asks for nothing.
    static let usualLimit = 1024

    /// Raises the limit as far as the system lets the process do it by itself. Returns what it is then.
    static func raiseLimit() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        getrlimit(resource, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        getrlimit(resource, &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
