import GRDB
import Storage

extension Examples {
    /// Inserts the examples into a new database. It is no step of the schema, because such a step
    /// would have to work on the tables of its time for ever.
    static func insertOnce(_ database: Database) throws {
        guard try Int.fetchOne(database, sql: "SELECT count(*) FROM examples") == 0 else { return }
        try Examples.insert(into: SQLiteTransaction(database, recorder: nil))
        try database.execute(sql: "INSERT INTO examples VALUES (1)")
    }
}
