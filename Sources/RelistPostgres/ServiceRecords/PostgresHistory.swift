public import ScreenService

/// The history of a ``PostgresServiceStore``, which all replicas share. Its functions throw the same errors as the store.
public struct PostgresHistory: HistoryStoring {
    /// The maximum number of records that one transaction removes.
    private static let removalLimit = 1000
    /// The maximum duration of a query of all records, and the maximum duration of one removal.
    private static let scanTimeout = Duration.seconds(600), removalTimeout = Duration.seconds(60)

    private let store: PostgresServiceStore.Database

    /// A Boolean value that indicates whether other replicas also write to the history. It is always true.
    public var isShared: Bool { true }

    init(store: PostgresServiceStore.Database) {
        self.store = store
    }

    /// Returns the stored records for `keys`. A damaged record has an empty outline, so that its version is treated as unknown.
    public func records(of keys: [HistoryKey]) async throws -> [HistoryRecord] {
        do {
            return try await stored(keys)
        } catch let error as PostgresError where error.isOfDamage && keys.count > 1 {
            // Each record is read in a separate transaction, because an error ends its transaction.
            var records: [HistoryRecord] = []
            for key in keys { records += try await self.records(of: [key]) }
            return records
        } catch let error as PostgresError where error.isOfDamage {
            return keys.map(HistoryRecord.init(damaged:))
        }
    }

    private func stored(_ keys: [HistoryKey]) async throws -> [HistoryRecord] {
        let sql = "SELECT view, outline, used_at FROM relist.version WHERE key = sha256($1)"
        return try await store.read(nil, in: .history) { transaction in
            let results = try transaction.run(keys.map { Statement(sql, [.bytes($0.bytes)]) })
            return zip(keys, results).compactMap { key, result in
                result.rowCount == 1 ? (try? HistoryRecord(key, result.row(0))) ?? HistoryRecord(damaged: key) : nil
            }
        }
    }

    /// Writes a batch in one transaction. If a crash of the server undoes the transaction, the clients of the lost versions receive
    /// snapshots. Throws `HistoryDamage` if the table is damaged. After any error, nothing of the batch is written.
    public func write(_ batch: HistoryBatch) async throws {
        guard !batch.isEmpty else { return }
        do {
            try await write(batch, comparing: true)
        } catch let error as PostgresError where error.isOfDamage {
            // The comparison has read a damaged outline. Writing without a comparison replaces this outline.
            do { try await write(batch, comparing: false) } catch let error as PostgresError where error.isOfDamage {
                throw HistoryDamage()
            }
        }
    }

    private func write(_ batch: HistoryBatch, comparing isComparing: Bool) async throws {
        // All replicas write in the same order, so that they do not deadlock.
        let saved = batch.saved.map { (key: $0.key.bytes, Self.saving($0, comparing: isComparing)) }
        let used = batch.used.map { (key: $0.key.bytes, Self.using($0.key, at: $0.value)) }
        let statements = (saved + used).sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.1)
        _ = try await store.write(for: nil, isolation: .readCommitted, in: .history) { transaction in
            _ = try transaction.run([Statement("SET LOCAL synchronous_commit = off")] + statements)
        }
    }

    /// Returns a statement that saves a record. An equal outline is often stored already, because every replica that sends a version to a
    /// client saves this version. If `isComparing` is true, an equal outline is not written again, because all its bytes would be
    /// written to the write-ahead log.
    private static func saving(_ record: HistoryRecord, comparing isComparing: Bool) -> Statement {
        let isOutdated = outdated("kept.used_at", by: "excluded.used_at")
        let hasOtherOutline = isComparing ? "kept.outline <> excluded.outline" : "true"
        return Statement(
            """
            INSERT INTO relist.version AS kept (key, audience, view, outline, byte_count, used_at) VALUES (sha256($1), $2, $3, $4, $5, $6)
            ON CONFLICT (key) DO UPDATE SET
                view = excluded.view, byte_count = excluded.byte_count,
                used_at = CASE WHEN \(isOutdated) THEN excluded.used_at ELSE kept.used_at END,
                outline = CASE WHEN \(hasOtherOutline) THEN excluded.outline ELSE kept.outline END
            WHERE \(isOutdated) OR kept.view <> excluded.view OR \(hasOtherOutline)
            """,
            [
                .bytes(record.key.bytes), .bytes(record.key.audience.stored), Int64(bitPattern: record.view).postgresArgument,
                .bytes(record.outline), record.cost.postgresArgument, record.usedAt.postgresArgument,
            ]
        )
    }

    /// Returns the SQL condition for replacing a stored time by a new time: the stored time is earlier than the new time, or more than an
    /// hour later. Such a late time is wrong, because the clocks of replicas differ by less than an hour.
    private static func outdated(_ stored: String, by time: String) -> String {
        "(\(stored) < \(time) OR \(stored) > \(time) + 3600)"
    }

    private static func using(_ key: HistoryKey, at time: Int64) -> Statement {
        Statement(
            "UPDATE relist.version SET used_at = $2 WHERE key = sha256($1) AND \(outdated("used_at", by: "$2"))",
            [.bytes(key.bytes), time.postgresArgument]
        )
    }
}

// MARK: - Removal

extension PostgresHistory {
    /// Removes versions that exceed the maximum age. If the remaining versions are too large in total, also removes the versions that
    /// `HistoryRetention` chooses. Also removes expired receipts and announcements. After an error, a later call continues the
    /// removal.
    ///
    /// - Returns: the number and size of the remaining versions, or `nil` if another replica is removing versions.
    public func removeExcess(over bounds: HistoryBounds, now: Int64) async throws -> HistoryUsage? {
        try await store.holding(.removal, atMost: Self.scanTimeout) { connection in
            try Removal(connection: connection).run(over: bounds, now: now)
        }
    }

    /// An SQL expression for the size of a version, as `HistoryRetention.Holding` counts it. A damaged size is replaced by 0.
    private static let size = "CASE WHEN byte_count BETWEEN 0 AND \(HistoryRetention.Holding.byteLimit) THEN byte_count ELSE 0 END"
    // The index `version_by_use_and_size` contains all columns that these two queries read.
    static let holdingsQuery = "SELECT count(*), coalesce(sum(\(size)), 0)::bigint FROM relist.version"
    static let unprotectedQuery = """
        SELECT id, used_at FROM (
            SELECT id, used_at, sum(\(size)) OVER (ORDER BY used_at, id) - \(size) AS bytes_before FROM relist.version WHERE used_at < $1
        ) AS version WHERE bytes_before < $2
        """

    /// A version to remove, unless it was used after `usedAt`.
    private typealias Chosen = (id: Int64, usedAt: Int64)

    /// A removal of old records, on a connection that holds the lock for removals.
    private struct Removal {
        let connection: LockedConnection

        func run(over bounds: HistoryBounds, now: Int64) throws -> HistoryUsage {
            try removeAll("relist.receipt", "key", "performed_at <= $1", (now - ActionReceipt.lifetime).postgresArgument)
            try removeAll("relist.announcement", "position", "announced_at < now() - $1::interval", .text("1 hour"))
            try removeAll("relist.version", "key", "used_at < $1", (now - bounds.age).postgresArgument)
            var holdings = try holdings()
            guard holdings.bytes > bounds.bytes else { return holdings }
            // To meet the size limit, versions that were not used recently are removed first. If the remaining versions still exceed the
            // limit, they are listed, and `HistoryRetention` chooses more versions to remove.
            let excess = holdings.bytes - bounds.bytes / 10 * 9
            try remove(unprotected(excess, before: HistoryRetention.protectedSince(now)))
            holdings = try self.holdings()
            guard holdings.bytes > bounds.bytes else { return holdings }
            let retention = HistoryRetention(of: try listed(), byteLimit: bounds.bytes, now: now)
            try remove(retention.removed.map { ($0.id, $0.usedAt) })
            holdings = try self.holdings()
            holdings.removedEarly = retention.removedEarly
            return holdings
        }

        /// Removes all rows that satisfy a condition, in small transactions, so that other transactions do not wait long for a row.
        private func removeAll(_ table: String, _ key: String, _ condition: String, _ argument: PostgresArgument) throws {
            // The condition is repeated outside of the subquery. If the statement waits for a row that another transaction has changed,
            // PostgreSQL checks only the outer condition again.
            let sql = """
                DELETE FROM \(table) WHERE \(condition)
                AND \(key) IN (SELECT \(key) FROM \(table) WHERE \(condition) LIMIT \(removalLimit))
                """
            while try remove(sql, argument) > 0 {}
        }

        @discardableResult
        private func remove(_ sql: String, _ arguments: PostgresArgument...) throws -> Int {
            try connection.run([Statement(sql, arguments)], for: removalTimeout)[0].changedCount
        }

        private func holdings() throws -> HistoryUsage {
            let row = try connection.run([Statement(holdingsQuery)], for: scanTimeout)[0].row(0)
            return HistoryUsage(versions: try row[0], bytes: try row[1], removedEarly: 0)
        }

        /// Returns versions that were last used before `time`, the least recently used first, until their total size is at least `bytes`.
        private func unprotected(_ bytes: Int, before time: Int64) throws -> [Chosen] {
            let statement = Statement(unprotectedQuery, [time.postgresArgument, bytes.postgresArgument])
            let result = try connection.run([statement], for: scanTimeout)[0]
            return try (0..<result.rowCount).map { (try result.row($0)[0], try result.row($0)[1]) }
        }

        private func listed() throws -> [HistoryRetention.Holding] {
            let sql = "SELECT id, dense_rank() OVER (ORDER BY audience), view, byte_count, used_at FROM relist.version"
            let result = try connection.run([Statement(sql)], for: scanTimeout)[0]
            return try (0..<result.rowCount).map { index in
                let row = result.row(index)
                return HistoryRetention.Holding(
                    id: try row[0], audience: try row[1], view: try row[2], bytes: try row[3], usedAt: try row[4]
                )
            }
        }

        /// Removes the chosen versions, except for versions that were used after they were chosen.
        private func remove(_ chosen: [Chosen]) throws {
            let sql = """
                DELETE FROM relist.version USING unnest($1::bigint[], $2::bigint[]) AS chosen (id, used_at)
                WHERE version.id = chosen.id AND version.used_at = chosen.used_at
                """
            for start in stride(from: 0, to: chosen.count, by: removalLimit) {
                let some = chosen[start..<min(start + removalLimit, chosen.count)]
                try remove(sql, Self.array(some.map(\.id)), Self.array(some.map(\.usedAt)))
            }
        }

        private static func array(_ numbers: [Int64]) -> PostgresArgument {
            .text("{\(numbers.map(String.init).joined(separator: ","))}")
        }
    }
}

extension HistoryRecord {
    fileprivate init(_ key: HistoryKey, _ row: PostgresRow) throws {
        let view: Int64 = try row[0]
        self.init(key: key, view: UInt64(bitPattern: view), outline: try row[1], usedAt: try row[2])
    }
}
