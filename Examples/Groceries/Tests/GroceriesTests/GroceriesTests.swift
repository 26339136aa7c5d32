@testable import Groceries
import RelistTesting
import Testing

/// What the screens show and do, without a server.
struct GroceriesTests {
    private func withClient(_ body: (TestClient) async throws -> Void) async throws {
        try await withTemporaryStore(tables: [GroceryList.table]) { store in
            let list = GroceryList(store: store)
            try await body(TestClient(screens: [Groceries(list: list), Aisles(list: list)], store: store))
        }
    }

    @Test func anEmptyListHasNoAisles() async throws {
        try await withClient { client in
            let screen = try await client.screen("groceries")
            #expect(screen.title == "Groceries")
            #expect(screen.sections.isEmpty)
        }
    }

    @Test func whatIsAddedComesIntoItsAisle() async throws {
        try await withClient { client in
            let first = try await client.perform("add", ["name": "Flour", "aisle": "Baking"], on: client.screen("groceries"))
            #expect(first.inserted == ["Flour"] && first.insertedSections == ["Baking"])
            #expect(first.after.cell("Flour")?.text == "Flour")
            let second = try await client.perform("add", ["name": "Sugar", "aisle": "Baking"], on: first.after)
            #expect(second.inserted == ["Sugar"] && second.insertedSections == [] && second.updated == [] && second.moved == [])
            #expect(second.after.sections.map(\.id) == ["Baking"])
        }
    }

    @Test func whatIsBoughtGoesAndTakesAnEmptyAisleAlong() async throws {
        try await withClient { client in
            _ = try await client.perform("add", ["name": "Flour", "aisle": "Baking"], on: client.screen("groceries"))
            let bought = try await client.perform("buy", ["name": "Flour"], on: client.screen("groceries"))
            #expect(bought.deleted == ["Flour"] && bought.deletedSections == ["Baking"])
        }
    }

    @Test func nothingStandsOnTheListTwice() async throws {
        try await withClient { client in
            let screen = try await client.perform("add", ["name": "Flour", "aisle": "Baking"], on: client.screen("groceries")).after
            await #expect(throws: BrokenRules([BrokenRule(field: "name", "It is on the list already.")])) {
                try await client.perform("add", ["name": "Flour", "aisle": "Frozen"], on: screen)
            }
            #expect(try await client.change(of: screen).after.version == screen.version)
        }
    }

    @Test func theAislesAreKeptCurrent() async throws {
        try await withClient { client in
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
