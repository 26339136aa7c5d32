import ArgumentParser
import ExampleStoresPostgres
import ExampleStoresSQLite
import Relist
import RelistPostgres
import ScreenService
import ServiceStoreSQLite

/// `relist serve`: the server of the example screens, until it is told to stop.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the example screens from an SQLite file, or from PostgreSQL.",
        discussion: "Each option can also be set in the environment: --log-level as RELIST_LOG_LEVEL, and so on."
    )

    @OptionGroup var options: ServeOptions
    @Option(help: "The URL whose /posts the posts are fetched from, as JSONPlaceholder has it (default: the database).")
    var postsUpstream: String?

    func run() async throws {
        var reader = options.reader(with: [.postsUpstream: postsUpstream])
        let upstream = reader.url(.postsUpstream)
        let screens: @Sendable (any ExampleDatabase, RelistServer.Context) -> [any Screen] = { store, context in
            let parts = Example.Parts(
                topics: store.topics, postsUpstream: upstream,
                // Shown in time, with what there is.
                patience: min(.seconds(2), context.deadline / 2), logger: context.logger
            )
            return Example.all.map { $0.screen(store, parts) }
        }
        var server = PostgresServiceStore.isURL(reader.optionalText(.database) ?? "")
            ? RelistServer { url, logger in
                try await PostgresServiceStore.open(url: url, tables: Example.all.map(\.tables.postgres), logger: logger)
            } screens: { screens($0, $1) }
            : RelistServer { path, logger in
                try SQLiteServiceStore.open(path: path, tables: Example.all.map(\.tables.sqlite), logger: logger)
            } screens: { screens($0, $1) }
        server.languages = [.english, .french]
        server.authentication = Tokens.authentication
        await server.run(&reader)
    }
}

extension Setting {
    static let postsUpstream = Setting("posts-upstream", default: "")
}
