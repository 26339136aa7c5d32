import GRDB

/// The tables of the service in a team's database: `relist_…`, with migrations that are no concern of the team's.
enum ServiceTables {
    /// All begin so, and nothing of the team's may.
    static let prefix = "relist_"

    /// A step that has been released is never changed; later ones follow.
    private static let migrations = [
        SQLiteMigration(
            "tables",
            [SQLiteHistory.table(named: "relist_version"), SQLiteServiceStore.secretTable(named: "relist_secret"),
                SQLiteReceipts.table(named: "relist_receipt")].joined(separator: "\n")
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
                try database.execute(sql: "CREATE TABLE IF NOT EXISTS relist_migration (name TEXT NOT NULL PRIMARY KEY) STRICT")
                let done = try Set(String.fetchAll(database, sql: "SELECT name FROM relist_migration"))
                let unknown = done.subtracting(migrations.map(\.name))
                guard unknown.isEmpty else { throw DatabaseFileError.newerSchema(path: path, unknownSteps: unknown.sorted()) }
                for migration in migrations where !done.contains(migration.name) {
                    try database.execute(sql: migration.sql)
                    try database.execute(sql: "INSERT INTO relist_migration VALUES (?)", arguments: [migration.name])
                }
                return .commit
            }
        }
    }
}
