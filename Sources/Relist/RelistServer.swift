import ArgumentParser
import Foundation
import HTTPServer
public import Logging
public import ScreenHTTP
public import ScreenService
public import ServiceStoreSQLite

/// A complete server of a team's screens.
///
/// ```swift
/// @main struct Garden {
///     static func main() async throws {
///         try await RelistServer(screens: [Planets()]).run()
///     }
/// }
/// ```
///
/// It takes the flags and the variables of the environment that `relist serve` takes, keeps what the service itself keeps
/// in an SQLite file, serves the page, and stops cleanly on SIGTERM and SIGINT. Everyone is the user `demo`.
public struct RelistServer: Sendable {
    /// What a server has that screens may be made with.
    public struct Context: Sendable {
        public let logger: Logger
        /// How long computing a screen may take, and performing an action.
        public let deadline: Duration
    }

    /// Who asks, until there is authentication.
    private static let caller = Caller.user("demo")

    private let prepare: @Sendable (_ path: String, Context) throws -> (any ServiceStoring, [any Screen])
    /// The languages that the screens speak. The first counts when a client states no preference.
    public var languages: [ScreenLocale] = [.english, .french]
    /// The folder of files to serve where no flag says another. Nil takes `Public`, if there is such a folder where the program
    /// runs, and else the page of Relist.
    public var publicFolder: String?
    /// Layers around all that is answered; the first outermost.
    public var middleware: [any Middleware] = []
    /// What runs beside the server from its start on, and is cancelled when it stops. What it throws is logged.
    public var meanwhile: @Sendable () async throws -> Void = {}

    /// A server of screens that need no database, or have their own.
    public init(screens: [any Screen]) {
        self.init(tables: []) { _, _ in screens }
    }

    /// A server of screens that keep their data in the SQLite file of the service, so that an action's receipt commits with what
    /// the action has done.
    ///
    /// - Parameters:
    ///   - tables: the steps to the tables of the screens, always in the same order.
    ///   - screens: makes the screens on the file, which is open.
    public init(
        tables: [SQLiteMigration], screens: @escaping @Sendable (SQLiteServiceStore, Context) throws -> [any Screen]
    ) {
        self.init { path, logger in
            try SQLiteServiceStore.open(path: path, migrations: tables, logger: logger)
        } screens: { store, context in
            try screens(store, context)
        }
    }

    /// A server whose service keeps what it keeps in another store, or in one that is opened in another way.
    ///
    /// - Parameters:
    ///   - open: opens the store. It is given what `--database` says.
    ///   - screens: makes the screens on it.
    public init<Store: ServiceStoring>(
        opening open: @escaping @Sendable (_ path: String, Logger) throws -> Store,
        screens: @escaping @Sendable (Store, Context) throws -> [any Screen]
    ) {
        prepare = { path, context in
            let store = try open(path, context.logger)
            return (store, try screens(store, context))
        }
    }

    /// Serves until the process is told to stop.
    ///
    /// Where the server cannot start, it says why and what to do in one line on standard error, and ends the process with 1;
    /// the same with 64 where a flag is not known.
    public func run() async throws {
        var reader = Command.parseOrExit().options.reader()
        await run(&reader)
    }

    /// The command line of a program that is nothing but a server.
    private struct Command: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: program, abstract: "Serve list screens.",
                discussion: "Each option can also be set in the environment: --log-level as RELIST_LOG_LEVEL, and so on."
            )
        }

        @OptionGroup var options: ServeOptions
    }

    private static var program: String {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "relist"
    }

    /// The same with settings of which some were read already.
    package func run(_ reader: inout SettingReader) async {
        do {
            try await serve(ServerConfiguration(&reader))
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(Self.program): \(StartFault(error))\n".utf8))
            exit(1)
        }
    }
}

// MARK: - Serving

extension RelistServer {
    private func serve(_ configuration: ServerConfiguration) async throws {
        Heap.share()
        let openFiles = OpenFiles.raiseLimit()
        let http = Self.httpConfiguration(configuration)
        guard http.connectionLimit > 0 else { throw HTTPServer.StartError.noConnections }
        let signals = Signals(catching: [SIGTERM, SIGINT])
        let logger = Self.logger(configuration)
        if openFiles < OpenFiles.usualLimit {
            let left = http.connectionLimit
            logger.warning("the limit of \(openFiles) open files leaves \(left) for connections; raise it with ulimit -n")
        }
        let (store, screens) = try prepare(configuration.database, Context(logger: logger, deadline: configuration.deadline))
        let service = try await ScreenService(
            catalog: try ScreenCatalog(screens, locales: languages), store: store,
            bounds: ScreenService.Bounds(viewCacheBytes: configuration.viewCacheBytes, history: configuration.historyBounds),
            deadline: .after(configuration.deadline), logger: logger
        )
        let api = ScreenAPI(
            service: service, publicFolder: PublicFolders.folder(said: configuration.publicFolder, own: publicFolder),
            middleware: [FixedCaller(Self.caller)] + middleware, logger: logger
        ) {
            (try? await store.checkReadable()) != nil
        }
        let server = HTTPServer(configuration: http, logger: logger, handler: api.reply)
        let address = try server.start()
        let writing = Task { await service.history.run() }
        let working = Task { [meanwhile] in await Self.run(meanwhile, logger) }
        Heap.keepTrimmed()
        await Greeting(address: address, service: service, caller: Self.caller).show()

        let signal = await signals.first()
        logger.info("stopping", metadata: ["signal": "\(signal)"])
        // Who sends SIGINT is a person, and no balancer looks.
        if signal == SIGTERM, configuration.drain > .zero {
            api.withdraw()
            server.drain()
            try? await Task.sleep(for: configuration.drain)
        }
        working.cancel()
        api.drain()
        await server.stop(grace: configuration.grace)
        writing.cancel()
        await writing.value
        await service.history.flush()
        await store.close()
    }

    private static func run(_ work: @Sendable () async throws -> Void, _ logger: Logger) async {
        do {
            try await work()
        } catch where !(error is CancellationError) {
            logger.error("what runs beside the server has failed", metadata: ["error": "\(error)"])
        } catch {}
    }

    private static func logger(_ configuration: ServerConfiguration) -> Logger {
        // Not through the system of the process, which is the program's to set up, once.
        var logger = Logger(label: "relist") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = configuration.logLevel
        return logger
    }

    private static func httpConfiguration(_ configuration: ServerConfiguration) -> HTTPServer.Configuration {
        var http = HTTPServer.Configuration()
        http.host = configuration.host
        http.port = configuration.port
        return http
    }
}
