import GRDB
import ScreenService

/// The tables of the service in the database of a team. Their migrations are separate from the migrations of the team.
enum ServiceTables {
    /// The prefix of the names of the service's tables. A table of the team must not have this prefix. GRDB ignores tables with names that
    /// begin with `grdb_` when it compares the schema with the team's migrations. Without `grdb_`, a migrator with
    /// `eraseDatabaseOnSchemaChange` would erase the database at each start.
    static let prefix = "grdb_relist_"

    /// The migrations of the tables. A released migration is never changed.
    private static let migrations = [
        SQLiteMigration(
            "tables",
            [
                SQLiteHistory.table(named: "grdb_relist_version"), SQLiteServiceStore.secretTable(named: "grdb_relist_secret"),
                SQLiteReceipts.table(named: "grdb_relist_receipt"),
            ].joined(separator: "\n")
        )
    ]

    /// Runs the migrations that the database has not run yet, in one transaction. GRDB's migrator would record these migrations among the
    /// migrations of the team, and the team's migrator would treat them as migrations of a newer version of the team's program.
    static func migrate(_ database: any DatabaseWriter) throws {
        let path = database.path
        try database.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                try database.execute(sql: "CREATE TABLE IF NOT EXISTS main.grdb_relist_migration (name TEXT NOT NULL PRIMARY KEY) STRICT")
                let done = try done(in: database, path: path)
                for migration in migrations where !done.contains(migration.name) {
                    try database.execute(sql: migration.sql)
                    try database.execute(sql: "INSERT INTO main.grdb_relist_migration VALUES (?)", arguments: [migration.name])
                }
                return .commit
            }
        }
    }

    /// Throws ``DatabaseFileError/newerSchema(path:unknownSteps:)`` if a newer version of this program has run migrations.
    static func check(_ database: any DatabaseReader) throws {
        try database.read { [path = database.path] database in
            if try database.tableExists("grdb_relist_migration", in: "main") { _ = try done(in: database, path: path) }
        }
    }

    /// Returns the names of the migrations that have run.
    private static func done(in database: Database, path: String) throws -> Set<String> {
        let done = try Set(String.fetchAll(database, sql: "SELECT name FROM main.grdb_relist_migration"))
        let unknown = SQLiteMigration.forbidding(done, known: migrations)
        guard unknown.isEmpty else { throw DatabaseFileError.newerSchema(path: path, unknownSteps: unknown) }
        return done
    }
}
