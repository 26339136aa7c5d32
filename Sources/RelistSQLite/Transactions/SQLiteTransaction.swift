import Foundation
public import GRDB
import GRDBSQLite
public import ScreenService

/// A transaction on one connection to SQLite. Within ``SQLiteServiceStore/read(_:)`` the connection is a read-only one.
///
/// Rows are read by column index: a thousand of them through `Codable` take four times as long. In a database of a team's,
/// statements on ``database`` need no topic.
public final class SQLiteTransaction: RecordTransaction {
    public let engine = RecordEngine.sqlite
    /// The connection, for statements that need more than this has. Where the store has a file of its own, say with
    /// ``recordRead(of:)`` and ``announce(_:)`` what they read and changed. The transaction is not theirs alone: they must not
    /// end it.
    public let database: Database
    private let recorder: ReadRecorder?
    private let cancellation: Cancellation?
    /// The trace of statements that name no topic.
    private let trace: StatementTrace?
    private(set) var touched: Set<Topic> = []

    /// - Parameter cancellation: keeps the next statement that reads from running.
    init(_ database: Database, recorder: ReadRecorder?, _ cancellation: Cancellation? = nil, _ trace: StatementTrace? = nil) {
        self.database = database
        self.recorder = recorder
        self.cancellation = cancellation
        self.trace = trace
    }

    /// Says that data of a topic was read.
    public func recordRead(of topic: Topic) {
        recorder?.record(topic)
    }

    /// Announces a topic when the transaction is committed.
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
        while try named({ try cursor.next() }) != nil {
            do {
                values.append(try value(SQLiteRow(statement: statement.sqliteStatement)))
            } catch {
                // The statement has changed all rows before it returned the first one, and counts them at its end.
                touched.formUnion(announced)
                throw error
            }
        }
        if !announced.isEmpty, database.totalChangesCount > before || !RecordSQL.isCounted(sql) { touched.formUnion(announced) }
        return values
    }

    public func row<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?], announcing announced: [Topic],
        _ value: (any RecordRow) throws -> Value
    ) throws -> Value? {
        // A statement that writes is run to its end.
        guard announced.isEmpty else { return try rows(of: topic, sql, arguments, announcing: announced, value).first }
        let statement = try statement(of: topic, sql, arguments, announcing: announced)
        let cursor = try Row.fetchCursor(statement)
        // The row is gone with the cursor.
        return try withExtendedLifetime(cursor) {
            try named { try cursor.next() } == nil ? nil : value(SQLiteRow(statement: statement.sqliteStatement))
        }
    }

    /// Runs `body`, whose reads have topics already, or show in no screen.
    private func named<Value>(_ body: () throws -> Value) throws -> Value {
        guard let trace else { return try body() }
        return try trace.pausing(body)
    }

    /// A statement that reads, with its arguments.
    private func statement(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?], announcing announced: [Topic]
    ) throws -> GRDB.Statement {
        try cancellation?.check()
        if let topic { recordRead(of: topic) }
        // Only a transaction that reads can be cancelled.
        let scalars = try RecordSQL.scalars(
            arguments, in: sql, isComparing: cancellation != nil || RecordSQL.isQuestion(sql, announcing: announced)
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
        do {
            let statement = try database.cachedStatement(sql: sql)
            try statement.execute(arguments: statement.arranged(scalars))
        } catch let error as DatabaseError {
            let cause: (any Error)? =
                switch error.extendedResultCode {
                case .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_ROWID:
                    key.isEmpty || error.uniqueColumns == key ? taken : nil
                case .SQLITE_CONSTRAINT_FOREIGNKEY: orphaned
                // SQLite implements RESTRICT by a trigger.
                case .SQLITE_CONSTRAINT_TRIGGER where error.message == "FOREIGN KEY constraint failed": orphaned
                default: nil
                }
            throw cause ?? error
        }
        let count = database.changesCount
        if count > 0 { touched.formUnion(topics) }
        return count
    }
}

extension DatabaseError {
    /// The columns of the unique key that a row breaks: SQLite names them as `UNIQUE constraint failed: note.title, note.author`.
    fileprivate var uniqueColumns: [String] {
        (message ?? "").split(separator: ": ").last.map { columns in
            columns.split(separator: ", ").map { String($0.split(separator: ".").last ?? "") }
        } ?? []
    }
}

extension GRDB.Statement {
    /// Returns the arguments in the order in which SQLite counts the places of the statement. It takes `$1` for a name, and counts
    /// names as they come.
    ///
    /// - Throws: `DatabaseError` where the statement has other places than arguments.
    fileprivate func arranged(_ scalars: [RecordScalar]) throws -> StatementArguments {
        let count = Int(sqlite3_bind_parameter_count(sqliteStatement))
        var used = 0
        let values = try (0..<count).map { index in
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
            throw DatabaseError(resultCode: .SQLITE_RANGE, message: "the statement has \(used) places for \(scalars.count) arguments", sql: sql)
        }
        return StatementArguments(bound: values)
    }
}

extension RecordScalar {
    /// The value as GRDB stores one of its type.
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

/// The row that a statement has come to.
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
                    decoding: UnsafeBufferPointer(start: sqlite3_column_text(statement, column), count: Int(sqlite3_column_bytes(statement, column))),
                    as: UTF8.self
                )
            )
        case SQLITE_BLOB:
            .bytes([UInt8](UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))))
        default: .null
        }
    }
}

extension DatabaseValue {
    /// The value to bind: the text that it is, or a blob where text would be cut short.
    ///
    /// GRDB hands strings to SQLite as C strings, which end at U+0000: the user `a\0b` would read the
    /// profile of `a`. As a blob it equals no text, so that reads find nothing, and `STRICT` tables
    /// refuse to store it.
    var bound: DatabaseValue {
        guard case .string(let string) = storage, string.utf8.contains(0) else { return self }
        return Data(string.utf8).databaseValue
    }
}

extension StatementArguments {
    /// Values are bound one by one: the library's code for collections is generic, and takes several times as long.
    init(bound values: [DatabaseValue?]) {
        self = values.reduce(into: StatementArguments()) { $0 += [$1] }
    }
}
