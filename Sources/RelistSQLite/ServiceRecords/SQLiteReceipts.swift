import Foundation
import GRDB
public import ScreenService
import Synchronization

/// The action receipts of an ``SQLiteServiceStore``, which survive restarts. Its functions throw the same errors as the store.
public struct SQLiteReceipts: ReceiptStoring {
    static let table = SQLiteMigration("receipts", table(named: "receipt"))

    static func table(named name: String) -> String {
        """
        CREATE TABLE \(name) (
            user TEXT NOT NULL,
            screen TEXT NOT NULL,
            action TEXT NOT NULL,
            key TEXT NOT NULL,
            request BLOB NOT NULL,
            performedAt INTEGER NOT NULL,
            PRIMARY KEY (user, screen, action, key)
        ) STRICT;
        CREATE INDEX \(name)ByAge ON \(name) (performedAt);
        """
    }

    private let database: any SQLiteEngine

    init(database: any SQLiteEngine) {
        self.database = database
    }

    /// Returns the receipt with the key `key`, or `nil` if there is none.
    public func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt? {
        try await database.read { database in
            let sql = "SELECT request, performedAt FROM grdb_relist_receipt WHERE user = ? AND screen = ? AND action = ? AND key = ?"
            guard let row = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: key.arguments) else { return nil }
            let (request, time) = try (row.value(0) as Data, row.value(1) as Int64)
            // An error is thrown, because without a receipt the action could run again.
            guard let version = Version(stored: request) else { throw RecordValueError.unreadable("The request of a receipt is damaged.") }
            return ActionReceipt(key: key, request: version, performedAt: time)
        }
    }

    /// Stores a receipt in its own transaction, or throws `ReceiptTaken` if there is a receipt with the same key.
    public func keep(_ receipt: ActionReceipt) async throws {
        try await database.write { database, _ in try Self.keep(receipt, in: database) }
    }

    /// Returns the number and size of receipts for each hour. Damaged rows are included, with the size of their readable bytes.
    public func holdings(at now: Int64) async throws -> [ReceiptHolding]? {
        try await database.read { database in
            let sql = """
                SELECT performedAt / 3600, count(*), ifnull(sum(length(CAST(user || screen || action || key AS BLOB))), 0) FROM grdb_relist_receipt
                WHERE performedAt > ? AND performedAt <= ? GROUP BY 1
                """
            return try Row.fetchAll(database, sql: sql, arguments: [now - ActionReceipt.lifetime, now + ActionReceipt.lifetime]).map {
                row in
                let (count, keyBytes) = try (row.value(1) as Int, row.value(2) as Int)
                let bytes = ActionReceipt.cost(ofKeyBytes: 0) * count + 2 * keyBytes
                return try ReceiptHolding(hour: row.value(0), count: count, bytes: bytes)
            }
        }
    }

    func isSameStore(as other: any ReceiptStoring) -> Bool {
        (other as? SQLiteReceipts)?.database === database
    }

    /// Stores a receipt within a transaction, or throws `ReceiptTaken`. Also removes expired receipts.
    static func keep(_ receipt: ActionReceipt, in database: Database) throws {
        let removing = try database.cachedStatement(sql: "DELETE FROM grdb_relist_receipt WHERE performedAt <= ?")
        try removing.execute(arguments: [receipt.performedAt - ActionReceipt.lifetime])
        let sql = "INSERT INTO grdb_relist_receipt VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        let storing = try database.cachedStatement(sql: sql)
        try storing.execute(arguments: receipt.key.arguments + [Data(receipt.request.stored), receipt.performedAt])
        if database.changesCount == 0 { throw ReceiptTaken() }
    }
}

extension ActionReceipt.Key {
    fileprivate var arguments: StatementArguments {
        StatementArguments(bound: [user, screen, action, text].map { $0.databaseValue.bound })
    }
}

extension SQLiteServiceStore {
    /// The receipts in the database of this store. They are closed with the store.
    public var receipts: any ReceiptStoring {
        SQLiteReceipts(database: database)
    }
}
