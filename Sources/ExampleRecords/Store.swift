public import ScreenService

/// The records of one screen, read and written in transactions of a database.
public struct Store<Transaction: ExampleTransaction>: Sendable {
    private let database: any RecordStoring

    public init(in database: any RecordStoring) {
        self.database = database
    }

    /// Runs `body` in one read transaction: `RecordStoring.read(_:)`.
    public func read<Value: Sendable>(_ body: @Sendable @escaping (Transaction) throws -> Value) async throws -> Value {
        try await database.read { records in try Self.noticingDamage { try body(Transaction(records)) } }
    }

    /// Runs `body` in one write transaction: `RecordStoring.write(_:)`.
    public func write<Value: Sendable>(_ body: @Sendable @escaping (inout Transaction) throws -> Value) async throws -> Value {
        try await database.write { records in
            var transaction = Transaction(records)
            return try Self.noticingDamage { try body(&transaction) }
        }
    }

    /// The tables take no value of another type than the columns declare.
    private static func noticingDamage<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as RecordValueError {
            if case .wrongType = error { throw RecordValueError.unreadable("\(error)") }
            throw error
        }
    }
}

/// A transaction on the records of one screen, and the steps to their tables. The same code runs on both engines.
///
/// Functions that write are mutating, so that the compiler rejects them in ``Store/read(_:)``.
public protocol ExampleTransaction: SendableMetatype {
    /// The steps to the tables in SQLite. The tables are `STRICT`, so that a column that is read by its type fails only if the
    /// file is damaged.
    static var sqlite: [RecordMigration] { get }

    /// The steps to the tables in PostgreSQL, in the schema `example`. Text that is sorted is declared `COLLATE "C"`.
    static var postgres: [RecordMigration] { get }

    /// The part of the examples that ``insertExamples()`` inserts; nil where a new database has none. A database stores the number
    /// of each part that was inserted. So a released part keeps its number and its records, and later examples are a later part.
    static var examplesPart: Int? { get }

    init(_ records: any RecordTransaction)

    /// Inserts the examples.
    ///
    /// - Throws: the errors of the inserts, such as ``PostsStoreError/postExists(id:)`` where they were inserted before.
    mutating func insertExamples() throws
}

extension ExampleTransaction {
    public static var examplesPart: Int? { nil }

    public mutating func insertExamples() {}
}
