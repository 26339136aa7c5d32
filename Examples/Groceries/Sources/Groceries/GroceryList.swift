import Relist

/// The store of the grocery list. A read records a topic, and a change announces that topic.
struct GroceryList: Sendable {
    static let table = RecordMigration(
        "groceries", "CREATE TABLE grocery (name TEXT NOT NULL PRIMARY KEY, aisle TEXT NOT NULL) STRICT;"
    )
    /// The migration for PostgreSQL. PostgreSQL sorts text by its bytes only if the column is declared with `COLLATE "C"`.
    static let postgresTable = RecordMigration(
        "groceries",
        #"CREATE TABLE grocery (name text COLLATE "C" NOT NULL PRIMARY KEY, aisle text COLLATE "C" NOT NULL);"#
    )
    private static let topic = Topic("groceries")

    let store: any RecordStoring

    /// Returns the groceries, ordered by aisle and name.
    func groceries() async throws -> [Grocery] {
        try await store.read { transaction in
            try transaction.rows(of: Self.topic, "SELECT name, aisle FROM grocery ORDER BY aisle, name") { row in
                try Grocery(name: row[0], aisle: row[1])
            }
        }
    }

    func add(_ grocery: Grocery) async throws {
        try await store.write { transaction in
            _ = try transaction.write(
                "INSERT INTO grocery (name, aisle) VALUES ($1, $2)", [grocery.name, grocery.aisle], announcing: [Self.topic],
                ifTaken: BrokenRules([BrokenRule(field: "name", "It is on the list already.")])
            )
        }
    }

    func buy(_ name: String) async throws {
        try await store.write { transaction in
            let count = try transaction.write("DELETE FROM grocery WHERE name = $1", [name], announcing: [Self.topic])
            guard count > 0 else { throw BrokenRules([BrokenRule(field: "name", "It is not on the list.")]) }
        }
    }
}

struct Grocery: Hashable, Sendable {
    let name: String
    let aisle: String
}
