import GRDB

/// The steps that lead from an empty file to the tables this program uses.
///
/// A step that has been released is never changed: files have it behind them. Later ones follow.
struct Schema: Sendable {
    struct Step: Sendable {
        let name: String
        let sql: String
    }

    var steps: [Step]

    /// Marks a file as one of this program's: "RELI". Zero is that of a file that says nothing.
    static let applicationID: Int32 = 0x5245_4C49

    var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for step in steps {
            migrator.registerMigration(step.name) { try $0.execute(sql: step.sql) }
        }
        return migrator
    }

    /// Marks an empty file as this program's, and refuses any other file that is not for it before
    /// anything is written there.
    ///
    /// - Throws: ``StorageError/otherProgram(path:)``,
    ///   ``StorageError/newerSchema(path:unknownSteps:)``, errors of SQLite
    func claim(_ database: Database, path: String) throws {
        guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") != 0 else {
            return try database.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
        }
        guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == Self.applicationID else {
            throw StorageError.otherProgram(path: path)
        }
        let unknown = try migrator.appliedIdentifiers(database).subtracting(steps.map(\.name))
        guard unknown.isEmpty else {
            throw StorageError.newerSchema(path: path, unknownSteps: unknown.sorted())
        }
    }
}
