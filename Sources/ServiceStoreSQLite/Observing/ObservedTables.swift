import GRDB

/// The tables of a database, as far as it matters for what is read and written in them.
struct ObservedTables: Sendable {
    struct Table: Sendable {
        let name: String
        var columns: Set<String> = []
        /// Those that are computed from others, and change with them.
        var generatedColumns: Set<String> = []
        /// Whether SQLite tells of no row in it that changes: sqlite.org/c3ref/update_hook.html.
        let isSilent: Bool
    }

    /// Which state of the schema it is.
    let version: Int
    /// By name, in small letters.
    private(set) var tables: [String: Table] = [:]

    init(_ database: Database) throws {
        version = try Self.version(of: database)
        // Hidden columns are those of virtual tables, generated ones are 2 and 3: sqlite.org/pragma.html#pragma_table_xinfo.
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT t.name, t.type = 'virtual' OR t.wr, c.name, c.hidden IN (2, 3)
                FROM pragma_table_list t, pragma_table_xinfo(t.name, t.schema) c WHERE t.type <> 'view'
                """
        )
        while let row = try rows.next() {
            let name: String = row[0]
            var table = tables[name.lowercased()] ?? Table(name: name, columns: ["rowid"], isSilent: row[1])
            table.columns.insert(row[2])
            if row[3] { table.generatedColumns.insert(row[2]) }
            tables[name.lowercased()] = table
        }
    }

    static func version(of database: Database) throws -> Int {
        try Int.fetchOne(database.cachedStatement(sql: "PRAGMA schema_version")) ?? 0
    }

    func table(_ name: String) -> Table? { tables[name.lowercased()] }
}
