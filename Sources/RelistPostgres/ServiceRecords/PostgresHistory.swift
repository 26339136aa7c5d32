public import ScreenService

/// The history of a ``PostgresServiceStore``, for all replicas.
public struct PostgresHistory: HistoryStoring {
    /// How many records go in one transaction.
    private static let removalLimit = 1000
    /// How long it may take to look at all records, and to let go of some.
    private static let scanLimit = Duration.seconds(600), removalTime = Duration.seconds(60)

    private let store: PostgresServiceStore.Database

    public var isShared: Bool { true }

    init(store: PostgresServiceStore.Database) {
        self.store = store
    }

    /// A damaged record is returned with an empty outline: the service takes its version for unknown.
    ///
    /// - Throws: ``PostgresStoreError/closed``, `DataUnavailable`, ``PostgresError``
    public func records(of keys: [HistoryKey]) async throws -> [HistoryRecord] {
        do {
            return try await stored(keys)
        } catch let error as PostgresError where error.isOfDamage && keys.count > 1 {
            // A separate transaction for each: an error ends its transaction.
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

    /// Writes a batch in one transaction. The end of the server may take it; then clients get a snapshot.
    ///
    /// - Throws: `HistoryDamage`, ``PostgresStoreError/closed``, `DataUnavailable`, ``PostgresError``. Nothing of the batch is written then.
    public func write(_ batch: HistoryBatch) async throws {
        guard !batch.isEmpty else { return }
        do {
            try await write(batch, comparing: true)
        } catch let error as PostgresError where error.isOfDamage {
            // A stored outline cannot be read. All outlines of the batch are written anew, which repairs it.
            do { try await write(batch, comparing: false) } catch let error as PostgresError where error.isOfDamage { throw HistoryDamage() }
        }
    }

    private func write(_ batch: HistoryBatch, comparing isComparing: Bool) async throws {
        // In one order, so that replicas which write the same do not wait for each other in a circle.
        let saved = batch.saved.map { (key: $0.key.bytes, Self.saving($0, comparing: isComparing)) }
        let used = batch.used.map { (key: $0.key.bytes, Self.using($0.key, at: $0.value)) }
        let statements = (saved + used).sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.1)
        _ = try await store.write(for: nil, isolation: .readCommitted, in: .history) { transaction in
            _ = try transaction.run([Statement("SET LOCAL synchronous_commit = off")] + statements)
        }
    }

    /// Every replica that hands out a version saves it. An outline that is there already is not written again, which would take as
    /// many bytes of the log; the value of its row refers to the stored bytes.
    ///
    /// - Parameter isComparing: a Boolean value that indicates whether stored outlines are read; if not, the outline is written in any case.
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

    /// The condition under which a stored time gives way to another one: it is earlier, or so much later that it is wrong, as the
    /// clocks of replicas differ by less than an hour.
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

// MARK: - Forgetting

extension PostgresHistory {
    /// Receipts and announcements that are too old go as well.
    ///
    /// - Returns: nil where another replica is at it.
    /// - Throws: ``PostgresStoreError/closed``, `DataUnavailable`, ``PostgresError``. What is over the bounds goes with a later call
    ///   then.
    public func forget(over bounds: HistoryBounds, now: Int64) async throws -> HistoryHoldings? {
        try await store.holding(.forgetting, atMost: Self.scanLimit) { connection in
            try Forgetting(connection: connection).forget(over: bounds, now: now)
        }
    }

    /// The size as `HistoryRetention.Holding` counts it: 0 where it is damaged.
    private static let size = "CASE WHEN byte_count BETWEEN 0 AND \(HistoryRetention.Holding.byteLimit) THEN byte_count ELSE 0 END"
    // Both are answered from the index `version_by_use_and_size` alone.
    static let holdingsQuery = "SELECT count(*), coalesce(sum(\(size)), 0)::bigint FROM relist.version"
    static let unprotectedQuery = """
        SELECT id, used_at FROM (
            SELECT id, used_at, sum(\(size)) OVER (ORDER BY used_at, id) - \(size) AS bytes_before FROM relist.version WHERE used_at < $1
        ) AS version WHERE bytes_before < $2
        """

    /// A version to remove if it was not used since then.
    private typealias Chosen = (id: Int64, usedAt: Int64)

    /// The letting go, on a connection that holds the lock.
    private struct Forgetting {
        let connection: LockedConnection

        func forget(over bounds: HistoryBounds, now: Int64) throws -> HistoryHoldings {
            try removeAll("relist.receipt", "key", "performed_at <= $1", (now - ActionReceipt.lifetime).postgresArgument)
            try removeAll("relist.announcement", "position", "announced_at < now() - $1::interval", .text("1 hour"))
            try removeAll("relist.version", "key", "used_at < $1", (now - bounds.age).postgresArgument)
            var holdings = try holdings()
            guard holdings.bytes > bounds.bytes else { return holdings }
            // Unused versions are removed first, as finding them needs no list of all versions.
            let excess = holdings.bytes - bounds.bytes / 10 * 9
            try remove(unprotected(excess, before: HistoryRetention.protectedSince(now)))
            holdings = try self.holdings()
            guard holdings.bytes > bounds.bytes else { return holdings }
            let retention = HistoryRetention(of: try listed(), byteLimit: bounds.bytes, now: now)
            try remove(retention.forgotten.map { ($0.id, $0.usedAt) })
            holdings = try self.holdings()
            holdings.crowdedOut = retention.crowdedOut
            return holdings
        }

        /// Removes all rows for which a condition holds, some at a time: nobody waits long for one.
        private func removeAll(_ table: String, _ key: String, _ condition: String, _ argument: PostgresArgument) throws {
            // Once more for each: one that was renewed while it was waited for stays.
            let sql = """
                DELETE FROM \(table) WHERE \(condition)
                AND \(key) IN (SELECT \(key) FROM \(table) WHERE \(condition) LIMIT \(removalLimit))
                """
            while try remove(sql, argument) > 0 {}
        }

        @discardableResult
        private func remove(_ sql: String, _ arguments: PostgresArgument...) throws -> Int {
            try connection.run([Statement(sql, arguments)], for: removalTime)[0].changedCount
        }

        private func holdings() throws -> HistoryHoldings {
            let row = try connection.run([Statement(holdingsQuery)], for: scanLimit)[0].row(0)
            return HistoryHoldings(versions: try row[0], bytes: try row[1], crowdedOut: 0)
        }

        /// The least recently used versions that were used before a time, as many as have so many bytes.
        private func unprotected(_ bytes: Int, before time: Int64) throws -> [Chosen] {
            let statement = Statement(unprotectedQuery, [time.postgresArgument, bytes.postgresArgument])
            let result = try connection.run([statement], for: scanLimit)[0]
            return try (0..<result.rowCount).map { (try result.row($0)[0], try result.row($0)[1]) }
        }

        /// All that there is.
        private func listed() throws -> [HistoryRetention.Holding] {
            let sql = "SELECT id, dense_rank() OVER (ORDER BY audience), view, byte_count, used_at FROM relist.version"
            let result = try connection.run([Statement(sql)], for: scanLimit)[0]
            return try (0..<result.rowCount).map { index in
                let row = result.row(index)
                return HistoryRetention.Holding(
                    id: try row[0], audience: try row[1], view: try row[2], bytes: try row[3], usedAt: try row[4]
                )
            }
        }

        /// It took a while to choose them, in which some may have been used.
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
    /// Reads `view`, `outline` and `used_at`.
    ///
    /// - Throws: `RecordValueError.wrongType` where the row is damaged.
    fileprivate init(_ key: HistoryKey, _ row: PostgresRow) throws {
        let view: Int64 = try row[0]
        self.init(key: key, view: UInt64(bitPattern: view), outline: try row[1], usedAt: try row[2])
    }
}
