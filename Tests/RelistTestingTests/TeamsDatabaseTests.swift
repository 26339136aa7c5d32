import GRDB
import Logging
import RelistTesting
import Testing

/// A screen that shows the plants in a database that a team has opened. The code that reads the plants names no topics.
private struct Garden: Screen {
    static let name = "garden"
    static let plant = Field.text("name", "Name", limit: 100)

    let visibility = Visibility.everyone
    let store: SQLiteServiceStore

    let title: Text = "Garden"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, PlantCell>> {
        let plants = try await store.read { try Plant.order(Column("name")).fetchAll($0.database) }
        return ScreenContent(title: "Garden", model: TableViewModel(cells: plants.map { PlantCell(id: $0.name, height: $0.height) }))
    }

    var actions: [Action] {
        [
            Action("sow", "Puts a plant into the garden.", Self.plant) { _, name in
                try await store.write { try Plant(name: name, height: 0).insert($0.database) }
            }
        ]
    }
}

private struct Plant: Codable, FetchableRecord, PersistableRecord {
    let name: String
    let height: Int
}

private struct PlantCell: CellContent, Equatable {
    let id: String
    let height: Int

    static func fields(_ field: inout some FieldVisitor<Self>) { field("height", \.height) }
}

@Suite("Screens on a team's own database") struct TeamsDatabaseTests {
    @Test func aScreenWithoutNamedTopicsIsUpdatedWhenItsTableChanges() async throws {
        let database = try DatabaseQueue()
        try await database.write { database in
            try database.execute(sql: "CREATE TABLE plant (name TEXT NOT NULL PRIMARY KEY, height INTEGER NOT NULL)")
        }
        let store = try SQLiteServiceStore.open(in: database, logger: Logger(label: "test"))
        let client = try await TestClient(screens: [Garden(store: store)], store: store)
        let empty = try await client.screen("garden")
        let sown = try await client.perform("sow", ["name": "Fern"], on: empty)
        #expect(sown.inserted == ["Fern"])
        try await database.write { try $0.execute(sql: "UPDATE plant SET height = 7") }
        let grown = try await client.change(of: sown.after)
        #expect(grown.updated == ["Fern"] && grown.after.cell("Fern")?.height == 7)
        #expect(try await client.change(of: grown.after).after.version == grown.after.version)
    }
}
