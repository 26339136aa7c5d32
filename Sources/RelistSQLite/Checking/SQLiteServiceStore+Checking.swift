import GRDB
public import Logging
public import ScreenService

extension SQLiteServiceStore {
    /// Checks whether a server could use the file at `path`. The check opens the file only for reading, changes nothing, and creates no
    /// file. A running server may have the file open.
    ///
    /// - Parameter migrations: the migrations of the stores that share the file, as for ``open(path:migrations:logger:fill:)``.
    /// - Returns: the findings, and a store in memory on which the migrations have run.
    public static func check(path: String, migrations: [SQLiteMigration] = [], logger: Logger) -> StoreCheck<SQLiteServiceStore> {
        let schema = Schema(adding: migrations)
        let findings = FileCheck(schema: schema).findings(on: path)
        do {
            let memory = try DatabaseQueue()
            try schema.migratorOfStores.migrate(memory)
            return StoreCheck(findings: findings, store: try open(in: memory, isRecordingReads: false, logger: logger))
        } catch {
            let broken = CheckFinding.error("migrations", "they fail on an empty database: \(error). Correct the failed statement.")
            return StoreCheck(findings: findings + [broken])
        }
    }
}
