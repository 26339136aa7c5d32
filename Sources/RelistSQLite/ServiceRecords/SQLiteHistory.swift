import Foundation
import GRDB
public import ScreenService

/// The history of an ``SQLiteServiceStore``, which survives restarts. Its functions throw the same errors as the store.
public struct SQLiteHistory: HistoryStoring {
    /// The maximum number of records that one transaction removes. Other writes wait until the transaction ends.
    private static let removalLimit = 1000

    private let database: any SQLiteEngine

    init(database: any SQLiteEngine) {
        self.database = database
    }

    /// Returns the stored records for `keys`. A damaged record has an empty outline, so that its version is treated as unknown.
    public func records(of keys: [HistoryKey]) async throws -> [HistoryRecord] {
        do {
            return try await stored(keys)
        } catch is HistoryDamage where keys.count > 1 {
            // Each record is read in a separate transaction, because a transaction that has read a damaged page cannot be committed.
            var records: [HistoryRecord] = []
            for key in keys { records += try await self.records(of: [key]) }
            return records
        } catch is HistoryDamage {
            return keys.map(HistoryRecord.init(damaged:))
        }
    }

    private func stored(_ keys: [HistoryKey]) async throws -> [HistoryRecord] {
        try await database.read { database in
            try Self.noticingDamage {
                let selecting = try database.cachedStatement(
                    sql: "SELECT view, outline, usedAt FROM grdb_relist_version WHERE audience = ? AND screen = ? AND version = ?"
                )
                return try keys.compactMap { key in
                    try Row.fetchOne(selecting, arguments: key.arguments).map { try HistoryRecord(key, $0) }
                }
            }
        }
    }

    /// Runs `body`, and throws `HistoryDamage` if it reads a damaged row or page.
    private static func noticingDamage<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error where error.isOfDamage || (error as? DatabaseError)?.resultCode == .SQLITE_TOOBIG {
            // If the length of a value is damaged, it can exceed the limit of SQLite.
            throw HistoryDamage()
        }
    }

    /// Writes a batch in one transaction. If a power failure undoes the transaction, the clients of the lost versions receive snapshots.
    /// Throws `HistoryDamage` if the table is damaged. After any error, nothing of the batch is written.
    public func write(_ batch: HistoryBatch) async throws {
        guard !batch.isEmpty else { return }
        try await database.write(durability: .endOfProcess) { database, _ in
            try Self.noticingDamage { try Self.write(batch, to: database) }
        }
    }

    private static func write(_ batch: HistoryBatch, to database: Database) throws {
        let saving = try database.cachedStatement(sql: "REPLACE INTO grdb_relist_version VALUES (?, ?, ?, ?, ?, ?, ?)")
        for record in batch.saved {
            try saving.execute(arguments: record.arguments)
        }
        let using = try database.cachedStatement(
            sql: "UPDATE grdb_relist_version SET usedAt = ? WHERE audience = ? AND screen = ? AND version = ?"
        )
        for (key, time) in batch.used {
            try using.execute(arguments: [time] + key.arguments)
        }
    }
}

// MARK: - Tables

extension SQLiteHistory {
    // Without rowids, SQLite would store the large outlines in the tree of the key, and searches would be slow.
    static let firstTable = SQLiteMigration(
        "history",
        """
        CREATE TABLE history (
            audience BLOB NOT NULL,
            screen TEXT NOT NULL,
            version BLOB NOT NULL,
            view INTEGER NOT NULL,
            outline BLOB NOT NULL,
            recordedAt INTEGER NOT NULL,
            supersededAt INTEGER,
            PRIMARY KEY (audience, screen, version)
        ) STRICT;
        """
    )

    // The older table is dropped, because its outlines lack the hash that shows whether an outline is undamaged. Clients with versions in
    // that table receive snapshots. The index contains all columns that the queries for removals read.
    static let table = SQLiteMigration("versions", "DROP TABLE history;\n" + table(named: "version"))

    static func table(named name: String) -> String {
        """
        CREATE TABLE \(name) (
            audience BLOB NOT NULL,
            screen TEXT NOT NULL,
            version BLOB NOT NULL,
            view INTEGER NOT NULL,
            outline BLOB NOT NULL,
            byteCount INTEGER NOT NULL,
            usedAt INTEGER NOT NULL,
            PRIMARY KEY (audience, screen, version)
        ) STRICT;
        CREATE INDEX \(name)ByUse ON \(name) (usedAt, byteCount, audience, view);
        """
    }
}

// MARK: - Removal

extension SQLiteHistory {
    /// A version to remove, unless it was used after `usedAt`.
    private typealias Chosen = (id: Int64, usedAt: Int64)

    private static func chosen(_ row: Row) throws -> Chosen {
        try (row.value(0), row.value(1))
    }

    /// An SQL expression for the size of a version, as `HistoryRetention.Holding` counts it. A damaged size is replaced by 0.
    private static let size = "CASE WHEN byteCount BETWEEN 0 AND \(HistoryRetention.Holding.byteLimit) THEN byteCount ELSE 0 END"

    /// Removes versions that exceed the maximum age. If the other versions are too large together, also removes the versions that
    /// `HistoryRetention` chooses. After an error, a later call removes the remaining versions.
    public func removeExcess(over bounds: HistoryBounds, now: Int64) async throws -> HistoryUsage? {
        try await remove(
            database.read { database in
                let sql = "SELECT rowid, usedAt FROM grdb_relist_version WHERE usedAt < ?"
                return try Row.fetchAll(database, sql: sql, arguments: [now - bounds.age]).map(Self.chosen)
            })
        var holdings = try await holdings()
        guard holdings.bytes > bounds.bytes else { return holdings }
        // Versions that were not used recently are removed first, because this removal does not need a list of all versions.
        try await remove(unprotected(holdings.bytes - bounds.bytes / 10 * 9, before: HistoryRetention.protectedSince(now)))
        holdings = try await self.holdings()
        guard holdings.bytes > bounds.bytes else { return holdings }
        let retention = HistoryRetention(of: try await listed(), byteLimit: bounds.bytes, now: now)
        try await remove(retention.removed.map { ($0.id, $0.usedAt) })
        holdings = try await self.holdings()
        holdings.removedEarly = retention.removedEarly
        return holdings
    }

    private func holdings() async throws -> HistoryUsage {
        try await database.read { database in
            let row = try Row.fetchOne(database, sql: "SELECT count(*), ifnull(sum(\(Self.size)), 0) FROM grdb_relist_version")!
            return try HistoryUsage(versions: row.value(0), bytes: row.value(1), removedEarly: 0)
        }
    }

    /// Returns versions that were last used before `time`, the least recently used first, until their total size is at least `bytes`.
    private func unprotected(_ bytes: Int, before time: Int64) async throws -> [Chosen] {
        try await database.read { database in
            let sql = "SELECT rowid, usedAt, \(Self.size) FROM grdb_relist_version WHERE usedAt < ? ORDER BY usedAt"
            let cursor = try Row.fetchCursor(database, sql: sql, arguments: [time])
            var (chosen, excess): ([Chosen], Int) = ([], bytes)
            while excess > 0, let row = try cursor.next() {
                chosen.append(try Self.chosen(row))
                excess -= try row.value(2)
            }
            return chosen
        }
    }

    private func listed() async throws -> [HistoryRetention.Holding] {
        try await database.read { database in
            let sql = "SELECT rowid, dense_rank() OVER (ORDER BY audience), view, \(Self.size), usedAt FROM grdb_relist_version"
            let cursor = try Row.fetchCursor(database, sql: sql)
            var holdings: [HistoryRetention.Holding] = []
            while let row = try cursor.next() {
                holdings.append(
                    try HistoryRetention.Holding(
                        id: row.value(0), audience: row.value(1), view: row.value(2),
                        bytes: row.value(3), usedAt: row.value(4)
                    )
                )
            }
            return holdings
        }
    }

    /// Removes the chosen versions, except for versions that were used after they were chosen.
    private func remove(_ chosen: [Chosen]) async throws {
        for start in stride(from: 0, to: chosen.count, by: Self.removalLimit) {
            try Task.checkCancellation()
            let some = chosen[start..<min(start + Self.removalLimit, chosen.count)]
            try await database.write(durability: .endOfProcess) { database, _ in
                let removing = try database.cachedStatement(sql: "DELETE FROM grdb_relist_version WHERE rowid = ? AND usedAt = ?")
                for (id, usedAt) in some { try removing.execute(arguments: [id, usedAt]) }
            }
        }
    }
}

extension SQLiteServiceStore {
    /// The history in the database of this store. It is closed with the store.
    public var history: any HistoryStoring {
        SQLiteHistory(database: database)
    }
}

// MARK: - Rows

extension HistoryKey {
    var arguments: StatementArguments {
        [Data(audience.stored), screen.databaseValue.bound, Data(version.stored)]
    }
}

extension HistoryRecord {
    var arguments: StatementArguments {
        key.arguments + [Int64(bitPattern: view), Data(outline), cost, usedAt]
    }

    fileprivate init(_ key: HistoryKey, _ row: Row) throws {
        let view: Int64 = try row.value(0)
        let outline: Data = try row.value(1)
        self.init(key: key, view: UInt64(bitPattern: view), outline: [UInt8](outline), usedAt: try row.value(2))
    }
}
