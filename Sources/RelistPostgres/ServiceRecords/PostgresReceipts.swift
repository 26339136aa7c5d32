public import ScreenService

/// The receipts of actions of a ``PostgresServiceStore``, for all replicas.
public struct PostgresReceipts: ReceiptStoring {
    typealias Database = PostgresServiceStore.Database

    private let store: Database

    init(store: Database) {
        self.store = store
    }

    /// Returns a receipt once it is durable: the standby may not have it yet when it is found. Concurrent calls share one commit.
    ///
    /// - Throws: ``PostgresStoreError/closed``, `DataUnavailable`, ``PostgresError``
    public func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt? {
        // In a lane of its own: all other connections may wait for locked tables.
        guard try await store.read(nil, in: .receipts, { try Self.kept(under: key, in: $0) }) != nil else { return nil }
        do {
            return try await store.durableReceipts.value(of: key) { [store] in try await Self.durable(under: $0, in: store) }
        } catch is Database.ReceiptLookups.Overload {
            throw DataUnavailable(reason: "too many receipts are looked up")
        }
    }

    /// The receipts under these keys, after a commit. Once the standby has confirmed this commit, it has all earlier ones too.
    private static func durable(
        under keys: [ActionReceipt.Key], in store: Database
    ) async throws -> [ActionReceipt.Key: ActionReceipt] {
        let (found, position) = try await store.write(for: nil, isolation: .readCommitted) { transaction in
            _ = try transaction.row(of: nil, "SELECT pg_logical_emit_message(true, 'relist', '')::text") { _ in }
            transaction.drawPosition()
            // Once more, as another server may have become the primary.
            return try Self.kept(under: keys, in: transaction)
        }
        return found.mapValues { ActionReceipt(key: $0.key, request: $0.request, performedAt: $0.performedAt, position: position) }
    }

    private static func kept(under key: ActionReceipt.Key, in transaction: PostgresTransaction) throws -> ActionReceipt? {
        try kept(under: [key], in: transaction)[key]
    }

    private static func kept(
        under keys: [ActionReceipt.Key], in transaction: PostgresTransaction
    ) throws -> [ActionReceipt.Key: ActionReceipt] {
        let sql = "SELECT request, performed_at FROM relist.receipt WHERE key = sha256($1)"
        let results = try transaction.run(keys.map { Statement(sql, [.bytes($0.stored)]) })
        return try zip(keys, results).reduce(into: [:]) { found, pair in
            guard pair.1.rowCount == 1 else { return }
            let (request, time): ([UInt8], Int64) = (try pair.1.row(0)[0], try pair.1.row(0)[1])
            found[pair.0] = Version(stored: request).map { ActionReceipt(key: pair.0, request: $0, performedAt: time) }
        }
    }

    /// - Throws: `ReceiptTaken`, ``PostgresStoreError/closed``, `DataUnavailable`, ``PostgresError``
    public func keep(_ receipt: ActionReceipt) async throws {
        _ = try await store.write(for: nil, isolation: .readCommitted) { try Self.keep(receipt, in: $0) }
    }

    /// A row and its places in two indexes. The key is stored as a hash.
    public func cost(of key: ActionReceipt.Key) -> Int { Self.cost }
    private static let cost = 200

    /// - Throws: ``PostgresStoreError/closed``, `DataUnavailable`, ``PostgresError``
    public func holdings(at now: Int64) async throws -> [ReceiptHolding]? {
        try await store.read(nil) { transaction in
            let sql = "SELECT performed_at / 3600, count(*) FROM relist.receipt WHERE performed_at > $1 AND performed_at <= $2 GROUP BY 1"
            return try transaction.rows(of: nil, sql, [now - ActionReceipt.lifetime, now + ActionReceipt.lifetime]) { row in
                let count: Int = try row[1]
                return ReceiptHolding(hour: try row[0], count: count, bytes: count * Self.cost)
            }
        }
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
