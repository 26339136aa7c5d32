import ArgumentParser
import Foundation
import HTTPServer
public import Logging
public import ScreenHTTP
public import ScreenService
public import RelistSQLite

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
/// in an SQLite file, serves the page, and stops cleanly on SIGTERM and SIGINT. Everyone is the user `demo`, unless
/// ``authentication`` is set.
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

    /// Who asks where nobody has to say.
    static let demo = Caller.user("demo")

    /// Nil where the screens are made on a store.
    let screens: [any Screen]?
    let open: @Sendable (_ path: String, Context) async throws -> Opened
    /// The languages that the screens speak. The first counts when a client states no preference.
    public var languages: [ScreenLocale] = [.english]
    /// The folder of files to serve where no flag says another. Nil takes `Public`, if there is such a folder where the program
    /// runs, and else the page of Relist.
    public var publicFolder: String?
    /// Layers around all that is answered, within the one that says who asks; the first outermost.
    public var middleware: [any Middleware] = []

    /// What finds out who asks, where `--authentication` says something else than `demo`: `TokenAuthentication.open` of the
    /// product `RelistTokens`. Nil for a program that knows of no users.
    public var authentication: (@Sendable (AuthenticationSettings, Logger) async throws -> any Authenticating)?

    /// A server of screens that need no database, or have their own.
    public init(screens: [any Screen]) {
        self.screens = screens
        open = { path, context in
            try DatabaseURL.refuse(path)
            return Opened(store: try SQLiteServiceStore.open(path: path, logger: context.logger)) { screens }
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
            opening: { path, logger in
                try DatabaseURL.refuse(path)
                return try SQLiteServiceStore.open(path: path, migrations: tables, logger: logger)
            },
            screens: screens
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
    struct Opened {
        let store: any ServiceStoring
        let screens: () async throws -> [any Screen]
    }

    /// Serves until the process is told to stop.
    ///
    /// Where the server cannot start, it says why and what to do on standard error, and ends the process with 1; with 64
    /// where a flag is not known.
    public func run() async throws {
        let command: Command
        do { command = try Command.parse() } catch { Command.end(over: error) }
        await run(with: command.options)
    }

    /// The same in a program that has flags of its own, which it has parsed with these.
    public func run(with options: ServeOptions) async {
        await run(with: options, and: [])
    }

    /// The command line of a program that is nothing but a server.
    private struct Command: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: UsageFault.program, abstract: "Serve list screens.",
                discussion: "Each option can also be set in the environment: --log-level as RELIST_LOG_LEVEL, and so on."
            )
        }

        @OptionGroup var options: ServeOptions
    }

    /// The same with settings beside those of every server, which are checked with them.
    package func run(with options: ServeOptions, and others: [any CheckableSetting]) async {
        do {
            let configuration = try ServerConfiguration(options, and: others)
            let signals = Signals(catching: [SIGTERM, SIGINT])
            try await serve(configuration, greeting: { await $0.show() }, until: signals.first)
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(UsageFault.program): \(StartFault(error))\n".utf8))
            exit(1)
        }
    }
}
