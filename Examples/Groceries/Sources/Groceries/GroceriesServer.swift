import Relist

@main struct GroceriesServer {
    static func main() async throws {
        try await RelistServer(tables: [GroceryList.table]) { store, _ in
            let list = GroceryList(store: store)
            return [Groceries(list: list), Aisles(list: list)]
        }.run()
    }
}
