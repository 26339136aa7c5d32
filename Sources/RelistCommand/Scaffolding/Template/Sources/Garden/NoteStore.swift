import GRDB
import Relist

/// Notes in a table of the service's SQLite file. A read records a topic, and a write announces that topic.
struct NoteStore: Sendable {
    static let table = SQLiteMigration("notes", "CREATE TABLE note (text TEXT NOT NULL PRIMARY KEY) STRICT;")
    private static let topic = Topic("notes")

    let store: SQLiteServiceStore

    /// Returns all notes in alphabetical order.
    func texts() async throws -> [String] {
        try await store.read { transaction in
            try transaction.rows(of: Self.topic, "SELECT text FROM note ORDER BY text") { row in try row[0] }
        }
    }

    func add(_ text: String) async throws {
        try await store.write { transaction in
            _ = try transaction.write(
                "INSERT INTO note (text) VALUES (?)", [text], announcing: [Self.topic],
                ifTaken: BrokenRules([BrokenRule(field: "text", "There is such a note already.")])
            )
        }
    }

    func remove(_ text: String) async throws {
        try await store.write { transaction in
            let count = try transaction.write("DELETE FROM note WHERE text = ?", [text], announcing: [Self.topic])
            guard count > 0 else { throw BrokenRules([BrokenRule(field: "text", "There is no such note.")]) }
        }
    }
}
