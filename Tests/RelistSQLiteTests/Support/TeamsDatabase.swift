import Foundation
import GRDB
import Logging
import ScreenService
import TemporaryDatabase

@testable import RelistSQLite

/// A database that a team has opened. It has tables of the team and of the service.
final class TeamsDatabase: Sendable {
    let pool: any DatabaseWriter
    let store: SQLiteServiceStore
    let announcements = Announcements()
    private let folder: TemporaryFolder

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("plants") { database in
            try database.execute(
                sql: """
                    CREATE TABLE plant (
                        id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, height INTEGER NOT NULL,
                        isTall INTEGER AS (height > 100) STORED, code TEXT UNIQUE
                    ) STRICT;
                    CREATE TABLE leaf (
                        plant INTEGER NOT NULL REFERENCES plant ON DELETE CASCADE ON UPDATE CASCADE, size INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE tool (name TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
                    CREATE VIEW tallPlant AS SELECT id, name FROM plant WHERE height > 100;
                    """
            )
        }
        return migrator
    }()

    init(isPool: Bool = true, isRecordingReads: Bool = true, _ configuration: Configuration = Configuration()) throws {
        folder = try TemporaryFolder()
        pool =
            isPool
            ? try DatabasePool(path: folder.database, configuration: configuration)
            : try DatabaseQueue(path: folder.database, configuration: configuration)
        try Self.migrator.migrate(pool)
        store = try SQLiteServiceStore.open(in: pool, isRecordingReads: isRecordingReads, logger: Logger(label: "test"))
        announcements.observe(store.topics)
    }

    /// Runs a read transaction, and returns the topics that its reads have recorded.
    func reads(_ body: @Sendable @escaping (SQLiteTransaction) throws -> Void) async throws -> Set<Topic> {
        try await store.topics.recordingReads { try await self.store.read(body) }.reads
    }

    /// Returns a Boolean value that indicates whether a commit of the statement `writing` outdates the result of the query `reading`.
    func isStale(_ reading: String, after writing: String) async throws -> Bool {
        let reads = try await reads { _ = try Row.fetchAll($0.database, sql: reading) }
        let before = announcements.all.count
        try await store.write { try $0.database.execute(sql: writing) }
        return announcements.all.dropFirst(before).contains { !$0.isDisjoint(with: reads) }
    }
}
