/// A transaction in which a store reads and writes its records, in SQLite or in PostgreSQL.
///
/// Each read names the topic that it reads, also where it finds nothing, so that a later insert outdates what was read. Each
/// write names the topics that it outdates. They are announced after the commit, if the statement changed a row.
///
/// A store that is written on this interface runs on both engines. Statements have their arguments as `$1`, `$2` and so on, and
/// are compiled once for a connection. The engines agree in what their users rely on:
/// - An error of a statement that writes can be caught. The transaction goes on without that statement. After a statement that was
///   stopped, or that another transaction was in the way of, nothing is committed, whatever the body catches.
/// - A transaction may run again, because another one conflicted with it. So its body changes nothing but the database.
/// - A text with the character U+0000 cannot be stored, and equals no stored text.
/// - Text is sorted by its bytes. In PostgreSQL this takes `COLLATE "C"` in the declaration of the column.
public protocol RecordTransaction: AnyObject {
    /// The engine, for a statement that the engines write differently.
    var engine: RecordEngine { get }

    /// Records that data of a topic was read.
    func recordRead(of topic: Topic)

    /// Announces a topic when the transaction is committed.
    func announce(_ topic: Topic)

    /// Reads all rows that a statement finds.
    ///
    /// - Parameters:
    ///   - topic: the topic that is read; nil where no screen shows it, as for a comparison before a write.
    ///   - announced: the topics that are outdated if the statement changes a row: INSERT, UPDATE or DELETE with RETURNING. Any
    ///     other statement outdates them in any case.
    /// - Throws: what `value` throws, ``RecordValueError``, errors of the engine.
    func rows<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?], announcing announced: [Topic],
        _ value: (any RecordRow) throws -> Value
    ) throws -> [Value]

    /// Reads the first row that a statement finds; nil where it finds none. The parameters are those of
    /// ``rows(of:_:_:announcing:_:)``.
    func row<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?], announcing announced: [Topic],
        _ value: (any RecordRow) throws -> Value
    ) throws -> Value?

    /// Runs a statement that writes.
    ///
    /// - Parameters:
    ///   - topics: the topics that are outdated if it changes a row.
    ///   - taken: the error to throw where there is a row with the same unique key already.
    ///   - key: the columns of the unique key that `taken` is for; empty for any primary or unique key of the table.
    ///   - orphaned: the error to throw where there is no row that a foreign key names, or where a row still names this one.
    /// - Returns: the number of rows that it inserted, updated or deleted.
    /// - Throws: `taken`, `orphaned`, ``RecordValueError``, errors of the engine.
    @discardableResult
    func write(
        _ sql: String, _ arguments: [(any RecordValue)?], announcing topics: [Topic], ifTaken taken: (any Error)?, key: [String],
        ifOrphaned orphaned: (any Error)?
    ) throws -> Int
}

extension RecordTransaction {
    /// Reads all rows that a statement finds: ``rows(of:_:_:announcing:_:)``, where no argument or topic is needed.
    public func rows<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?] = [], _ value: (any RecordRow) throws -> Value
    ) throws -> [Value] {
        try rows(of: topic, sql, arguments, announcing: [], value)
    }

    /// Reads the first row that a statement finds: ``row(of:_:_:announcing:_:)``, where no argument or topic is needed.
    public func row<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?] = [], _ value: (any RecordRow) throws -> Value
    ) throws -> Value? {
        try row(of: topic, sql, arguments, announcing: [], value)
    }

    /// Runs a statement that writes: ``write(_:_:announcing:ifTaken:key:ifOrphaned:)``, where not all of it is needed.
    @discardableResult
    public func write(
        _ sql: String, _ arguments: [(any RecordValue)?] = [], announcing topics: [Topic] = [], ifTaken taken: (any Error)? = nil,
        ifOrphaned orphaned: (any Error)? = nil
    ) throws -> Int {
        try write(sql, arguments, announcing: topics, ifTaken: taken, key: [], ifOrphaned: orphaned)
    }
}

/// A database that keeps records.
public enum RecordEngine: Sendable {
    case sqlite, postgres
}

/// A store whose transactions read and write records: `SQLiteServiceStore`, `PostgresServiceStore`.
public protocol RecordStoring: Sendable {
    associatedtype Transaction: RecordTransaction

    /// Runs `body` in one read transaction, which sees one state, on a thread of the store's own.
    ///
    /// - Throws: what `body` throws, errors of the engine; `CancellationError` where the task is cancelled before the value is
    ///   returned.
    func read<Value: Sendable>(_ body: @Sendable @escaping (Transaction) throws -> Value) async throws -> Value

    /// Runs `body` in one write transaction, on a thread of the store's own. Where `body` throws, nothing is stored. Cancelling
    /// the task does not stop a write that has begun. The transaction of an action that is given up before the commit is rolled
    /// back.
    ///
    /// - Throws: what `body` throws, errors of the engine.
    func write<Value: Sendable>(_ body: @Sendable @escaping (Transaction) throws -> Value) async throws -> Value
}

/// A step from an empty database to the tables of today. The database remembers it by its name.
///
/// A released step is never changed, as databases have it behind them; later steps follow. In PostgreSQL, replicas of the
/// version before go on while a step runs: it adds what they do not read, and removes only what no version reads any more.
public struct RecordMigration: Sendable {
    package let name: String
    package var sql: String

    /// - Parameters:
    ///   - name: unlike the name of any other step.
    ///   - sql: any number of statements. They run in one transaction.
    public init(_ name: String, _ sql: String) {
        (self.name, self.sql) = (name, sql)
    }
}
