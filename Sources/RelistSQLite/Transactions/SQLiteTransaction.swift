import Foundation
public import GRDB
import GRDBSQLite
public import ScreenService

/// A transaction on one connection to SQLite. Rows are read by the index of the column, because `Codable` takes four times as long.
public final class SQLiteTransaction: RecordTransaction {
    public let engine = RecordEngine.sqlite
    /// The connection of the transaction, which is read-only in ``SQLiteServiceStore/read(_:)``. Statements can be run directly on the
    /// connection. They must not end the transaction, because the transaction can contain other writes.
    ///
    /// A store with its own file does not determine the topics of these statements: call ``recordRead(of:)`` and ``announce(_:)``. A store
    /// in the database of a team determines which tables and columns the statements change. It also determines which tables and columns
    /// they read, unless it was opened with `isRecordingReads: false`.
    public let database: Database
    private let recorder: ReadRecorder?
    private let cancellation: Cancellation?
    private let trace: StatementTrace?
    /// The topics to announce after the commit.
    private(set) var touched: Set<Topic> = []

    /// Creates a transaction that has begun on the connection. After `cancellation` is cancelled, statements that read throw
    /// `CancellationError`.
    init(_ database: Database, recorder: ReadRecorder?, _ cancellation: Cancellation? = nil, _ trace: StatementTrace? = nil) {
        self.database = database
        self.recorder = recorder
        self.cancellation = cancellation
        self.trace = trace
    }

    /// Records that data of a topic was read.
    public func recordRead(of topic: Topic) {
        recorder?.record(topic)
    }

    /// Announces a topic after the transaction is committed.
    public func announce(_ topic: Topic) {
        touched.insert(topic)
    }
}

// MARK: - Statements

extension SQLiteTransaction {
    public func rows<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?], announcing announced: [Topic],
        _ value: (any RecordRow) throws -> Value
    ) throws -> [Value] {
        let before = database.totalChangesCount
        let statement = try statement(of: topic, sql, arguments, announcing: announced)
        let cursor = try Row.fetchCursor(statement)
        var values: [Value] = []
        while try named(topic, { try cursor.next() }) != nil {
            do {
                values.append(try value(SQLiteRow(statement: statement.sqliteStatement)))
            } catch {
                // The statement has changed all rows before it returns the first row, so its topics are announced. The count of changes
                // cannot be checked, because SQLite updates it only at the end of the statement.
                touched.formUnion(announced)
                throw error
            }
        }
        touch(announced, by: sql, since: before)
        return values
    }

    /// Announces topics after the commit if the statement has changed rows, or if SQLite does not count its changes. `before` is the total
    /// number of changes on the connection before the statement ran.
    private func touch(_ topics: [Topic], by sql: String, since before: Int) {
        if !topics.isEmpty, database.totalChangesCount != before || !RecordSQL.isCounted(sql) { touched.formUnion(topics) }
    }

    public func row<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?], announcing announced: [Topic],
        _ value: (any RecordRow) throws -> Value
    ) throws -> Value? {
        let statement = try statement(of: topic, sql, arguments, announcing: announced)
        // A statement that writes must run to its end, because SQLite checks foreign keys at the end.
        guard statement.isReadonly else { return try rows(of: nil, sql, arguments, announcing: announced, value).first }
        touch(announced, by: sql, since: database.totalChangesCount)
        let cursor = try Row.fetchCursor(statement)
        // The row is valid as long as the cursor exists.
        return try withExtendedLifetime(cursor) {
            try named(topic) { try cursor.next() } == nil ? nil : value(SQLiteRow(statement: statement.sqliteStatement))
        }
    }

    /// Runs `body`. If the caller has named a topic, no table that `body` reads is recorded, not even by a function that a statement calls.
    private func named<Value>(_ topic: Topic?, _ body: () throws -> Value) throws -> Value {
        guard let trace, topic != nil else { return try body() }
        return try trace.pausing(body)
    }

    private func statement(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?], announcing announced: [Topic]
    ) throws -> GRDB.Statement {
        try cancellation?.check()
        if let topic { recordRead(of: topic) }
        // A transaction with a `cancellation` only reads. So its statements use their arguments only for comparisons.
        let scalars = try RecordSQL.scalars(
            arguments, in: sql, isComparing: cancellation != nil || RecordSQL.readsOnly(sql, announcing: announced)
        )
        let statement = try database.cachedStatement(sql: sql)
        try statement.setArguments(statement.arranged(scalars))
        return statement
    }

    @discardableResult
    public func write(
        _ sql: String, _ arguments: [(any RecordValue)?], announcing topics: [Topic], ifTaken taken: (any Error)?, key: [String],
        ifOrphaned orphaned: (any Error)?
    ) throws -> Int {
        let scalars = try RecordSQL.scalars(arguments, in: sql, isComparing: false)
        let before = database.totalChangesCount
        do {
            let statement = try database.cachedStatement(sql: sql)
            try statement.execute(arguments: statement.arranged(scalars))
        } catch let error as DatabaseError {
            let cause: (any Error)? =
                switch error.extendedResultCode {
                case .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_ROWID:
                    key.isEmpty || error.uniqueColumns == key ? taken : nil
                case .SQLITE_CONSTRAINT_FOREIGNKEY: orphaned
                // SQLite implements RESTRICT with a trigger.
                case .SQLITE_CONSTRAINT_TRIGGER where error.message == "FOREIGN KEY constraint failed": orphaned
                default: nil
                }
            throw cause ?? error
        }
        touch(topics, by: sql, since: before)
        // After a statement other than INSERT, UPDATE or DELETE, `changesCount` is still the count of an earlier statement.
        return database.totalChangesCount != before ? database.changesCount : 0
    }
}

extension DatabaseError {
    /// The columns of the violated unique key, from a message such as `UNIQUE constraint failed: note.title, note.author`.
    fileprivate var uniqueColumns: [String] {
        (message ?? "").split(separator: ": ").last.map { columns in
            columns.split(separator: ", ").map { String($0.split(separator: ".").last ?? "") }
        } ?? []
    }
}

extension GRDB.Statement {
    /// Returns the arguments in the order of SQLite's parameter numbers. SQLite treats `$1` as a name, and assigns numbers to names in the
    /// order of their first appearance.
    fileprivate func arranged(_ scalars: [RecordScalar]) throws -> StatementArguments {
        let count = Int(sqlite3_bind_parameter_count(sqliteStatement))
        var used = 0
        let values =
            try (0..<count).map { index in
                guard let name = sqlite3_bind_parameter_name(sqliteStatement, Int32(index + 1)), name.pointee == UInt8(ascii: "$") else {
                    used = max(used, index + 1)
                    return index < scalars.count ? scalars[index].databaseValue : nil
                }
                guard let number = Int(String(cString: name + 1)), scalars.indices.contains(number - 1) else {
                    throw DatabaseError(resultCode: .SQLITE_RANGE, message: "there is no argument \(String(cString: name))", sql: sql)
                }
                used = max(used, number)
                return scalars[number - 1].databaseValue
            } as [DatabaseValue?]
        guard used == scalars.count else {
            throw DatabaseError(
                resultCode: .SQLITE_RANGE, message: "the statement has \(used) places for \(scalars.count) arguments", sql: sql)
        }
        return StatementArguments(bound: values)
    }
}

extension RecordScalar {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .bool(let value): value.databaseValue
        case .integer(let number): number.databaseValue
        case .number(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        case .uuid(let uuid): uuid.databaseValue
        case .timestamp(let date): date.recordText.databaseValue
        }
    }
}

/// The current row of a statement.
private struct SQLiteRow: RecordRow {
    let statement: OpaquePointer

    func scalar(at column: Int) throws(RecordValueError) -> RecordScalar {
        guard (0..<Int(sqlite3_column_count(statement))).contains(column) else { throw .wrongType(column: column) }
        let column = Int32(column)
        return switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .number(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            .text(
                String(
                    decoding: UnsafeBufferPointer(
                        start: sqlite3_column_text(statement, column), count: Int(sqlite3_column_bytes(statement, column))),
                    as: UTF8.self
                )
            )
        case SQLITE_BLOB:
            .bytes(
                [UInt8](
                    UnsafeRawBufferPointer(
                        start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))))
        default: .null
        }
    }
}

extension DatabaseValue {
    /// The value that is bound to a parameter. A text with U+0000 is replaced by a blob, because GRDB passes texts as C strings, which end
    /// at U+0000. Otherwise the user `a\0b` would read the profile of `a`. A blob never equals a text, and a `STRICT` table rejects a blob
    /// in a column of texts.
    var bound: DatabaseValue {
        guard case .string(let string) = storage, string.utf8.contains(0) else { return self }
        return Data(string.utf8).databaseValue
    }
}

extension StatementArguments {
    /// Creates arguments from values. The values are added one by one, because GRDB's code for collections takes several times as long.
    init(bound values: [DatabaseValue?]) {
        self = values.reduce(into: StatementArguments()) { $0 += [$1] }
    }
}
