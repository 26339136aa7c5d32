import ArgumentParser
import ExampleRecords
import Foundation
import Relist
import RelistPostgres
import RelistSQLite
import ScreenService

/// The command `relist serve`. It serves the example screens until the process receives a signal to stop.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the example screens from an SQLite file, or from PostgreSQL.",
        discussion: "Each option can also be set in the environment: --log-level as RELIST_LOG_LEVEL, and so on."
    )

    @OptionGroup var arguments: ExampleArguments

    func run() async throws {
        await arguments.server.run(with: arguments.options, and: [arguments.postsUpstream])
    }
}

/// The command `relist check`. It checks everything on which `relist serve` depends, and changes nothing in the database.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check the settings, the database and the screens before a deployment, without changing anything."
    )

    @OptionGroup var arguments: ExampleArguments

    func run() async throws {
        await arguments.server.check(with: arguments.options, and: [arguments.postsUpstream])
    }
}

/// The server of the example screens, with its flags.
struct ExampleArguments: ParsableArguments {
    @OptionGroup var options: ServeOptions
    @Option(.url("posts-upstream", default: "the database"), help: "The base URL of a server with /posts, such as JSONPlaceholder")
    var postsUpstream: Setting<URL?>

    var server: RelistServer {
        let upstream = postsUpstream.value() ?? nil
        let isShared = PostgresServiceStore.isURL(options.database)
        var server = isShared ? Self.replica(postsUpstream: upstream) : Self.alone(postsUpstream: upstream)
        server.languages = [.english, .french]
        server.authentication = Tokens.authentication
        let program = CommandLine.arguments.first.flatMap { $0.hasSuffix("/relist") ? $0 : nil } ?? "relist"
        server.tokenCommand = "\(program) token"
        return server
    }

    /// Returns a server with its own SQLite file.
    private static func alone(postsUpstream: URL?) -> RelistServer {
        RelistServer { path, logger in
            try DatabaseURL.refuse(path)
            try Examples.checkFiles()
            return try Example.open(path: path, logger: logger)
        } checking: { path, logger in
            try DatabaseURL.refuse(path)
            try Examples.checkFiles()
            return Example.check(path: path, logger: logger)
        } screens: { store, context in
            let parts = parts(on: store, context, postsUpstream)
            return Example.all.map { $0.screen(store, parts) }
        }
    }

    /// Returns a server that shares its PostgreSQL database with other servers.
    private static func replica(postsUpstream: URL?) -> RelistServer {
        RelistServer { url, logger in
            try Examples.checkFiles()
            return try await Example.open(url: url, logger: logger)
        } checking: { url, logger in
            try Examples.checkFiles()
            return await Example.check(url: url, logger: logger)
        } screens: { store, context in
            var parts = parts(on: store, context, postsUpstream)
            if let postsUpstream {
                parts.postsFeed = Store(in: store)
                // Each upstream has its own leader, because replicas may have different upstreams while they are updated one after another.
                parts.whileLeadingPosts = { await store.whileLeading("posts of \(postsUpstream)", $0) }
            }
            return Example.all.map { [parts] in $0.screen(store, parts) }
        }
    }

    private static func parts(on store: any ServiceStoring, _ context: RelistServer.Context, _ postsUpstream: URL?) -> Example.Parts {
        Example.Parts(
            topics: store.topics, postsUpstream: postsUpstream,
            // At most half of a request's deadline is spent on waiting for the upstream. The rest of the time is for computing the screen
            // with the posts that are loaded.
            patience: min(.seconds(2), context.deadline / 2), logger: context.logger
        )
    }
}
