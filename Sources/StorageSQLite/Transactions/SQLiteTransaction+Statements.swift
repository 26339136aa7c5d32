import GRDB
import Storage

// All statements go through these, so that each is compiled once for a connection. Rows are read
// by column index: a thousand of them through `Codable` take four times as long.
extension SQLiteTransaction {
    func rows<Value>(
        _ sql: String,
        _ arguments: StatementArguments = StatementArguments(),
        _ value: (Row) throws -> Value
    ) throws -> [Value] {
        let cursor = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
        var values: [Value] = []
        while let row = try cursor.next() {
            values.append(try value(row))
        }
        return values
    }

    func row<Value>(
        _ sql: String,
        _ arguments: StatementArguments = StatementArguments(),
        _ value: (Row) throws -> Value
    ) throws -> Value? {
        let cursor = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
        return try cursor.next().map(value)
    }

    /// Runs a statement that writes.
    ///
    /// - Parameters:
    ///   - taken: what it means that there is a row with that primary key already.
    ///   - orphaned: what it means that there is no row that a foreign key names.
    /// - Returns: how many rows it inserted, updated or deleted.
    @discardableResult
    func write(
        _ sql: String, _ arguments: StatementArguments, ifTaken taken: StoreError? = nil,
        ifOrphaned orphaned: StoreError? = nil
    ) throws -> Int {
        do {
            try database.cachedStatement(sql: sql).execute(arguments: arguments)
            return database.changesCount
        } catch let error as DatabaseError {
            let cause: StoreError? =
                switch error.extendedResultCode {
                case .SQLITE_CONSTRAINT_DATATYPE: .zeroCharacter
                case .SQLITE_CONSTRAINT_PRIMARYKEY: taken
                case .SQLITE_CONSTRAINT_FOREIGNKEY: orphaned
                default: nil
                }
            throw cause ?? error
        }
    }
}
