import GRDB
import ScreenService

/// The tables of the service in a team's database, with migrations that are no concern of the team's.
enum ServiceTables {
    /// All begin so, and nothing of the team's may.
    ///
    /// With `grdb_`, since GRDB passes over what begins so where it compares a schema with the team's migrations: one that
    /// erases the database when its schema has changed (`eraseDatabaseOnSchemaChange`) would do so at each start.
    static let prefix = "grdb_relist_"

    /// A step that has been released is never changed; later ones follow.
    private static let migrations = [
        SQLiteMigration(
            "tables",
            [SQLiteHistory.table(named: "grdb_relist_version"), SQLiteServiceStore.secretTable(named: "grdb_relist_secret"),
                SQLiteReceipts.table(named: "grdb_relist_receipt")].joined(separator: "\n")
        )
    ]

    /// Does the steps that the database has not behind it: all or, where one fails, none.
    ///
    /// GRDB's migrator would note them among the team's, which would take them for those of a newer version of itself.
    ///
    /// - Throws: ``DatabaseFileError/newerSchema(path:unknownSteps:)``, errors of SQLite.
    static func migrate(_ database: any DatabaseWriter) throws {
        let path = database.path
        try database.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                try database.execute(sql: "CREATE TABLE IF NOT EXISTS grdb_relist_migration (name TEXT NOT NULL PRIMARY KEY) STRICT")
                let done = try Set(String.fetchAll(database, sql: "SELECT name FROM grdb_relist_migration"))
                let unknown = done.subtracting(migrations.map(\.name))
                guard unknown.isEmpty else { throw DatabaseFileError.newerSchema(path: path, unknownSteps: unknown.sorted()) }
                for migration in migrations where !done.contains(migration.name) {
                    try database.execute(sql: migration.sql)
                    try database.execute(sql: "INSERT INTO grdb_relist_migration VALUES (?)", arguments: [migration.name])
                }
                return .commit
            }
        }
    }
}
