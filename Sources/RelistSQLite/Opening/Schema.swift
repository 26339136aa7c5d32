import GRDB
public import ScreenService

/// A migration of the tables in an SQLite file. Migrations with the same name are joined into one migration.
public typealias SQLiteMigration = RecordMigration

/// The migrations of a database file. The migrations of the service precede the migrations of the stores that share the file.
struct Schema: Sendable {
    var migrations: [SQLiteMigration]

    /// Adds the migrations of other stores. Their names must differ from the names of the service's migrations. An existing file records
    /// the names of the migrations that have run, and a new migration with a recorded name would never run.
    init(adding more: [SQLiteMigration] = []) {
        migrations = Self.ofService
        let own = Set(Self.ofService.map(\.name))
        for migration in more {
            precondition(!own.contains(migration.name), "the step \(migration.name) is one of the service's: name it otherwise")
            if let place = migrations.firstIndex(where: { $0.name == migration.name }) {
                migrations[place].sql += "\n" + migration.sql
            } else {
                migrations.append(migration)
            }
        }
    }

    private static let ofService = [
        SQLiteHistory.firstTable, SQLiteServiceStore.secretTable, SQLiteReceipts.table, SQLiteHistory.table, names,
    ]

    /// The migration that renames the tables of the service. The new names are also used in a database of a team.
    private static let names = SQLiteMigration(
        "names",
        ["version", "secret", "receipt"].map { "ALTER TABLE \($0) RENAME TO \(ServiceTables.prefix)\($0);" }.joined(separator: "\n")
    )

    /// The application id in the files of this program. Its bytes are the text "RELI".
    static let applicationID: Int32 = 0x5245_4C49

    var migrator: DatabaseMigrator { Self.migrator(of: migrations) }

    /// A migrator without the migrations of the service.
    var migratorOfStores: DatabaseMigrator { Self.migrator(of: Array(migrations.dropFirst(Self.ofService.count))) }

    private static func migrator(of migrations: [SQLiteMigration]) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration(migration.name) { try $0.execute(sql: migration.sql) }
        }
        return migrator
    }

    /// Marks an empty file as a file of this program. Throws an error for a file of another program or of a newer version.
    func claim(_ database: Database, path: String) throws {
        if try pending(in: database, path: path) == nil { try database.execute(sql: "PRAGMA application_id = \(Self.applicationID)") }
    }

    /// Returns the names of the migrations that have not run yet, or `nil` for an empty file. Throws an error for a file of another program
    /// or of a newer version.
    func pending(in database: Database, path: String) throws -> [String]? {
        guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") != 0 else { return nil }
        guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == Self.applicationID else {
            throw DatabaseFileError.otherProgram(path: path)
        }
        let done = try migrator.appliedIdentifiers(database)
        let unknown = SQLiteMigration.forbidding(done, known: migrations)
        guard unknown.isEmpty else { throw DatabaseFileError.newerSchema(path: path, unknownSteps: unknown) }
        return migrations.map(\.name).filter { !done.contains($0) }
    }
}
