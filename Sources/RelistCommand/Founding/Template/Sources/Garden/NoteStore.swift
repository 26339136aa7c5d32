import GRDB
import Relist

/// The notes, in a table of the service's file. Reading them records a topic, changing them announces that topic.
struct NoteStore: Sendable {
    static let table = SQLiteMigration("notes", "CREATE TABLE note (text TEXT NOT NULL PRIMARY KEY) STRICT;")
    private static let topic = Topic("notes")

    let store: SQLiteServiceStore

    /// In the order of the alphabet.
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
