/// A transaction in which a store reads and writes its records, in SQLite or in PostgreSQL.
///
/// Code that runs in a transaction states the topic of each read. The topic is recorded even if the read finds no row, so that the result
/// becomes outdated when a matching row is inserted later. The code also states the topics of each write. They are announced after the
/// commit if the write has changed a row.
///
/// A store that uses only this interface runs on both engines. Statements refer to their arguments as `$1`, `$2` and so on. Each statement
/// is compiled once per connection. Both engines follow these rules:
/// - The body of a transaction can catch the error of a statement that writes, and the transaction continues without the changes of this
///   statement. If the statement was interrupted or conflicted with another transaction, nothing is committed.
/// - A transaction runs again if it conflicted with another transaction. Therefore its body must have no effects outside of the database.
/// - A text with the character U+0000 cannot be stored. It does not equal any stored text.
/// - Text is sorted by its bytes. In PostgreSQL this requires `COLLATE "C"` in the declaration of the column.
public protocol RecordTransaction: AnyObject {
    /// The database engine, for statements whose SQL differs between the engines.
    var engine: RecordEngine { get }

    /// Records that the transaction has read data of a topic.
    func recordRead(of topic: Topic)

    /// Announces a topic after the commit.
    func announce(_ topic: Topic)

    /// Reads all rows that a statement finds.
    ///
    /// - Parameters:
    ///   - topic: The topic that is read, or `nil` for data that no screen shows, such as data that is only compared before a write. In a
    ///     team's SQLite database, a statement without a topic records the tables and columns that it reads.
    ///   - announced: The topics to announce. If the statement is an INSERT, UPDATE or DELETE with RETURNING, they are announced only if it
    ///     has changed a row.
    ///   - value: A function that converts a row to a value.
    /// - Throws: ``RecordValueError``, the errors of `value`, and the errors of the engine.
    func rows<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?], announcing announced: [Topic],
        _ value: (any RecordRow) throws -> Value
    ) throws -> [Value]

    /// Reads the first row that a statement finds, or returns `nil` if there is none. See ``rows(of:_:_:announcing:_:)``.
    func row<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?], announcing announced: [Topic],
        _ value: (any RecordRow) throws -> Value
    ) throws -> Value?

    /// Runs a statement that writes.
    ///
    /// - Parameters:
    ///   - topics: The topics to announce if the statement changes a row.
    ///   - taken: The error to throw if another row has the same unique key.
    ///   - key: The columns of the unique key, or an empty array if `taken` concerns all primary and unique keys of the table.
    ///   - orphaned: The error to throw if the statement violates a foreign key.
    /// - Returns: The number of rows that were inserted, updated or deleted.
    /// - Throws: `taken`, `orphaned`, ``RecordValueError``, or an error of the engine.
    @discardableResult
    func write(
        _ sql: String, _ arguments: [(any RecordValue)?], announcing topics: [Topic], ifTaken taken: (any Error)?, key: [String],
        ifOrphaned orphaned: (any Error)?
    ) throws -> Int
}

extension RecordTransaction {
    /// Reads all rows that a statement finds. Announces no topics. See ``rows(of:_:_:announcing:_:)``.
    public func rows<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?] = [], _ value: (any RecordRow) throws -> Value
    ) throws -> [Value] {
        try rows(of: topic, sql, arguments, announcing: [], value)
    }

    /// Reads the first row that a statement finds. Announces no topics. See ``row(of:_:_:announcing:_:)``.
    public func row<Value>(
        of topic: Topic?, _ sql: String, _ arguments: [(any RecordValue)?] = [], _ value: (any RecordRow) throws -> Value
    ) throws -> Value? {
        try row(of: topic, sql, arguments, announcing: [], value)
    }

    /// Runs a statement that writes. See ``write(_:_:announcing:ifTaken:key:ifOrphaned:)``. Throws `taken` if another row has the same
    /// primary or unique key.
    @discardableResult
    public func write(
        _ sql: String, _ arguments: [(any RecordValue)?] = [], announcing topics: [Topic] = [], ifTaken taken: (any Error)? = nil,
        ifOrphaned orphaned: (any Error)? = nil
    ) throws -> Int {
        try write(sql, arguments, announcing: topics, ifTaken: taken, key: [], ifOrphaned: orphaned)
    }
}

/// A database engine.
public enum RecordEngine: Sendable {
    case sqlite, postgres
}

/// A store whose transactions read and write records, such as `SQLiteServiceStore` and `PostgresServiceStore`.
public protocol RecordStoring: Sendable {
    associatedtype Transaction: RecordTransaction

    /// Runs `body` in a read transaction on a thread of the store. The transaction sees one snapshot of the database.
    ///
    /// - Throws: The errors of `body` and of the engine, and `CancellationError` if the task is cancelled.
    func read<Value: Sendable>(_ body: @Sendable @escaping (Transaction) throws -> Value) async throws -> Value

    /// Runs `body` in a write transaction on a thread of the store. The transaction is rolled back if `body` throws an error, or if it is
    /// part of an action whose deadline passes before the commit. Cancelling the task does not end a write that has begun.
    ///
    /// - Throws: The errors of `body` and of the engine.
    func write<Value: Sendable>(_ body: @Sendable @escaping (Transaction) throws -> Value) async throws -> Value
}

/// A step that changes the schema of a database. The database stores the names of the steps that were performed.
///
/// Never change a step that was released, because some databases have already performed it. In PostgreSQL, replicas of the previous version
/// of the server continue to run during a step. Therefore a step may remove only the parts of the schema that these replicas do not use.
public struct RecordMigration: Sendable {
    package let name: String
    package var sql: String

    /// Creates a step whose SQL statements run in one transaction. In PostgreSQL, `name` must differ from the names of all other steps. In
    /// SQLite, `name` must differ only from the names of the service's own steps: if several of a team's steps have the same name, they are
    /// joined into one step.
    ///
    /// - Parameter isAdditive: A Boolean value that indicates whether older versions of the program can start after the step, because it
    ///   only adds what they do not need to know: a table, an index, or a column with a default value. Without it, they refuse to start.
    ///   The database stores this property in the name of the step, so it cannot be changed for a released step.
    public init(_ name: String, isAdditive: Bool = false, _ sql: String) {
        self.name = isAdditive ? name + Self.additiveMark : name
        self.sql = sql
    }

    private static let additiveMark = " (additive)"

    /// Returns the names of performed steps because of which this program must not use a database: steps that it does not have, and that are
    /// not additive.
    package static func forbidding(_ performed: Set<String>, known: some Sequence<RecordMigration>) -> [String] {
        performed.subtracting(known.map(\.name)).filter { !$0.hasSuffix(additiveMark) }.sorted()
    }
}
