import Foundation
import RelistPostgres
import RelistTesting
import Testing

@testable import Groceries

/// Tests of the screens without a server, on SQLite. If `GROCERIES_TEST_DATABASE` is the URL of a PostgreSQL database, the tests
/// also run on that database.
@Suite(.serialized) struct GroceriesTests {
    /// The URLs of the databases. An empty URL means SQLite.
    private static let urls = [""] + [ProcessInfo.processInfo.environment["GROCERIES_TEST_DATABASE"]].compactMap { $0 }

    private func withClient(_ url: String, _ body: (TestClient) async throws -> Void) async throws {
        guard !url.isEmpty else {
            return try await withTemporaryStore(tables: [GroceryList.table]) { try await body(client(on: $0)) }
        }
        let store = try await PostgresServiceStore.open(url: url, migrations: [GroceryList.postgresTable], logger: Logger(label: "test"))
        try await store.write { _ = try $0.write("DELETE FROM grocery") }
        try await body(client(on: store))
        await store.close()
    }

    private func client(on store: some RecordStoring & ServiceStoring) async throws -> TestClient {
        let list = GroceryList(store: store)
        return try await TestClient(screens: [Groceries(list: list), Aisles(list: list)], store: store)
    }

    @Test(arguments: urls) func anEmptyListHasNoAisles(url: String) async throws {
        try await withClient(url) { client in
            let screen = try await client.screen("groceries")
            #expect(screen.title == "Groceries")
            #expect(screen.sections.isEmpty)
        }
    }

    @Test(arguments: urls) func anAddedGroceryAppearsInItsAisle(url: String) async throws {
        try await withClient(url) { client in
            let first = try await client.perform("add", ["name": "Flour", "aisle": "Baking"], on: client.screen("groceries"))
            #expect(first.inserted == ["Flour"] && first.insertedSections == ["Baking"])
            #expect(first.after.cell("Flour")?.text == "Flour" && first.after.cell("Flour")?.offeredActions == ["buy"])
            let second = try await client.perform("add", ["name": "Sugar", "aisle": "Baking"], on: first.after)
            #expect(second.inserted == ["Sugar"] && second.insertedSections == [] && second.updated == [] && second.moved == [])
            #expect(second.after.sections.map(\.id) == ["Baking"])
        }
    }

    @Test(arguments: urls) func buyingTheLastGroceryOfAnAisleRemovesTheAisle(url: String) async throws {
        try await withClient(url) { client in
            _ = try await client.perform("add", ["name": "Flour", "aisle": "Baking"], on: client.screen("groceries"))
            let bought = try await client.perform("buy", ["name": "Flour"], on: client.screen("groceries"))
            #expect(bought.deleted == ["Flour"] && bought.deletedSections == ["Baking"])
        }
    }

    @Test(arguments: urls) func addingAGroceryTwiceIsRejected(url: String) async throws {
        try await withClient(url) { client in
            let screen = try await client.perform("add", ["name": "Flour", "aisle": "Baking"], on: client.screen("groceries")).after
            await #expect(throws: BrokenRules([BrokenRule(field: "name", "It is on the list already.")])) {
                try await client.perform("add", ["name": "Flour", "aisle": "Frozen"], on: screen)
            }
            #expect(try await client.change(of: screen).after.version == screen.version)
        }
    }

    @Test(arguments: urls) func anActionOnTheListUpdatesTheAisles(url: String) async throws {
        try await withClient(url) { client in
            _ = try await client.perform("add", ["name": "Flour", "aisle": "Baking"], on: client.screen("groceries"))
            let aisles = try await client.screen("aisles")
            #expect(aisles.cell("Baking")?.count == 1)
            _ = try await client.perform("add", ["name": "Sugar", "aisle": "Baking"], on: client.screen("groceries"))
            let change = try await client.change(of: aisles)
            #expect(change.updated == ["Baking"])
            #expect(change.after.cell("Baking")?.count == 2)
        }
    }
}
