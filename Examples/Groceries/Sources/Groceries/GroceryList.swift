import GRDB
import Relist

/// What is to be bought, in a table of the service's file. Reading it records a topic, changing it announces that topic.
struct GroceryList: Sendable {
    static let table = SQLiteMigration(
        "groceries", "CREATE TABLE grocery (name TEXT NOT NULL PRIMARY KEY, aisle TEXT NOT NULL) STRICT;"
    )
    private static let topic = Topic("groceries")

    let store: SQLiteServiceStore

    /// In the order of their aisles and names.
    func groceries() async throws -> [Grocery] {
        try await store.read { transaction in
            try transaction.rows(of: Self.topic, "SELECT name, aisle FROM grocery ORDER BY aisle, name") { row in
                Grocery(name: row[0], aisle: row[1])
            }
        }
    }

    func add(_ grocery: Grocery) async throws {
        try await store.write { transaction in
            _ = try transaction.write(
                "INSERT INTO grocery (name, aisle) VALUES (?, ?)", [grocery.name, grocery.aisle], announcing: [Self.topic],
                ifTaken: BrokenRules([BrokenRule(field: "name", "It is on the list already.")])
            )
        }
    }

    func buy(_ name: String) async throws {
        try await store.write { transaction in
            let count = try transaction.write("DELETE FROM grocery WHERE name = ?", [name], announcing: [Self.topic])
            guard count > 0 else { throw BrokenRules([BrokenRule(field: "name", "It is not on the list.")]) }
        }
    }
}

struct Grocery: Hashable, Sendable {
    let name: String
    let aisle: String
}
