import GRDB
import Logging
import RelistSQLite
import ScreenService
import TemporaryDatabase

/// The migration that creates the table of notes in the file of the service.
extension SQLiteMigration {
    static let notes = SQLiteMigration("notes", "CREATE TABLE note (text TEXT NOT NULL PRIMARY KEY) STRICT;")
}

extension SQLiteTransaction {
    func note(_ text: String) throws {
        try write("REPLACE INTO note VALUES (?)", [text], announcing: [.note(text)])
    }

    func isNoted(_ text: String) throws -> Bool {
        try row(of: .note(text), "SELECT 1 FROM note WHERE text = ?", [text]) { _ in true } ?? false
    }

    func noteCount() throws -> Int {
        try row(of: .notes, "SELECT count(*) FROM note") { try $0[0] }!
    }
}

extension Topic {
    static let notes = Topic("notes")
    static func note(_ text: String) -> Topic { Topic("note/" + text) }
}

extension TemporaryFolder {
    func open(
        _ announcements: Announcements = Announcements(), logger: Logger = Logger(label: "test"),
        fill: (SQLiteTransaction) throws -> Void = { _ in }
    ) throws(DatabaseFileError) -> SQLiteServiceStore {
        let store = try SQLiteServiceStore.open(path: database, migrations: [.notes], logger: logger, fill: fill)
        announcements.observe(store.topics)
        return store
    }
}
