import Foundation
import GRDB
public import ScreenService

/// Keeps history in the file of an ``SQLiteStore``, across restarts.
public struct SQLiteHistory: HistoryStoring {
    private let file: DatabaseFile

    init(file: DatabaseFile) {
        self.file = file
    }

    /// All records, in no particular order. One whose audience or version is none that
    /// ``write(_:)`` writes is left out; outlines are returned as they are.
    ///
    /// - Throws: `StoreError.closed`, errors of SQLite.
    public func records() async throws -> [HistoryRecord] {
        try await file.read { database in
            let sql = "SELECT audience, screen, version, view, outline, recordedAt, supersededAt FROM history"
            let cursor = try Row.fetchCursor(database, sql: sql)
            var records: [HistoryRecord] = []
            while let row = try cursor.next() {
                if let record = HistoryRecord(row) { records.append(record) }
            }
            return records
        }
    }

    /// Writes a batch in one transaction.
    ///
    /// - Throws: `StoreError.closed`, errors of SQLite. Nothing of the batch is written then.
    public func write(_ batch: HistoryBatch) async throws {
        guard !batch.isEmpty else { return }
        try await file.write { database in
            try Self.write(batch, to: database)
            return Committing(())
        }
    }

    private static func write(_ batch: HistoryBatch, to database: Database) throws {
        let saving = try database.cachedStatement(sql: "REPLACE INTO history VALUES (?, ?, ?, ?, ?, ?, ?)")
        for record in batch.saved {
            try saving.execute(arguments: record.arguments)
        }
        let superseding = try database.cachedStatement(
            sql: "UPDATE history SET supersededAt = ? WHERE audience = ? AND screen = ? AND version = ?"
        )
        for (key, supersededAt) in batch.superseded {
            try superseding.execute(arguments: [supersededAt] + key.arguments)
        }
        let removing = try database.cachedStatement(
            sql: "DELETE FROM history WHERE audience = ? AND screen = ? AND version = ?"
        )
        for key in batch.removed {
            try removing.execute(arguments: key.arguments)
        }
    }
}

extension SQLiteStore {
    /// The history that lies in the same file. It closes with the store.
    public var history: SQLiteHistory {
        SQLiteHistory(file: file)
    }
}
