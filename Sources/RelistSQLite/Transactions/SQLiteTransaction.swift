import Foundation
public import GRDB
public import ScreenService

/// A transaction on one connection, in which a screen's store reads and writes its records.
///
/// Each read names the topic of what it reads, found or not, so that its coming is announced to whoever
/// missed it; each write names the topics that it makes stale, which are announced once it is committed and
/// only if it changed a row. Within ``SQLiteServiceStore/read(_:)`` the connection is a read-only one.
///
/// All statements go through it, so that each is compiled once for a connection. Rows are read by column
/// index: a thousand of them through `Codable` take four times as long. In a database of a team's, statements on
/// ``database`` need no topic.
public final class SQLiteTransaction {
    /// A value of a statement's argument.
    public typealias Argument = (any DatabaseValueConvertible)?

    /// The connection, for statements that need more than this has. Where the store has a file of its own, say with
    /// ``recordRead(of:)`` and ``announce(_:)`` what they read and changed. The transaction is not theirs alone: they must not
    /// end it.
    public let database: Database
    private let recorder: ReadRecorder?
    private let cancellation: Cancellation?
    /// What tells of reads that name no topic.
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

    /// Has a topic announced when the transaction is committed.
    public func announce(_ topic: Topic) {
        touched.insert(topic)
    }
}

// MARK: - Statements

extension SQLiteTransaction {
    /// Reads all rows that a statement finds.
    ///
    /// - Parameter topic: what is read; nil where nobody sees it, as for a comparison before a write.
    public func rows<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [Argument] = [], _ value: (Row) throws -> Value
    ) throws -> [Value] {
        let cursor = try rowCursor(topic, sql, arguments)
        var values: [Value] = []
        while let row = try named({ try cursor.next() }) {
            values.append(try value(row))
        }
        return values
    }

    /// Reads the first row that a statement finds; nil where it finds none.
    ///
    /// - Parameter topic: what is read; nil where nobody sees it, as for a comparison before a write.
    public func row<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [Argument] = [], _ value: (Row) throws -> Value
    ) throws -> Value? {
        let cursor = try rowCursor(topic, sql, arguments)
        // A cursor that is let go takes the values of its row along.
        return try withExtendedLifetime(cursor) { try named { try cursor.next() }.map(value) }
    }

    /// Runs `body`, which reads what has a name, or what nobody sees.
    private func named<Value>(_ body: () throws -> Value) throws -> Value {
        guard let trace else { return try body() }
        return try trace.pausing(body)
    }

    private func rowCursor(_ topic: Topic?, _ sql: String, _ arguments: [Argument]) throws -> RowCursor {
        try cancellation?.check()
        if let topic { recordRead(of: topic) }
        return try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: Self.bound(arguments))
    }

    /// Runs a statement that writes.
    ///
    /// - Parameters:
    ///   - topics: what is stale if it changes a row.
    ///   - taken: what it means that there is a row with that primary key already.
    ///   - orphaned: what it means that there is no row that a foreign key names.
    /// - Returns: how many rows it inserted, updated or deleted.
    /// - Throws: `taken`, `orphaned`, ``SQLiteStoreError/zeroCharacter``, errors of SQLite.
    @discardableResult
    public func write(
        _ sql: String, _ arguments: [Argument] = [], announcing topics: [Topic] = [], ifTaken taken: (any Error)? = nil,
        ifOrphaned orphaned: (any Error)? = nil
    ) throws -> Int {
        do {
            try database.cachedStatement(sql: sql).execute(arguments: Self.bound(arguments))
        } catch let error as DatabaseError {
            let cause: (any Error)? =
                switch error.extendedResultCode {
                case .SQLITE_CONSTRAINT_DATATYPE: SQLiteStoreError.zeroCharacter
                case .SQLITE_CONSTRAINT_PRIMARYKEY: taken
                case .SQLITE_CONSTRAINT_FOREIGNKEY: orphaned
                default: nil
                }
            throw cause ?? error
        }
        let count = database.changesCount
        if count > 0 { touched.formUnion(topics) }
        return count
    }

    private static func bound(_ arguments: [Argument]) -> StatementArguments {
        StatementArguments(bound: arguments.map { $0?.databaseValue.bound })
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
    /// One by one: the library's code for collections is generic, and takes several times as long.
    init(bound values: [DatabaseValue?]) {
        self = values.reduce(into: StatementArguments()) { $0 += [$1] }
    }
}
