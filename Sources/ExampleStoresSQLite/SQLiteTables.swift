public import ExampleStores
import GRDB
public import Logging
import ScreenService
public import RelistSQLite

/// The tables of one screen's store in an SQLite file, and the transactions on them.
public protocol SQLiteTables: SendableMetatype {
    /// What the screen reads and writes within a transaction, such as `any SettingsTransaction`.
    associatedtype Transaction

    /// The step that makes the tables. They are `STRICT`, so that reading a column by its type fails only if the file is
    /// damaged.
    static var migration: SQLiteMigration { get }

    static func transaction(_ transaction: SQLiteTransaction) -> Transaction
}

extension SQLiteServiceStore {
    /// Opens the file at `path`, or creates it, with the tables of some screens and the examples in them.
    ///
    /// - Parameter tables: those of all screens that the file is ever opened with.
    /// - Throws: the `DatabaseFileError` that keeps the file from being used.
    public static func open(
        path: String, tables: [any SQLiteTables.Type], logger: Logger
    ) throws(DatabaseFileError) -> SQLiteServiceStore {
        try open(path: path, migrations: [insertedParts] + tables.map { $0.migration }, logger: logger) { transaction in
            try insertMissingExamples(of: tables, in: transaction)
        }
    }

    /// The store of one screen. It closes with this one.
    public func store<Tables: SQLiteTables>(_ tables: Tables.Type) -> any Store<Tables.Transaction> {
        SQLiteStore<Tables>(database: self)
    }
}

private struct SQLiteStore<Tables: SQLiteTables>: Store {
    let database: SQLiteServiceStore

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

extension SQLiteMigration {
    /// The name of the step that made the first tables of all, of settings, deliveries and posts.
    static let first = "records"
}

extension SQLiteServiceStore {
    /// A table with a row for each part of the examples that was inserted.
    private static let insertedParts = SQLiteMigration(
        SQLiteMigration.first, "CREATE TABLE examples (inserted INTEGER NOT NULL) STRICT;"
    )

    private static func insertMissingExamples(
        of tables: [any SQLiteTables.Type], in transaction: SQLiteTransaction
    ) throws {
        let inserted = try Set(transaction.rows(of: nil, "SELECT inserted FROM examples") { try $0.value(0) as Int })
        for part in try Examples.insertMissing(by: tables.map { begun($0, in: transaction) }, besides: inserted) {
            try transaction.write("INSERT INTO examples VALUES (?)", [part])
        }
    }

    private static func begun<Tables: SQLiteTables>(_ tables: Tables.Type, in transaction: SQLiteTransaction) -> Any {
        tables.transaction(transaction)
    }
}
