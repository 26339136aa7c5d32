import Foundation
import GRDB
public import ScreenService

/// The history of an ``SQLiteServiceStore``, across restarts.
public struct SQLiteHistory: HistoryStoring {
    /// How many records go in one transaction: whoever acts waits behind it.
    private static let removalLimit = 1000

    private let database: any ServiceDatabase

    init(database: any ServiceDatabase) {
        self.database = database
    }

    /// A record that is damaged, or lies on a damaged page, is returned with an empty outline: the service takes its version for
    /// unknown.
    ///
    /// - Throws: ``SQLiteStoreError/closed``, `DataUnavailable`, errors of SQLite.
    public func records(of keys: [HistoryKey]) async throws -> [HistoryRecord] {
        do {
            return try await stored(keys)
        } catch is HistoryDamage where keys.count > 1 {
            // Each in a transaction of its own: one that has met damage cannot be committed.
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

    /// - Throws: `HistoryDamage` where `body` meets a row or a page that is damaged.
    private static func noticingDamage<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch where error.isOfDamage || (error as? DatabaseError)?.resultCode == .SQLITE_TOOBIG {
            // A damaged length may be above the limit of SQLite.
            throw HistoryDamage()
        }
    }

    /// Writes a batch in one transaction. A loss of power may take it; then clients get a snapshot.
    ///
    /// - Throws: `HistoryDamage`, ``SQLiteStoreError/closed``, `DataUnavailable`, errors of SQLite. Nothing of the batch is written then.
    public func write(_ batch: HistoryBatch) async throws {
        guard !batch.isEmpty else { return }
        try await database.write(outliving: .endOfProcess, isOwn: true) { database, _ in
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
    // With rowids: without them, rows lie in the tree of their key, which outlines of hundreds of
    // kilobytes would make slow to search.
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

    // What the older table has cannot prove what it is, and is forgotten: who holds such a version is sent one
    // snapshot. The index has all that is read to find what is to be forgotten.
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

// MARK: - Forgetting

extension SQLiteHistory {
    /// What is to go if it was not used since then.
    private typealias Chosen = (id: Int64, usedAt: Int64)

    private static func chosen(_ row: Row) throws -> Chosen {
        try (row.value(0), row.value(1))
    }

    /// The size as ``HistoryRetention/Holding`` counts it: 0 where it is damaged.
    private static let size = "CASE WHEN byteCount BETWEEN 0 AND \(HistoryRetention.Holding.byteLimit) THEN byteCount ELSE 0 END"

    /// - Throws: ``SQLiteStoreError/closed``, `DataUnavailable`, errors of SQLite. What is over the bounds goes with a later call
    ///   then.
    public func forget(over bounds: HistoryBounds, now: Int64) async throws -> HistoryHoldings? {
        try await remove(database.read { database in
            let sql = "SELECT rowid, usedAt FROM grdb_relist_version WHERE usedAt < ?"
            return try Row.fetchAll(database, sql: sql, arguments: [now - bounds.age]).map(Self.chosen)
        })
        var holdings = try await holdings()
        guard holdings.bytes > bounds.bytes else { return holdings }
        // What nobody uses goes without a look at all the rest, of which there may be much.
        try await remove(unprotected(holdings.bytes - bounds.bytes / 10 * 9, before: HistoryRetention.protectedSince(now)))
        holdings = try await self.holdings()
        guard holdings.bytes > bounds.bytes else { return holdings }
        let retention = HistoryRetention(of: try await listed(), byteLimit: bounds.bytes, now: now)
        try await remove(retention.forgotten.map { ($0.id, $0.usedAt) })
        holdings = try await self.holdings()
        holdings.crowdedOut = retention.crowdedOut
        return holdings
    }

    private func holdings() async throws -> HistoryHoldings {
        try await database.read { database in
            let row = try Row.fetchOne(database, sql: "SELECT count(*), ifnull(sum(\(Self.size)), 0) FROM grdb_relist_version")!
            return try HistoryHoldings(versions: row.value(0), bytes: row.value(1), crowdedOut: 0)
        }
    }

    /// As many of those that were used before a time as have so many bytes, the least recently used first.
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

    /// All that there is.
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

    /// It took a while to choose them, in which some may have been used.
    private func remove(_ chosen: [Chosen]) async throws {
        for start in stride(from: 0, to: chosen.count, by: Self.removalLimit) {
            try Task.checkCancellation()
            let some = chosen[start..<min(start + Self.removalLimit, chosen.count)]
            try await database.write(outliving: .endOfProcess, isOwn: true) { database, _ in
                let removing = try database.cachedStatement(sql: "DELETE FROM grdb_relist_version WHERE rowid = ? AND usedAt = ?")
                for (id, usedAt) in some { try removing.execute(arguments: [id, usedAt]) }
            }
        }
    }
}

extension SQLiteServiceStore {
    /// The history that lies in the same database. It closes with the store.
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

    /// Reads `view`, `outline` and `usedAt`.
    fileprivate init(_ key: HistoryKey, _ row: Row) throws {
        let view: Int64 = try row.value(0)
        let outline: Data = try row.value(1)
        self.init(key: key, view: UInt64(bitPattern: view), outline: [UInt8](outline), usedAt: try row.value(2))
    }
}
