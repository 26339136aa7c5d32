public import ScreenService

/// The receipts of actions of a ``PostgresServiceStore``, for all replicas.
public struct PostgresReceipts: ReceiptStoring {
    private let store: PostgresServiceStore.Database

    init(store: PostgresServiceStore.Database) {
        self.store = store
    }

    /// One that is found is waited for until it lasts: the standby may not have it yet.
    ///
    /// - Throws: ``PostgresStoreError/closed``, `DataUnavailable`, ``PostgresError``
    public func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt? {
        guard try await store.read(nil, { try Self.kept(under: key, in: $0) }) != nil else { return nil }
        let (kept, position) = try await store.write(for: nil, isolation: .readCommitted) { transaction in
            // A commit that waits for the standby has it wait for all before it.
            _ = try transaction.row(of: nil, "SELECT pg_logical_emit_message(true, 'relist', '')::text") { _ in }
            transaction.drawPosition()
            // Once more, as another server may have become the primary.
            return try Self.kept(under: key, in: transaction)
        }
        return kept.map { ActionReceipt(key: key, request: $0.request, performedAt: $0.time, position: position) }
    }

    private static func kept(
        under key: ActionReceipt.Key, in transaction: PostgresTransaction
    ) throws -> (request: Version, time: Int64)? {
        let sql = "SELECT request, performed_at FROM relist.receipt WHERE key = sha256($1)"
        return try transaction.row(of: nil, sql, [key.stored]) { row in
            let (request, time): ([UInt8], Int64) = (try row[0], try row[1])
            return Version(stored: request).map { ($0, time) }
        } ?? nil
    }

    /// - Throws: `ReceiptTaken`, ``PostgresStoreError/closed``, `DataUnavailable`, ``PostgresError``
    public func keep(_ receipt: ActionReceipt) async throws {
        _ = try await store.write(for: nil, isolation: .readCommitted) { try Self.keep(receipt, in: $0) }
    }

    /// Whether these are the receipts that `other` stands for.
    func areWhere(_ other: any ReceiptStoring) -> Bool {
        (other as? PostgresReceipts)?.store === store
    }

    /// Keeps a receipt within a transaction. One under the same key that is too old to count makes room for it.
    ///
    /// - Throws: `ReceiptTaken`, ``PostgresError``
    static func keep(_ receipt: ActionReceipt, in transaction: PostgresTransaction) throws {
        let count = try transaction.write(
            """
            INSERT INTO relist.receipt AS kept VALUES (sha256($1), $2, $3)
            ON CONFLICT (key) DO UPDATE SET request = excluded.request, performed_at = excluded.performed_at
            WHERE kept.performed_at <= $4
            """,
            [receipt.key.stored, receipt.request.stored, receipt.performedAt, receipt.performedAt - ActionReceipt.lifetime]
        )
        if count == 0 { throw ReceiptTaken() }
    }
}

extension ActionReceipt.Key {
    /// No two keys have the same.
    fileprivate var stored: [UInt8] {
        [user, screen, action, text].reduce(into: []) { bytes, part in
            withUnsafeBytes(of: UInt32(part.utf8.count).bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: part.utf8)
        }
    }
}
