import Foundation
import GRDB
import Logging
import ScreenService
@testable import RelistSQLite
import TemporaryDatabase
import Testing

@Suite("History in SQLite") struct SQLiteHistoryTests {
    private static let now: Int64 = 1_600_000_000

    @Test func recordsAreReadBackAfterReopening() async throws {
        let folder = try TemporaryFolder()
        let records: Set<HistoryRecord> = [
            .some(version: 1),
            .some(.user("everyone"), version: 1, view: .max),
            .some(.user("zoé"), version: .max, outline: [], usedAt: .max),
            .some(.user(""), version: 1),
            .some(.user("a\0b"), version: 1),
            .some(.user("a"), version: 1),
            .some(.user("\u{E9}"), version: 1),
            .some(.user("e\u{301}"), version: 1, outline: [9]),
        ]
        let store = try folder.open()
        var batch = HistoryBatch()
        batch.saved = Array(records)
        try await store.history.write(batch)
        await store.close()
        let reopened = try folder.open()
        let absent: [HistoryRecord] = [.some(version: 2), .some(.user("b"), version: 1), .some(screen: "settings", version: 1)]
        let read = try await reopened.history.records(of: (Array(records) + absent).map(\.key))
        #expect(read.count == records.count)
        #expect(Set(read) == records)
        await reopened.close()
    }

    @Test func aBatchSavesAndSaysWhatWasUsed() async throws {
        try await withHistory { history async throws in
            var first = HistoryBatch()
            first.saved = [.some(version: 1), .some(version: 2), .some(version: 3)]
            try await history.write(first)
            var second = HistoryBatch()
            second.saved = [.some(version: 1, view: 9, outline: [1, 9])]
            second.used = [HistoryRecord.some(version: 2).key: 77, HistoryRecord.some(version: 8).key: 77]
            try await history.write(second)
            let keys = [1, 2, 3, 8].map { HistoryRecord.some(version: $0).key }
            #expect(
                try await Set(history.records(of: keys))
                    == [.some(version: 1, view: 9, outline: [1, 9]), .some(version: 2, usedAt: 77), .some(version: 3)]
            )
        }
    }

    @Test func aBatchThatFailsChangesNothing() async throws {
        try await withHistory { history async throws in
            try await history.write(.saving(.some(version: 1)))
            var batch = HistoryBatch()
            batch.saved = [.some(version: 2), .some(screen: "no\0name", version: 3)]
            await #expect(throws: (any Error).self) { try await history.write(batch) }
            #expect(try await history.records(of: [1, 2].map { HistoryRecord.some(version: $0).key }) == [.some(version: 1)])
        }
    }

    @Test func whatIsTooOldIsForgotten() async throws {
        try await withHistory { history async throws in
            var batch = HistoryBatch()
            batch.saved = (0..<2500).map { .some(version: $0, usedAt: Self.now - ($0 < 2000 ? 101 : 100)) }
            try await history.write(batch)
            let holdings = try await history.forget(over: HistoryBounds(age: 100), now: Self.now)
            #expect(holdings == HistoryHoldings(versions: 500, bytes: 500 * batch.saved[0].cost, crowdedOut: 0))
            #expect(try await history.records(of: [batch.saved[0].key, batch.saved[2400].key]) == [batch.saved[2400]])
        }
    }

    @Test func whatIsTooMuchIsForgottenAsRetentionDecides() async throws {
        try await withHistory { history async throws in
            var batch = HistoryBatch()
            batch.saved = (0..<100).map { number in
                .some(number < 60 ? .user("loud") : .user("quiet\(number)"), version: number, view: number, usedAt: Self.now)
            }
            try await history.write(batch)
            let cost = batch.saved[0].cost
            let holdings = try await history.forget(over: HistoryBounds(bytes: 80 * cost), now: Self.now)
            #expect(holdings == HistoryHoldings(versions: 72, bytes: 72 * cost, crowdedOut: 28))
            #expect(try await Set(history.records(of: batch.saved.map(\.key)).map(\.key.version.low)) == Set(28..<100))
        }
    }

    @Test func whatAnOlderProgramKeptIsForgottenAndNothingElse() async throws {
        let folder = try TemporaryFolder()
        var schema = Schema(adding: [.notes])
        schema.migrations.removeAll { ["versions", "names"].contains($0.name) }
        let old = try DatabaseFile(path: folder.database, schema: schema, logger: Logger(label: "test"))
        try await old.write { database, _ in
            try database.execute(
                sql: "INSERT INTO history VALUES (CAST('everyone' AS BLOB), 'posts', zeroblob(16), 1, x'01', 1, NULL)"
            )
            try database.execute(sql: "INSERT INTO note VALUES ('kept')")
        }
        await old.close()
        let store = try folder.open()
        #expect(try await store.history.forget(over: HistoryBounds(), now: Self.now)?.versions == 0)
        #expect(try await store.read { try $0.isNoted("kept") })
        await store.close()
    }

    @Test func whatWasKeptUnderOlderNamesOfTablesIsKept() async throws {
        let folder = try TemporaryFolder()
        var schema = Schema(adding: [.notes])
        schema.migrations.removeAll { $0.name == "names" }
        let old = try DatabaseFile(path: folder.database, schema: schema, logger: Logger(label: "test"))
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

    @Test func aTimeOfAnotherTypeMakesARecordThatNoSealFits() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        var batch = HistoryBatch()
        batch.saved = [.some(version: 1), .some(version: 2, outline: [1, 2, 3, 4])]
        try await store.history.write(batch)
        await store.close()
        // The types of screen, version, view, outline, byteCount and usedAt in the record (sqlite.org/fileformat2.html, 2.1).
        let types: [UInt8] = [23, 44, 9, 18, 2, 4]
        let place = try #require(Data(contentsOf: URL(fileURLWithPath: folder.database)).firstRange(of: types))
        // Four bytes of something else.
        try folder.overwrite(at: UInt64(place.upperBound - 1), with: [20])
        let reopened = try folder.open()
        let read = try await reopened.history.records(of: batch.saved.map(\.key))
        #expect(Set(read) == [.some(version: 1, view: 0, outline: [], usedAt: 0), batch.saved[1]])
        await reopened.close()
    }

    @Test func aDamagedPageCostsOnlyTheRecordsThatLieOnIt() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        var batch = HistoryBatch()
        batch.saved = (1...2).map { .some(version: $0, outline: Array(repeating: UInt8($0), count: 20_000)) }
        try await store.history.write(batch)
        await store.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        let page = try #require(stride(from: 0, to: bytes.count, by: 4096).first { bytes[($0 + 4)..<($0 + 4096)].allSatisfy { $0 == 1 } })
        // The page that follows.
        try folder.overwrite(at: UInt64(page), with: [255, 255, 255, 255])
        let reopened = try folder.open()
        let read = try await reopened.history.records(of: batch.saved.map(\.key))
        #expect(Set(read) == [.some(version: 1, view: 0, outline: [], usedAt: 0), batch.saved[1]])
        await #expect(throws: HistoryDamage()) { try await reopened.history.write(batch) }
        try await reopened.history.write(.saving(.some(version: 2)))
        #expect(try await reopened.history.records(of: [batch.saved[1].key]) == [.some(version: 2)])
        await reopened.close()
    }

    @Test func anyStoredSizeAndTimeIsCountedWhereHistoryForgets() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        var batch = HistoryBatch()
        batch.saved = (0..<4).map { .some(version: $0, usedAt: Self.now) }
        try await store.history.write(batch)
        let versions = batch.saved.map(\.key.version.stored)
        try await store.write { transaction in
            for (version, byteCount, usedAt) in [(0, Int64.max, Self.now), (1, .max, Self.now), (2, .min, Self.now), (3, 1, .min)] {
                let values: [(any RecordValue)?] = [byteCount, usedAt, versions[version]]
                try transaction.write("UPDATE grdb_relist_version SET byteCount = ?, usedAt = ? WHERE version = ?", values)
            }
        }
        let holdings = try await store.history.forget(over: HistoryBounds(bytes: 10), now: Self.now)
        #expect(holdings == HistoryHoldings(versions: 3, bytes: 0, crowdedOut: 0))
        await store.close()
    }

    @Test(arguments: [-1, Int64(Int32.max), .max]) func aDamagedSizeHasNoOtherVersionRemoved(byteCount: Int64) async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        var batch = HistoryBatch()
        batch.saved = (0..<4).map { .some(version: $0, usedAt: Self.now - Int64($0) * 4000) }
        try await store.history.write(batch)
        let damaged = batch.saved[0].key.version.stored
        _ = try await store.write { transaction in
            try transaction.write("UPDATE grdb_relist_version SET byteCount = ? WHERE version = ?", [byteCount, damaged])
        }
        let bytes = 3 * batch.saved[0].cost
        let holdings = try await store.history.forget(over: HistoryBounds(bytes: bytes), now: Self.now)
        #expect(holdings == HistoryHoldings(versions: 4, bytes: bytes, crowdedOut: 0))
        await store.close()
    }

    @Test func writingHistoryAnnouncesNothing() async throws {
        let folder = try TemporaryFolder()
        let announcements = Announcements()
        let store = try folder.open(announcements)
        try await store.history.write(.saving(.some(version: 1)))
        #expect(announcements.commits == [])
        await store.close()
    }

    private func withHistory(_ body: (any HistoryStoring) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await body(store.history)
        await store.close()
    }
}
