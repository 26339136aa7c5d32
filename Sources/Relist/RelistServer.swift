import ArgumentParser
public import CoreMetrics
import Foundation
import HTTPServer
public import Logging
public import RelistSQLite
public import ScreenHTTP
public import ScreenService
import Synchronization

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
/// The server takes the flags and environment variables of `relist serve`. It stores the data of the service in an SQLite file,
/// serves the page, and stops cleanly on SIGTERM and SIGINT. Every caller is the user `demo` unless ``authentication`` is set.
public struct RelistServer: Sendable {
    /// The parts of a server that are available to code that makes screens.
    public struct Context: Sendable {
        public let logger: Logger
        /// The maximum duration of computing a screen or performing an action.
        public let deadline: Duration
        /// The backend for instruments of the team, such as `Counter(label: "orders_total", factory: context.metrics)`. Their numbers
        /// are shown at `/metrics` and sent to ``RelistServer/metrics``.
        public let metrics: any MetricsFactory
        let backgroundTasks = BackgroundTasks()
        let routes = AddedRoutes()

        /// Creates a context for tests of code that makes screens. The context does not start background work.
        public init(
            logger: Logger, deadline: Duration = .seconds(10), metrics: any MetricsFactory = NOOPMetricsHandler.instance
        ) {
            (self.logger, self.deadline, self.metrics) = (logger, deadline, metrics)
        }

        /// Adds work that runs in the background while the server runs. The work is cancelled when the server has stopped, and
        /// its errors are logged.
        ///
        /// Call this function while the screens are made. A later call has no effect.
        public func whileServing(_ work: @escaping @Sendable () async throws -> Void) {
            backgroundTasks.add(work)
        }

        /// Adds routes that need the store, like those of ``RelistServer/routes``.
        ///
        /// Call this function while the screens are made. A later call has no effect.
        public func serve(_ routes: Route...) {
            self.routes.add(routes)
        }
    }

    /// The caller of every request of a server without authentication.
    static let demo = Caller.user("demo")

    /// The screens, or `nil` if they are made after the store is opened.
    let screens: [any Screen]?
    let open: @Sendable (_ path: String, Context) async throws -> Opened
    /// A function that checks the database without changing it; `nil` if the team has passed none.
    let checkStore: (@Sendable (_ path: String, Context) async throws -> Checked)?
    /// A Boolean value that indicates whether `open` uses the path of `--database`.
    let takesDatabase: Bool
    /// The languages of the screens. The first language applies if a client states no preference.
    public var languages: [ScreenLocale] = [.english]
    /// The folder of files to serve, unless a flag names another folder.
    ///
    /// If the value is `nil`, the server serves the folder `Public` in the working directory. Without such a folder, it serves
    /// the page of Relist.
    public var publicFolder: String?
    /// The routes of the team, in addition to those of Relist. A route that conflicts with another one is reported at the start. Routes that
    /// need the store are added with ``Context/serve(_:)``.
    public var routes: [Route] = []
    /// Middleware that receives requests after the authentication. The first element receives a request first.
    public var middleware: [any Middleware] = []

    /// A backend of swift-metrics that receives all metrics of the server, in addition to `/metrics`. For the backend of the whole program,
    /// set it to `MetricsSystem.factory`.
    public var metrics: (any MetricsFactory)?

    /// A function that creates the authentication if `--authentication` has a value other than `demo`. With `nil`, the program accepts no
    /// tokens.
    ///
    /// Set it to `TokenAuthentication.open` of the product `RelistTokens`.
    public var authentication: (@Sendable (AuthenticationSettings, Logger) async throws -> any Authenticating)?
    /// The users that the page offers to sign in as, with `--authentication development`: by default alice, bob and demo. Anyone who
    /// reaches such a server can act as any user, with any claims.
    public var developmentUsers: [DevelopmentUser] = DevelopmentUser.examples
    /// The command line that signs a development token, such as `garden token`. The greeting shows it, so set it only if the program has
    /// the command `TokenCommand` of the product `RelistTokens`.
    public var tokenCommand: String?

    /// Creates a server of screens that need no database, or that use a database of their own.
    public init(screens: [any Screen]) {
        self.init(takesDatabase: true, knownScreens: screens, opening: Self.opening([]), checking: Self.checking([])) { _, _ in screens }
    }

    /// Creates a server of screens that store their data in the SQLite file of the service. So an action and its receipt are committed
    /// together.
    ///
    /// - Parameters:
    ///   - tables: the migrations that create the tables of the screens, always in the same order.
    ///   - screens: makes the screens, with the opened file as their store.
    public init(
        tables: [SQLiteMigration],
        screens: @escaping @Sendable (SQLiteServiceStore, Context) async throws -> [any Screen]
    ) {
        self.init(opening: Self.opening(tables), checking: Self.checking(tables), screens: screens)
    }

    private static func opening(_ tables: [SQLiteMigration]) -> @Sendable (String, Logger) async throws -> SQLiteServiceStore {
        { path, logger in
            try DatabaseURL.refuse(path)
            return try SQLiteServiceStore.open(path: path, migrations: tables, logger: logger)
        }
    }

    private static func checking(_ tables: [SQLiteMigration]) -> @Sendable (String, Logger) async throws -> StoreCheck<SQLiteServiceStore> {
        { path, logger in
            try DatabaseURL.refuse(path)
            return SQLiteServiceStore.check(path: path, migrations: tables, logger: logger)
        }
    }

    /// Creates a server with a service store that `open` opens, such as a PostgreSQL database.
    ///
    /// - Parameters:
    ///   - open: opens the store. The argument `path` is the value of `--database`.
    ///   - check: checks the database without changing it, for ``check(with:)``.
    ///   - screens: makes the screens with the opened store, or with the store of a check.
    public init<Store: ServiceStoring>(
        opening open: @escaping @Sendable (_ path: String, Logger) async throws -> Store,
        checking check: (@Sendable (_ path: String, Logger) async throws -> StoreCheck<Store>)? = nil,
        screens: @escaping @Sendable (Store, Context) async throws -> [any Screen]
    ) {
        self.init(takesDatabase: true, opening: open, checking: check, screens: screens)
    }

    /// Creates a server whose service store is in a database that the program opens itself, as with `SQLiteServiceStore.open(in:)`.
    /// The server rejects `--database`, which would have no effect.
    ///
    /// - Parameters:
    ///   - open: opens the store.
    ///   - check: checks the database without changing it, for ``check(with:)``.
    ///   - screens: makes the screens with the opened store, or with the store of a check.
    public init<Store: ServiceStoring>(
        store open: @escaping @Sendable (Logger) async throws -> Store,
        checking check: (@Sendable (Logger) async throws -> StoreCheck<Store>)? = nil,
        screens: @escaping @Sendable (Store, Context) async throws -> [any Screen]
    ) {
        var checking: (@Sendable (String, Logger) async throws -> StoreCheck<Store>)?
        if let check { checking = { _, logger in try await check(logger) } }
        self.init(takesDatabase: false, opening: { _, logger in try await open(logger) }, checking: checking, screens: screens)
    }

    private init<Store: ServiceStoring>(
        takesDatabase: Bool, knownScreens: [any Screen]? = nil,
        opening open: @escaping @Sendable (_ path: String, Logger) async throws -> Store,
        checking check: (@Sendable (_ path: String, Logger) async throws -> StoreCheck<Store>)?,
        screens: @escaping @Sendable (Store, Context) async throws -> [any Screen]
    ) {
        self.takesDatabase = takesDatabase
        self.screens = knownScreens
        checkStore = check.map { Self.checking($0, screens) }
        self.open = { path, context in
            let store = try await open(path, context.logger)
            return Opened(store: store) { try await screens(store, context) }
        }
    }

    /// The routes that were added while the screens were made.
    final class AddedRoutes: Sendable {
        private let added = Mutex<[Route]>([])

        var all: [Route] { added.withLock { $0 } }

        func add(_ routes: [Route]) {
            added.withLock { $0 += routes }
        }
    }

    /// An open store, and a function that makes the screens with it.
    struct Opened {
        let store: any ServiceStoring
        let screens: () async throws -> [any Screen]
    }

    /// Serves until the process receives SIGTERM or SIGINT.
    ///
    /// If the server cannot start, it writes the reason and a remedy to standard error. Then it ends the process with exit code
    /// 1, or with 64 for an unknown flag.
    public func run() async throws {
        let command: Command
        do { command = try Command.parse() } catch { Command.end(over: error) }
        await run(with: command.options)
    }

    /// Runs the server with parsed flags. Call this function in a program that parses additional flags of its own.
    public func run(with options: ServeOptions) async {
        await run(with: options, and: [])
    }

    /// The command line of a program that is only a server.
    private struct Command: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: UsageFault.program, abstract: "Serve list screens.",
                discussion: "Each option can also be set in the environment: --log-level as RELIST_LOG_LEVEL, and so on."
            )
        }

        @OptionGroup var options: ServeOptions
    }

    /// Serves with additional settings. They are validated together with the settings of every server.
    package func run(with options: ServeOptions, and others: [any CheckableSetting]) async {
        do {
            let manager = try ServiceManager.take()
            let configuration = try ServerConfiguration(
                options, and: others, takesDatabase: takesDatabase, socket: manager.socket?.address
            )
            let signals = Signals(catching: [SIGTERM, SIGINT])
            try await serve(configuration, under: manager, greeting: { await $0.show(by: configuration) }, until: signals.first)
        } catch {
            Self.end(over: error)
        }
    }

    private static func end(over error: any Error) -> Never {
        UsageFault.report("\(StartFault(error))")
        exit(1)
    }
}
