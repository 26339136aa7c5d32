import ArgumentParser
import Relist

/// A server of the orders. Every caller has the role that a flag names; a program with real users takes its callers from tokens
/// (`server.authentication`).
@main struct KitchenServer: AsyncParsableCommand {
    @OptionGroup var options: ServeOptions
    @Option(help: "The role of all callers: waiter, cook or chief") var role = "waiter"

    func run() async throws {
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
        await server.run(with: options)
    }
}
