import ArgumentParser
import ExampleRecords
import Foundation
import Relist
import RelistPostgres
import ScreenService
import RelistSQLite

/// `relist serve`: the server of the example screens, until it is told to stop.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the example screens from an SQLite file, or from PostgreSQL.",
        discussion: "Each option can also be set in the environment: --log-level as RELIST_LOG_LEVEL, and so on."
    )

    @OptionGroup var options: ServeOptions
    @Option(.url("posts-upstream", default: "the database"), help: "The URL whose /posts the posts are fetched from, as JSONPlaceholder has it")
    var postsUpstream: Setting<URL?>

    func run() async throws {
        let upstream = postsUpstream.value() ?? nil
        let isShared = PostgresServiceStore.isURL(options.database.value() ?? "")
        var server = isShared ? Self.replica(postsUpstream: upstream) : Self.alone(postsUpstream: upstream)
        server.languages = [.english, .french]
        server.authentication = Tokens.authentication
        await server.run(with: options, and: [postsUpstream])
    }

    /// The server on a file of its own.
    private static func alone(postsUpstream: URL?) -> RelistServer {
        RelistServer { path, logger in
            try DatabaseURL.refuse(path)
            return try Example.open(path: path, logger: logger)
        } screens: { store, context in
            let parts = parts(on: store, context, postsUpstream)
            return Example.all.map { $0.screen(store, parts) }
        }
    }

    /// One of the servers on a database that they share.
    private static func replica(postsUpstream: URL?) -> RelistServer {
        RelistServer { url, logger in
            try await Example.open(url: url, logger: logger)
        } screens: { store, context in
            var parts = parts(on: store, context, postsUpstream)
            if let postsUpstream {
                parts.postsFeed = Store(in: store)
                // During an update each upstream has somebody who asks it.
                parts.whileLeadingPosts = { await store.whileLeading("posts of \(postsUpstream)", $0) }
            }
            return Example.all.map { [parts] in $0.screen(store, parts) }
        }
    }

    private static func parts(on store: any ServiceStoring, _ context: RelistServer.Context, _ postsUpstream: URL?) -> Example.Parts {
        Example.Parts(
            topics: store.topics, postsUpstream: postsUpstream,
            // Shown in time, with what there is.
            patience: min(.seconds(2), context.deadline / 2), logger: context.logger
        )
    }
}
