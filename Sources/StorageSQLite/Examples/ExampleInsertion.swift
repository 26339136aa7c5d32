import GRDB
import Storage

extension Examples {
    /// Inserts those of the parts that the database has not got yet: all of them into a new one,
    /// those that came later into one of an older version. It is no step of the schema, because
    /// such a step would have to work on the tables of its time for ever.
    static func insertMissing(of parts: [Part], into database: Database) throws {
        let inserted = try Set(Int.fetchAll(database, sql: "SELECT inserted FROM examples"))
        for part in parts where !inserted.contains(part.rawValue) {
            try Examples.insert(part, into: SQLiteTransaction(database, recorder: nil))
            try database.execute(sql: "INSERT INTO examples VALUES (?)", arguments: [part.rawValue])
        }
    }
}
