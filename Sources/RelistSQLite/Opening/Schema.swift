import GRDB
public import ScreenService

/// A step to the tables in an SQLite file. Steps of one name are one step.
public typealias SQLiteMigration = RecordMigration

/// All steps that lead to the tables of the service and of those who share its file.
struct Schema: Sendable {
    var migrations: [SQLiteMigration]

    /// - Parameter more: what comes after the tables of the service itself. Those of one name are one step.
    /// - Precondition: none has the name of a step of the service, which files have behind them.
    init(adding more: [SQLiteMigration] = []) {
        migrations = [SQLiteHistory.firstTable, SQLiteServiceStore.secretTable, SQLiteReceipts.table, SQLiteHistory.table, Self.names]
        let own = Set(migrations.map(\.name))
        for migration in more {
            precondition(!own.contains(migration.name), "the step \(migration.name) is one of the service's: name it otherwise")
            if let place = migrations.firstIndex(where: { $0.name == migration.name }) {
                migrations[place].sql += "\n" + migration.sql
            } else {
                migrations.append(migration)
            }
        }
    }

    /// The names that the tables of the service have wherever they lie.
    private static let names = SQLiteMigration(
        "names",
        ["version", "secret", "receipt"].map { "ALTER TABLE \($0) RENAME TO \(ServiceTables.prefix)\($0);" }.joined(separator: "\n")
    )

    /// The mark of a file of this program: "RELI". Zero is that of a file that says nothing.
    static let applicationID: Int32 = 0x5245_4C49

    var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration(migration.name) { try $0.execute(sql: migration.sql) }
        }
        return migrator
    }

    /// Marks an empty file as this program's, and refuses any other file that is not for it before
    /// anything is written there.
    ///
    /// - Throws: ``DatabaseFileError/otherProgram(path:)``,
    ///   ``DatabaseFileError/newerSchema(path:unknownSteps:)``, errors of SQLite
    func claim(_ database: Database, path: String) throws {
        guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") != 0 else {
            return try database.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
        }
        guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == Self.applicationID else {
            throw DatabaseFileError.otherProgram(path: path)
        }
        let unknown = try migrator.appliedIdentifiers(database).subtracting(migrations.map(\.name))
        guard unknown.isEmpty else {
            throw DatabaseFileError.newerSchema(path: path, unknownSteps: unknown.sorted())
        }
    }
}
