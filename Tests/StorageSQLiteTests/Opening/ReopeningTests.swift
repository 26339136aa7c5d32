import Logging
import ScreenService
import Storage
@testable import StorageSQLite
import Testing

@Suite("Closing and reopening") struct ReopeningTests {
    @Test func recordsAreThereAfterReopening() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await store.write { try $0.rename("demo", firstName: "Ada", familyName: "") }
        await store.close()
        let reopened = try folder.open()
        #expect(try await reopened.read { try $0.profile(of: "demo").firstName } == "Ada")
        await reopened.close()
    }

    @Test func theExamplesAreInsertedOnce() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await store.write { _ = try $0.deletePost(1) }
        await store.close()
        let reopened = try folder.open()
        #expect(try await reopened.read { try $0.posts(first: 1).first?.id } == 2)
        #expect(try await reopened.read { try $0.contractNames().count } == Examples.contracts.count)
        await reopened.close()
    }

    @Test func aDatabaseOfAnOlderProgramGetsTheExamplesThatCameLater() async throws {
        let folder = try TemporaryFolder()
        let old = try DatabaseFile(
            path: folder.database, schema: Schema(steps: Array(Schema.current.steps.prefix(3))),
            examples: [.contractsAndPosts], logger: Logger(label: "test")
        )
        let oldStore = SQLiteStore(file: old, topics: Announcements())
        try await oldStore.write { _ = try $0.deletePost(1) }
        await oldStore.close()
        let store = try folder.open()
        #expect(try await store.read { try $0.posts(first: 1).first?.id } == 2)
        #expect(try await store.read { try $0.mountains().count } == Examples.mountains.count)
        try await store.write { _ = try $0.deleteMountain("k2") }
        await store.close()
        let reopened = try folder.open()
        #expect(try await reopened.read { try $0.mountains().count } == Examples.mountains.count - 1)
        await reopened.close()
    }

    @Test func openingAnnouncesNothing() async throws {
        let folder = try TemporaryFolder()
        let announcements = Announcements()
        let store = try folder.open(announcements)
        #expect(announcements.commits == [])
        await store.close()
    }

    @Test func closingLeavesNoLogBehind() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        _ = try await store.read { try $0.postCount() }
        #expect(folder.exists("-wal"))
        await store.close()
        #expect(!folder.exists("-wal"))
        #expect(!folder.exists("-shm"))
    }

    @Test func aClosedStoreSaysSo() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        await store.close()
        await store.close()
        await #expect(throws: StoreError.closed) { try await store.read { try $0.postCount() } }
        await #expect(throws: StoreError.closed) { try await store.write { try $0.connect("demo") } }
        await #expect(throws: StoreError.closed) { try await store.history.records(of: []) }
        #expect(throws: StoreError.closed) { try store.versionSecret(byteCount: 192) }
    }

    @Test func closingWaitsForTransactionsThatHaveBegun() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let (hasBegun, began) = AsyncStream.makeStream(of: Void.self)
        async let count = store.read { store in
            began.finish()
            return try (0..<100).map { _ in try store.posts(first: 120).count }.last
        }
        for await _ in hasBegun {}
        await store.close()
        #expect(try await count == 120)
    }

    @Test func aStoreThatIsLetGoUnlocksItsFile() async throws {
        let folder = try TemporaryFolder()
        do {
            let store = try folder.open()
            _ = try await store.read { try $0.postCount() }
        }
        let reopened = try folder.open()
        await reopened.close()
    }

    @Test func aStoredValueThatNoTypeHasIsReportedWithItsRecord() async throws {
        let folder = try TemporaryFolder()
        let new = try folder.open()
        await new.close()
        var schema = Schema.current
        schema.steps.append(
            Schema.Step(
                name: "spoil",
                sql: """
                    UPDATE contract SET status = 'lost' WHERE number = '240189-000';
                    UPDATE delivery SET day = '2018-02-30' WHERE id = '7534-1';
                    """
            )
        )
        let file = try DatabaseFile(path: folder.database, schema: schema, logger: Logger(label: "test"))
        let store = SQLiteStore(file: file, topics: Announcements())
        await #expect(throws: StoreError.unreadable(record: .contract, id: "240189-000")) {
            try await store.read { try $0.contract("240189-000") }
        }
        await #expect(throws: StoreError.unreadable(record: .delivery, id: "7534-1")) {
            try await store.read { try $0.deliveries(ofContract: "240189-000") }
        }
        #expect(try await store.read { try $0.contractNames().count } == Examples.contracts.count)
        await store.close()
    }
}
