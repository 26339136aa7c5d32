import Relist

@main struct KitchenServer {
    static func main() async throws {
        var server = RelistServer(tables: [OrderBook.table]) { store, _ in [Orders(book: OrderBook(store: store))] }
        server.languages = [.english, .french]
        server.developmentUsers = [
            DevelopmentUser("ada", claims: ["role": "waiter"]), DevelopmentUser("lin", claims: ["role": "cook"]),
            DevelopmentUser("grace", claims: ["role": ["cook", "chief"]]),
        ]
        try await server.run()
    }
}
