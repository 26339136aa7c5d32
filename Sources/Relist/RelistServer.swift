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
        let works = Works()

        /// For tests of what makes the screens: nothing runs beside it.
        public init(logger: Logger, deadline: Duration = .seconds(10)) {
            (self.logger, self.deadline) = (logger, deadline)
        }

        /// Has something run beside the server, from its start until it has stopped; then it is cancelled. What it throws is
        /// logged. Call it while the screens are made: later it does nothing.
        public func whileServing(_ work: @escaping @Sendable () async throws -> Void) {
            works.add(work)
        }
    }

    /// Who asks, until there is authentication.
    private static let caller = Caller.user("demo")

    /// Nil where the screens are made on a store.
    private let screens: [any Screen]?
    private let open: @Sendable (_ path: String, Context) async throws -> Opened
    /// The languages that the screens speak. The first counts when a client states no preference.
    public var languages: [ScreenLocale] = [.english]
    /// The folder of files to serve where no flag says another. Nil takes `Public`, if there is such a folder where the program
    /// runs, and else the page of Relist.
    public var publicFolder: String?
    /// Layers around all that is answered, within the one that says who asks; the first outermost.
    public var middleware: [any Middleware] = []

    /// A server of screens that need no database, or have their own.
    public init(screens: [any Screen]) {
        self.screens = screens
        open = { path, context in
            Opened(store: try SQLiteServiceStore.open(path: path, logger: context.logger)) { screens }
        }
    }

    /// A server of screens that keep their data in the SQLite file of the service, so that an action's receipt commits with what
    /// the action has done.
    ///
    /// - Parameters:
    ///   - tables: the steps to the tables of the screens, always in the same order.
    ///   - screens: makes the screens on the file, which is open.
    public init(
        tables: [SQLiteMigration],
        screens: @escaping @Sendable (SQLiteServiceStore, Context) async throws -> [any Screen]
    ) {
        self.init(
            opening: { path, logger in try SQLiteServiceStore.open(path: path, migrations: tables, logger: logger) }, screens: screens
        )
    }

    /// A server whose service keeps what it keeps in another store, or in one that is opened in another way.
    ///
    /// - Parameters:
    ///   - open: opens the store. It is given what `--database` says.
    ///   - screens: makes the screens on it.
    public init<Store: ServiceStoring>(
        opening open: @escaping @Sendable (_ path: String, Logger) async throws -> Store,
        screens: @escaping @Sendable (Store, Context) async throws -> [any Screen]
    ) {
        self.screens = nil
        self.open = { path, context in
            let store = try await open(path, context.logger)
            return Opened(store: store) { try await screens(store, context) }
        }
    }

    /// A store that is open, and what makes the screens on it.
    private struct Opened {
        let store: any ServiceStoring
        let screens: () async throws -> [any Screen]
    }

    /// Serves until the process is told to stop.
    ///
    /// Where the server cannot start, it says why and what to do on standard error, and ends the process with 1; with 64
    /// where a flag is not known.
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
        // Before anything is created.
        _ = try ScreenCatalog(screens ?? [], locales: languages)
        let context = Context(logger: logger, deadline: configuration.deadline)
        let opened = try await open(configuration.database, context)
        do {
            let catalog = try ScreenCatalog(await opened.screens(), locales: languages)
            try await serve(catalog, on: opened.store, context, http, configuration, until: signals)
        } catch {
            await Self.end("the store was not closed", logger) { [store = opened.store] in await store.close() }
            throw error
        }
        await Self.end("the store was not closed", logger) { [store = opened.store] in await store.close() }
    }

    private func serve(
        _ catalog: ScreenCatalog, on store: any ServiceStoring, _ context: Context, _ http: HTTPServer.Configuration,
        _ configuration: ServerConfiguration, until signals: Signals
    ) async throws {
        let logger = context.logger
        let service = try await ScreenService(
            catalog: catalog, store: store,
            bounds: ScreenService.Bounds(viewCacheBytes: configuration.viewCacheBytes, history: configuration.historyBounds),
            deadline: .after(configuration.deadline), logger: logger
        )
        let folder = PublicFolders.folder(said: configuration.publicFolder, own: publicFolder)
        if folder == nil { logger.warning("there is no page: relist_RelistPage.resources does not lie beside the program") }
        let api = ScreenAPI(
            service: service, publicFolder: folder, middleware: [FixedCaller(Self.caller)] + middleware, logger: logger
        ) {
            (try? await store.checkReadable()) != nil
        }
        let server = HTTPServer(configuration: http, logger: logger, handler: api.reply)
        let address = try server.start()
        let writing = Task { await service.history.run() }
        let working = context.works.start(logger)
        Heap.keepTrimmed()
        await Greeting(address: address, service: service, caller: Self.caller, hasPage: folder != nil).show()

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
        await working.end()
        writing.cancel()
        await Self.end("history was not written to its end", logger) {
            await writing.value
            await service.history.flush()
        }
    }

    /// Waits for what ends the server, but for what hangs: a transaction that does not end holds all behind it up.
    static func end(
        _ loss: String, _ logger: Logger, within deadline: Deadline = .after(.seconds(5)), _ body: @escaping @Sendable () async -> Void
    ) async {
        do {
            try await deadline.value(of: body) { _ in DeadlineFault.notPerformed }
        } catch {
            logger.warning("\(loss): what runs in the database does not end")
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
        return http
    }
}
