import Logging
import ScreenService
import Storage
@testable import StorageSQLite
import Testing

@Suite("History in SQLite") struct SQLiteHistoryTests {
    @Test func recordsAreReadBackAfterReopening() async throws {
        let folder = try TemporaryFolder()
        let records: Set<HistoryRecord> = [
            .some(version: 1),
            .some(.user("everyone"), version: 1, view: .max, supersededAt: 1_700_000_000),
            .some(.user("zoé"), version: .max, outline: [], recordedAt: .max, supersededAt: .min),
            .some(.user(""), version: 1),
            .some(.user("a\0b"), version: 1),
            .some(.user("a"), version: 1),
        ]
        let store = try folder.open()
        var batch = HistoryBatch()
        batch.saved = Array(records)
        try await store.history.write(batch)
        await store.close()
        let reopened = try folder.open()
        let read = try await reopened.history.records()
        #expect(read.count == records.count)
        #expect(Set(read) == records)
        await reopened.close()
    }

    @Test func aBatchSavesSupersedesAndRemoves() async throws {
        try await withHistory { history async throws in
            var first = HistoryBatch()
            first.saved = [.some(version: 1), .some(version: 2), .some(version: 3)]
            try await history.write(first)
            var second = HistoryBatch()
            second.saved = [.some(version: 1, view: 9, outline: [1, 9])]
            second.superseded = [HistoryRecord.some(version: 2).key: 77, HistoryRecord.some(version: 8).key: 77]
            second.removed = [HistoryRecord.some(version: 3).key, HistoryRecord.some(version: 8).key]
            try await history.write(second)
            #expect(
                try await Set(history.records())
                    == [.some(version: 1, view: 9, outline: [1, 9]), .some(version: 2, supersededAt: 77)]
            )
        }
    }

    @Test func aBatchThatFailsChangesNothing() async throws {
        try await withHistory { history async throws in
            try await history.write(.saving(.some(version: 1)))
            var batch = HistoryBatch()
            batch.saved = [.some(version: 2), .some(screen: "no\0name", version: 3)]
            batch.removed = [HistoryRecord.some(version: 1).key]
            await #expect(throws: (any Error).self) { try await history.write(batch) }
            #expect(try await history.records() == [.some(version: 1)])
        }
    }

    @Test func anOutlineThatCannotBeDecodedIsReturnedAsItsBytes() async throws {
        try await withHistory { history async throws in
            let record = HistoryRecord.some(version: 1, outline: [0, 255, 0, 1])
            try await history.write(.saving(record))
            #expect(try await history.records() == [record])
        }
    }

    @Test func aRecordWhoseKeyIsNoneIsLeftOut() async throws {
        let folder = try TemporaryFolder()
        var schema = Schema.current
        schema.steps.append(
            Schema.Step(
                name: "spoil", // an unknown audience, half a version, and a user that is no UTF-8
                sql: """
                    INSERT INTO history VALUES (x'00', 'posts', zeroblob(16), 1, x'01', 1, NULL);
                    INSERT INTO history VALUES (CAST('everyone' AS BLOB), 'posts', x'01', 1, x'01', 1, NULL);
                    INSERT INTO history VALUES (x'757365723AFF', 'posts', zeroblob(16), 1, x'01', 1, NULL);
                    """
            )
        )
        let file = try DatabaseFile(path: folder.database, schema: schema, logger: Logger(label: "test"))
        let history = SQLiteHistory(file: file)
        try await history.write(.saving(.some(version: 1)))
        #expect(try await history.records() == [.some(version: 1)])
        await file.close()
    }

    @Test func writingHistoryAnnouncesNothing() async throws {
        let folder = try TemporaryFolder()
        let announcements = Announcements()
        let store = try folder.open(announcements)
        try await store.history.write(.saving(.some(version: 1)))
        #expect(announcements.commits == [])
        await store.close()
    }

    private func withHistory(_ body: (SQLiteHistory) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await body(store.history)
        await store.close()
    }
}
