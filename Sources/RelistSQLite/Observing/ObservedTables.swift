import GRDB
import ScreenService

/// The tables of a connection, as far as it matters for what is read and written in them.
struct ObservedTables: Sendable {
    struct Table: Sendable {
        let name: String
        var columns: Set<String> = ["rowid"]
        /// Those that are computed from others, and change with them.
        var generatedColumns: Set<String> = []
        /// Those that tell its rows apart, in small letters: setting one can delete another row, where a conflict is to be
        /// resolved so, and can change the rowid under another of its names.
        fileprivate var uniqueColumns: Set<String> = ["rowid"]
        /// Whether SQLite tells of no row in it that changes: sqlite.org/c3ref/update_hook.html.
        var isSilent = false
    }

    /// Which state of the schema it is, of each database of the connection.
    let versions: [String]
    /// By name, in small letters.
    private(set) var tables: [String: Table] = [:]

    init(_ database: Database) throws {
        versions = try Self.versions(of: database)
        let rows = try Row.fetchAll(database, sql: "SELECT schema, name, type = 'virtual' OR wr FROM pragma_table_list WHERE type <> 'view'")
        for row in rows {
            let name: String = row[1]
            var table = tables[name.lowercased()] ?? Table(name: name)
            if row[2] { table.isSilent = true }
            // Where the module of a virtual table is not there, nobody reads or writes it.
            try? table.addColumns(of: row[0], database)
            tables[name.lowercased()] = table
        }
    }

    static func versions(of database: Database) throws -> [String] {
        try String.fetchAll(database.cachedStatement(sql: "SELECT name FROM pragma_database_list")).compactMap { name in
            let version = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA \(name.quotedDatabaseIdentifier).schema_version"))
            // One that is empty, as that of temporary tables is at first, may be listed or not.
            return version.flatMap { $0 == 0 ? nil : "\(name) \($0)" }
        }
    }

    func table(_ name: String) -> Table? { tables[name.lowercased()] }
}

extension ObservedTables.Table {
    func tellsRowsApart(anyOf columns: Set<String>) -> Bool {
        columns.contains { uniqueColumns.contains($0.lowercased()) }
    }

    /// - Parameter schema: of the database of the connection that has the table.
    fileprivate mutating func addColumns(of schema: String, _ database: Database) throws {
        // Hidden columns are those of virtual tables, generated ones are 2 and 3: sqlite.org/pragma.html#pragma_table_xinfo.
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

/// The topics of tables, for what is read and written without naming one.
///
/// Who reads columns of a table depends on those columns, and on which rows there are.
enum TableTopics {
    /// Which rows there are.
    static func rows(of table: String) -> Topic {
        Topic("sql/\(table.lowercased())")
    }

    static func column(_ column: String, of table: String) -> Topic {
        Topic("sql/\(table.lowercased())/\(column.lowercased())")
    }

    /// All that there is: who reads anything depends on it.
    static let everything = Topic("sql")
}
