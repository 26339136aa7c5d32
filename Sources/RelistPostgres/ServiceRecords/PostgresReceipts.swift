public import ScreenService

/// The action receipts of a ``PostgresServiceStore``, which all replicas share. Its functions throw the same errors as the store.
public struct PostgresReceipts: ReceiptStoring {
    typealias Database = PostgresServiceStore.Database

    private let store: Database

    init(store: Database) {
        self.store = store
    }

    /// Returns the receipt with the key `key`, or `nil` if there is none. Before a receipt is returned, a commit makes it durable, because
    /// the standby may lack it. Concurrent calls share one such commit.
    public func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt? {
        // The look-up has a separate lane, because all other connections may wait for locked tables.
        guard try await store.read(nil, in: .receipts, { try Self.stored(under: [key], in: $0) })[key] != nil else { return nil }
        do {
            return try await store.durableReceipts.value(of: key) { [store] in try await Self.durable(under: $0, in: store) }
        } catch is Database.ReceiptLookups.Overload {
            throw DataUnavailable(reason: "too many receipts are looked up")
        }
    }

    /// Returns the receipts with the given keys after a commit. The standby confirms this commit only after it has received all earlier
    /// commits.
    private static func durable(
        under keys: [ActionReceipt.Key], in store: Database
    ) async throws -> [ActionReceipt.Key: ActionReceipt] {
        let (found, position) = try await store.write(for: nil, isolation: .readCommitted) { transaction in
            _ = try transaction.row(of: nil, "SELECT pg_logical_emit_message(true, 'relist', '')::text") { _ in }
            transaction.drawPosition()
            // The receipts are looked up again, because a different server may have become the primary.
            return try Self.stored(under: keys, in: transaction)
        }
        return found.mapValues { ActionReceipt(key: $0.key, request: $0.request, performedAt: $0.performedAt, position: position) }
    }

    private static func stored(
        under keys: [ActionReceipt.Key], in transaction: PostgresTransaction
    ) throws -> [ActionReceipt.Key: ActionReceipt] {
        let sql = "SELECT request, performed_at FROM relist.receipt WHERE key = sha256($1)"
        let results = try transaction.run(keys.map { Statement(sql, [.bytes($0.stored)]) })
        return try zip(keys, results).reduce(into: [:]) { found, pair in
            guard pair.1.rowCount == 1 else { return }
            let (request, time): ([UInt8], Int64) = (try pair.1.row(0)[0], try pair.1.row(0)[1])
            // An error is thrown, because without a receipt the action could run again.
            guard let version = Version(stored: request) else { throw RecordValueError.unreadable("The request of a receipt is damaged.") }
            found[pair.0] = ActionReceipt(key: pair.0, request: version, performedAt: time)
        }
    }

    /// Stores a receipt in its own transaction, or throws `ReceiptTaken` if there is a receipt with the same key.
    public func keep(_ receipt: ActionReceipt) async throws {
        _ = try await store.write(for: nil, isolation: .readCommitted) { try Self.keep(receipt, in: $0) }
    }

    /// Returns the size in bytes of a row and its index entries. All keys have the same size, because they are stored as hashes.
    public func cost(of key: ActionReceipt.Key) -> Int { Self.cost }
    private static let cost = 200

    /// Returns the number and size of receipts for each hour.
    public func holdings(at now: Int64) async throws -> [ReceiptHolding]? {
        try await store.read(nil) { transaction in
            let sql = "SELECT performed_at / 3600, count(*) FROM relist.receipt WHERE performed_at > $1 AND performed_at <= $2 GROUP BY 1"
            return try transaction.rows(of: nil, sql, [now - ActionReceipt.lifetime, now + ActionReceipt.lifetime]) { row in
                let count: Int = try row[1]
                return ReceiptHolding(hour: try row[0], count: count, bytes: count * Self.cost)
            }
        }
    }

    func isSameStore(as other: any ReceiptStoring) -> Bool {
        (other as? PostgresReceipts)?.store === store
    }

    /// Stores a receipt within a transaction, or throws `ReceiptTaken`. An expired receipt with the same key is replaced.
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
    /// The bytes that encode the key. Different keys have different encodings.
    fileprivate var stored: [UInt8] {
        [user, screen, action, text].reduce(into: []) { bytes, part in
            withUnsafeBytes(of: UInt32(part.utf8.count).bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: part.utf8)
        }
    }
}
