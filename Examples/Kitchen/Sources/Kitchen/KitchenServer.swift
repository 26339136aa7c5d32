import ArgumentParser
import Relist
import RelistTokens

/// The program of the kitchen. `Kitchen` serves the orders, `Kitchen check` checks the settings, the database and the screens, and
/// `Kitchen token` signs a token for a user in development.
@main struct KitchenServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Kitchen", subcommands: [Serve.self, Check.self, TokenCommand.self], defaultSubcommand: Serve.self
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

/// The flags of the server, and a flag of the kitchen's own.
struct KitchenArguments: ParsableArguments {
    @OptionGroup var options: ServeOptions
    @Option(help: "The number of minutes after which an order is late") var lateAfter = 15

    func validate() throws {
        guard (1...1440).contains(lateAfter) else { throw ValidationError("--late-after is \(lateAfter) but must be from 1 to 1440.") }
    }

    /// The server. With `--authentication development`, the page offers a user of each role to sign in as. Without this flag, all callers
    /// are one user without a role, who may only read.
    var server: RelistServer {
        var server = RelistServer(tables: [OrderBook.table]) { [lateAfter] store, context in
            let book = OrderBook(store: store)
            context.serve(
                Route(.get, "/orders.txt", "Lists the orders for the printer.") { _ in
                    .text(try await book.orders().map { "\($0.number)\t\($0.table)\t\($0.dish)\n" }.joined())
                }
            )
            return [Orders(book: book, lateAfter: lateAfter)]
        }
        server.languages = [.english, .french]
        server.authentication = TokenAuthentication.open
        server.tokenCommand = "Kitchen token"
        server.developmentUsers = [
            DevelopmentUser("ada", claims: ["role": "waiter"]), DevelopmentUser("lin", claims: ["role": "cook"]),
            DevelopmentUser("grace", claims: ["role": ["cook", "chief"]]),
        ]
        return server
    }
}
