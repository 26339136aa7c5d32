import ArgumentParser
import Relist

/// The program of the kitchen: `Kitchen` serves the orders, and `Kitchen check` checks the settings, the database and the screens.
@main struct KitchenServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Kitchen", subcommands: [Serve.self, Check.self], defaultSubcommand: Serve.self
    )

    struct Serve: AsyncParsableCommand {
        @OptionGroup var arguments: KitchenArguments

        func run() async throws { await arguments.server.run(with: arguments.options) }
    }

    struct Check: AsyncParsableCommand {
        @OptionGroup var arguments: KitchenArguments

        func run() async throws { await arguments.server.check(with: arguments.options) }
    }
}

/// The flags of the server, and a flag of the kitchen's own. Every caller has the role that this flag names; a program with real users takes
/// its callers from tokens (`server.authentication`).
struct KitchenArguments: ParsableArguments {
    @OptionGroup var options: ServeOptions
    @Option(help: "The role of all callers: waiter, cook or chief") var role = "waiter"

    var server: RelistServer {
        var server = RelistServer(tables: [OrderBook.table]) { store, context in
            let book = OrderBook(store: store)
            context.serve(
                Route(.get, "/orders.txt", "Lists the orders for the printer.") { _ in
                    .text(try await book.orders().map { "\($0.number)\t\($0.table)\t\($0.dish)\n" }.joined())
                }
            )
            return [Orders(book: book)]
        }
        server.languages = [.english, .french]
        server.middleware = [FixedCaller(.user("demo", claims: Claims(.object([.init("role", .string(role))]))))]
        return server
    }
}
