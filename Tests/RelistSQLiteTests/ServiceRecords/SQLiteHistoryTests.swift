import Foundation
import GRDB
import Logging
import ScreenService
import TemporaryDatabase
import Testing

@testable import RelistSQLite

@Suite("History in SQLite") struct SQLiteHistoryTests {
    private static let now: Int64 = 1_600_000_000

    @Test(arguments: ServiceRecordsRule.all) func historyAndReceiptsFollowTheCommonRulesOfAllStores(rule: ServiceRecordsRule) async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await rule.check(store) {
            await store.close()
            return try folder.open()
        }
        await store.close()
    }

    @Test func aFailedBatchOfHistoryWritesNothing() async throws {
        try await withHistory { history async throws in
            try await history.write(HistoryBatch(saving: [.some(version: 1)]))
            let batch = HistoryBatch(saving: [.some(version: 2), .some(screen: "no\0name", version: 3)])
            await #expect(throws: (any Error).self) { try await history.write(batch) }
            #expect(try await history.records(of: [1, 2].map { HistoryRecord.some(version: $0).key }) == [.some(version: 1)])
        }
    }

    @Test func theHistoryTableOfAnEarlierProgramVersionIsDroppedAndOtherTablesRemain() async throws {
        let folder = try TemporaryFolder()
        var schema = Schema(adding: [.notes])
        schema.migrations.removeAll { ["versions", "names"].contains($0.name) }
        let old = try OwnFile(path: folder.database, schema: schema, logger: Logger(label: "test"))
        try await old.write { database, _ in
            try database.execute(
                sql: "INSERT INTO history VALUES (CAST('everyone' AS BLOB), 'posts', zeroblob(16), 1, x'01', 1, NULL)"
            )
            try database.execute(sql: "INSERT INTO note VALUES ('kept')")
        }
        await old.close()
        let store = try folder.open()
        #expect(try await store.history.removeExcess(over: HistoryBounds(), now: Self.now)?.versions == 0)
        #expect(try await store.read { try $0.isNoted("kept") })
        await store.close()
    }

    @Test func historyAndTheSecretRemainWhenTheirTablesAreRenamed() async throws {
        let folder = try TemporaryFolder()
        var schema = Schema(adding: [.notes])
        schema.migrations.removeAll { $0.name == "names" }
        let old = try OwnFile(path: folder.database, schema: schema, logger: Logger(label: "test"))
        let (record, secret) = (HistoryRecord.some(version: 1), [UInt8](1...16))
        try await old.write { database, _ in
            try database.execute(sql: "INSERT INTO version VALUES (?, ?, ?, ?, ?, ?, ?)", arguments: record.arguments)
            try database.execute(sql: "INSERT INTO secret VALUES (16, ?)", arguments: [Data(secret)])
        }
        await old.close()
        let store = try folder.open()
        #expect(try await store.history.records(of: [record.key]).map(\.key) == [record.key])
        #expect(try await store.secret(byteCount: 16) == secret)
        await store.close()
    }

    @Test func aHistoryRecordWithADamagedTimeIsReadWithAnEmptyOutline() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let batch = HistoryBatch(saving: [.some(version: 1), .some(version: 2, outline: [1, 2, 3, 4])])
        try await store.history.write(batch)
        await store.close()
        // The serial types of the columns `screen`, `version`, `view`, `outline`, `byteCount` and `usedAt` (sqlite.org/fileformat2.html,
        // section 2.1).
        let types: [UInt8] = [23, 44, 9, 18, 2, 4]
        let place = try #require(Data(contentsOf: URL(fileURLWithPath: folder.database)).firstRange(of: types))
        // The serial type 20 makes the time a blob of four bytes instead of an integer.
        try folder.overwrite(at: UInt64(place.upperBound - 1), with: [20])
        let reopened = try folder.open()
        let read = try await reopened.history.records(of: batch.saved.map(\.key))
        #expect(Set(read) == [.some(version: 1, view: 0, outline: [], usedAt: 0), batch.saved[1]])
        await reopened.close()
    }

    @Test func aDamagedPageAffectsOnlyTheHistoryRecordsInThePage() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let batch = HistoryBatch(saving: (1...2).map { .some(version: $0, outline: Array(repeating: UInt8($0), count: 20_000)) })
        try await store.history.write(batch)
        await store.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        let page = try #require(stride(from: 0, to: bytes.count, by: 4096).first { bytes[($0 + 4)..<($0 + 4096)].allSatisfy { $0 == 1 } })
        // The first four bytes of an overflow page are the number of the next overflow page.
        try folder.overwrite(at: UInt64(page), with: [255, 255, 255, 255])
        let reopened = try folder.open()
        let read = try await reopened.history.records(of: batch.saved.map(\.key))
        #expect(Set(read) == [.some(version: 1, view: 0, outline: [], usedAt: 0), batch.saved[1]])
        await #expect(throws: HistoryDamage()) { try await reopened.history.write(batch) }
        try await reopened.history.write(HistoryBatch(saving: [.some(version: 2)]))
        #expect(try await reopened.history.records(of: [batch.saved[1].key]) == [.some(version: 2)])
        await reopened.close()
    }

    @Test func versionsCanBeRemovedWhateverSizesAndTimesAreStored() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let batch = HistoryBatch(saving: (0..<4).map { .some(version: $0, usedAt: Self.now) })
        try await store.history.write(batch)
        let versions = batch.saved.map(\.key.version.stored)
        try await store.write { transaction in
            for (version, byteCount, usedAt) in [(0, Int64.max, Self.now), (1, .max, Self.now), (2, .min, Self.now), (3, 1, .min)] {
                let values: [(any RecordValue)?] = [byteCount, usedAt, versions[version]]
                try transaction.write("UPDATE grdb_relist_version SET byteCount = ?, usedAt = ? WHERE version = ?", values)
            }
        }
        let holdings = try await store.history.removeExcess(over: HistoryBounds(bytes: 10), now: Self.now)
        #expect(holdings == HistoryUsage(versions: 3, bytes: 0, removedEarly: 0))
        await store.close()
    }

    @Test(arguments: [-1, Int64(Int32.max), .max])
    func aDamagedSizeOfAVersionDoesNotCauseTheRemovalOfOtherVersions(byteCount: Int64) async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let batch = HistoryBatch(saving: (0..<4).map { .some(version: $0, usedAt: Self.now - Int64($0) * 4000) })
        try await store.history.write(batch)
        let damaged = batch.saved[0].key.version.stored
        _ = try await store.write { transaction in
            try transaction.write("UPDATE grdb_relist_version SET byteCount = ? WHERE version = ?", [byteCount, damaged])
        }
        let bytes = 3 * batch.saved[0].cost
        let holdings = try await store.history.removeExcess(over: HistoryBounds(bytes: bytes), now: Self.now)
        #expect(holdings == HistoryUsage(versions: 4, bytes: bytes, removedEarly: 0))
        await store.close()
    }

    private func withHistory(_ body: (any HistoryStoring) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await body(store.history)
        await store.close()
    }
}
