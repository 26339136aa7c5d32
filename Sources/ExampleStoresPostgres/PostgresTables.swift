public import ExampleStores
public import Logging
public import RelistPostgres
import ScreenService

/// The tables of one screen's store in PostgreSQL, and the transactions on them. All lie in the schema `example`.
public protocol PostgresTables: SendableMetatype {
    /// What the screen reads and writes within a transaction, such as `any SettingsTransaction`.
    associatedtype Transaction

    /// The step that makes the tables. Texts that are sorted are so by their bytes, whatever the database's language.
    static var migration: PostgresMigration { get }

    static func transaction(_ transaction: PostgresTransaction) -> Transaction
}

extension PostgresServiceStore {
    /// Opens a database with the tables of some screens and the examples in them.
    ///
    /// - Parameter tables: those of all screens that the database is ever opened with.
    /// - Throws: the `PostgresOpeningError` that keeps the database from being used.
    public static func open(
        url: String, tables: [any PostgresTables.Type], connections: Int = 10, logger: Logger
    ) async throws -> PostgresServiceStore {
        try await open(
            url: url, migrations: [insertedParts] + tables.map { $0.migration }, connections: connections, logger: logger
        ) { transaction in
            try insertMissingExamples(of: tables, in: transaction)
        }
    }

    /// The store of one screen. It closes with this one.
    public func store<Tables: PostgresTables>(_ tables: Tables.Type) -> any Store<Tables.Transaction> {
        PostgresStore<Tables>(database: self)
    }
}

private struct PostgresStore<Tables: PostgresTables>: Store {
    let database: PostgresServiceStore

    func read<Value: Sendable>(
        _ body: @Sendable @escaping (Tables.Transaction) throws -> Value
    ) async throws -> Value {
        try await database.read { try body(Tables.transaction($0)) }
    }

    func write<Value: Sendable>(
        _ body: @Sendable @escaping (inout Tables.Transaction) throws -> Value
    ) async throws -> Value {
        try await database.write { transaction in
            var transaction = Tables.transaction(transaction)
            return try body(&transaction)
        }
    }
}

// MARK: - Examples

extension PostgresServiceStore {
    /// A table with a row for each part of the examples that was inserted.
    private static let insertedParts = PostgresMigration(
        "examples", "CREATE SCHEMA example; CREATE TABLE example.inserted (part bigint NOT NULL PRIMARY KEY);"
    )

    private static func insertMissingExamples(
        of tables: [any PostgresTables.Type], in transaction: PostgresTransaction
    ) throws {
        let inserted = try Set(transaction.rows(of: nil, "SELECT part FROM example.inserted") { try $0[0] as Int })
        for part in try Examples.insertMissing(by: tables.map { begun($0, in: transaction) }, besides: inserted) {
            try transaction.write("INSERT INTO example.inserted VALUES ($1)", [part])
        }
    }

    private static func begun<Tables: PostgresTables>(_ tables: Tables.Type, in transaction: PostgresTransaction) -> Any {
        tables.transaction(transaction)
    }
}
