import GRDB
import ScreenService

/// The tables that a connection can read, with the properties of their columns. These properties determine which topics a change
/// announces.
struct ObservedTables: Sendable {
    struct Table: Sendable {
        let name: String
        var columns: Set<String> = ["rowid"]
        /// The columns that SQLite computes from other columns. A change of another column can change a generated column.
        var generatedColumns: Set<String> = []
        /// The columns of primary and unique keys, in lower case. An `UPDATE OR REPLACE` of such a column can delete another row, and an
        /// update of an integer primary key changes the rowid.
        fileprivate var uniqueColumns: Set<String> = ["rowid"]
        /// A Boolean value that is true if the table has no update hook. In this case, SQLite does not report changes of its rows
        /// (sqlite.org/c3ref/update_hook.html).
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
            // An error is ignored, because it means that the module of a virtual table is missing. No statement can read or write such a
            // table.
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

    /// Reads the columns of the table from the database, and adds them to the properties of this value.
    ///
    /// - Parameter schema: the name of the attached database that contains the table.
    fileprivate mutating func addColumns(of schema: String, _ database: Database) throws {
        // In `hidden`, the value 1 marks a hidden column of a virtual table. The values 2 and 3 mark a generated column
        // (sqlite.org/pragma.html#pragma_table_xinfo).
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
/// A statement that reads columns of a table depends on the topics of these columns. It also depends on the topic of the rows of the
/// table.
enum TableTopics {
    /// Returns the topic of the set of rows in a table. An insert or a delete announces this topic.
    static func rows(of table: String) -> Topic {
        Topic("sql/\(table.lowercased())")
    }

    /// Returns the topic of the values in a column. An update of the column announces this topic.
    static func column(_ column: String, of table: String) -> Topic {
        Topic("sql/\(table.lowercased())/\(column.lowercased())")
    }

    /// The topic that every read depends on.
    static let everything = Topic("sql")
}
