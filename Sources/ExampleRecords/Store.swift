public import ScreenService

/// The records of one screen, read and written in transactions of a database.
public struct Store<Transaction: ExampleTransaction>: Sendable {
    private let database: any RecordStoring

    public init(in database: any RecordStoring) {
        self.database = database
    }

    /// Calls `RecordStoring.read(_:)` to run `body` in one read transaction.
    public func read<Value: Sendable>(_ body: @Sendable @escaping (Transaction) throws -> Value) async throws -> Value {
        try await database.read { records in try Self.reportingDamage { try body(Transaction(records)) } }
    }

    /// Calls `RecordStoring.write(_:)` to run `body` in one write transaction.
    public func write<Value: Sendable>(_ body: @Sendable @escaping (inout Transaction) throws -> Value) async throws -> Value {
        try await database.write { records in
            var transaction = Transaction(records)
            return try Self.reportingDamage { try body(&transaction) }
        }
    }

    /// Runs `body`, and reports a stored value of the wrong type as damage, because the tables accept only values of the declared types.
    private static func reportingDamage<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as RecordValueError {
            if case .wrongType = error { throw RecordValueError.unreadable("\(error)") }
            throw error
        }
    }
}

/// A transaction on the records of one screen, with the migrations that create its tables. The same code runs on SQLite and PostgreSQL.
/// Functions that write are mutating, so that the compiler rejects them in ``Store/read(_:)``.
public protocol ExampleTransaction: SendableMetatype {
    /// The migrations in SQLite. The tables are `STRICT`, so that a stored value of the wrong type shows that the file is damaged.
    static var sqlite: [RecordMigration] { get }

    /// The migrations in PostgreSQL, in the schema `example`. Text that is sorted is declared `COLLATE "C"`.
    static var postgres: [RecordMigration] { get }

    /// The number of the part of the examples to which the records of this screen belong; `nil` if the screen has no example records. The
    /// examples are released in parts, and a database stores the numbers of the parts that it contains. A released part must keep its
    /// number and its records.
    static var examplesPart: Int? { get }

    init(_ records: any RecordTransaction)

    /// Inserts the example records of this screen.
    mutating func insertExamples() throws
}

extension ExampleTransaction {
    public static var examplesPart: Int? { nil }

    public mutating func insertExamples() {}
}
