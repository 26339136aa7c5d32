import GRDB
import ScreenService

/// The tables that a connection can read, with the properties that determine which topics a change of a table announces.
struct ObservedTables: Sendable {
    struct Table: Sendable {
        let name: String
        var columns: Set<String> = ["rowid"]
        /// The columns that SQLite computes from other columns. A generated column can change when another column is set.
        var generatedColumns: Set<String> = []
        /// The columns of primary and unique keys, in lower case. An `UPDATE OR REPLACE` that sets such a column can delete another row,
        /// and an update of an integer primary key changes the rowid.
        fileprivate var uniqueColumns: Set<String> = ["rowid"]
        /// A Boolean value that is true if SQLite reports no changes of the rows (sqlite.org/c3ref/update_hook.html).
        var hasNoUpdateHook = false
    }

    /// The name and schema version of each database of the connection, as text.
    let versions: [String]
    /// The tables by name, in lower case.
    private(set) var tables: [String: Table] = [:]

    init(_ database: Database) throws {
        versions = try Self.versions(of: database)
        let rows = try Row.fetchAll(
            database, sql: "SELECT schema, name, type = 'virtual' OR wr FROM pragma_table_list WHERE type <> 'view'")
        for row in rows {
            let name: String = row[1]
            var table = tables[name.lowercased()] ?? Table(name: name)
            if row[2] { table.hasNoUpdateHook = true }
            // An error means that the module of a virtual table is missing. In this case, no statement can read or write the table.
            try? table.addColumns(of: row[0], database)
            tables[name.lowercased()] = table
        }
    }

    static func versions(of database: Database) throws -> [String] {
        try String.fetchAll(database.cachedStatement(sql: "SELECT name FROM pragma_database_list")).compactMap { name in
            let version = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA \(name.quotedDatabaseIdentifier).schema_version"))
            // An empty database of temporary tables is left out, because SQLite does not always list it.
            return version.flatMap { $0 == 0 ? nil : "\(name) \($0)" }
        }
    }

    func table(_ name: String) -> Table? { tables[name.lowercased()] }
}

extension ObservedTables.Table {
    func hasUniqueColumn(in columns: Set<String>) -> Bool {
        columns.contains { uniqueColumns.contains($0.lowercased()) }
    }

    /// Adds the columns of the table, which is in the attached database `schema`.
    fileprivate mutating func addColumns(of schema: String, _ database: Database) throws {
        // The values 2 and 3 of `hidden` mark a generated column (sqlite.org/pragma.html#pragma_table_xinfo).
        let sql = "SELECT name, hidden IN (2, 3), pk > 0 FROM pragma_table_xinfo(?, ?)"
        for row in try Row.fetchAll(database, sql: sql, arguments: [name, schema]) {
            let column: String = row[0]
            columns.insert(column)
            if row[1] { generatedColumns.insert(column) }
            if row[2] { uniqueColumns.insert(column.lowercased()) }
        }
        let unique = """
            SELECT c.name FROM pragma_index_list(?1, ?2) i, pragma_index_info(i.name, ?2) c WHERE i."unique" AND c.name IS NOT NULL
            """
        uniqueColumns.formUnion(try String.fetchAll(database, sql: unique, arguments: [name, schema]).map { $0.lowercased() })
    }
}

/// The topics of statements for which the caller names no topic.
///
/// A read of a column depends on the topic of the column and on the topic of the rows of the table.
enum TableTopics {
    /// Returns the topic that an insert into the table or a delete from it announces.
    static func rows(of table: String) -> Topic {
        Topic("sql/\(table.lowercased())")
    }

    /// Returns the topic that an update of the column announces.
    static func column(_ column: String, of table: String) -> Topic {
        Topic("sql/\(table.lowercased())/\(column.lowercased())")
    }

    /// The topic that every read depends on. It is announced after a change of the schema, and if the changed tables are unknown.
    static let everything = Topic("sql")
}
