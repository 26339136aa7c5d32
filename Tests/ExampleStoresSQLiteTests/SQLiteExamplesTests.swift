import ExampleStores
import ExampleStoresSQLite
import GRDB
import Logging
import ScreenService
import RelistSQLite
import TemporaryDatabase
import Testing

@Suite("The examples in SQLite") struct SQLiteExamplesTests {
    private static let all: [any SQLiteTables.Type] = [
        SQLiteSettings.self, SQLiteDeliveries.self, SQLitePosts.self, SQLiteMountains.self, SQLiteArtist.self,
        SQLiteWiFi.self,
    ]

    private func open(_ folder: TemporaryFolder, _ tables: [any SQLiteTables.Type] = all) throws -> SQLiteServiceStore {
        try SQLiteServiceStore.open(
            path: folder.database, tables: tables, logger: Logger(label: "test")
        )
    }

    @Test func theyAreInsertedOnce() async throws {
        let folder = try TemporaryFolder()
        let database = try open(folder)
        try await database.store(SQLitePosts.self).write { _ = try $0.deletePost(1) }
        await database.close()
        let reopened = try open(folder)
        #expect(try await reopened.store(SQLitePosts.self).read { try $0.posts(first: 1).first?.id } == 2)
        let contracts = try await reopened.store(SQLiteDeliveries.self).read { try $0.contractNames() }
        #expect(contracts.count == Examples.contracts.count)
        await reopened.close()
    }

    @Test func aDatabaseOfAnOlderProgramGetsThoseThatCameLater() async throws {
        let folder = try TemporaryFolder()
        let old = try open(folder, Array(Self.all.prefix(3)))
        try await old.store(SQLitePosts.self).write { _ = try $0.deletePost(1) }
        await old.close()
        let database = try open(folder)
        #expect(try await database.store(SQLitePosts.self).read { try $0.posts(first: 1).first?.id } == 2)
        let mountains = database.store(SQLiteMountains.self)
        #expect(try await mountains.read { try $0.mountains().count } == Examples.mountains.count)
        try await mountains.write { _ = try $0.deleteMountain("k2") }
        await database.close()
        let reopened = try open(folder)
        #expect(
            try await reopened.store(SQLiteMountains.self).read { try $0.mountains().count } == Examples.mountains.count - 1
        )
        await reopened.close()
    }

    @Test func theStepsToTheirTablesAreThoseThatFilesHaveBehindThem() async throws {
        let folder = try TemporaryFolder()
        let database = try open(folder)
        let steps = try await database.read { transaction in
            try transaction.rows(of: nil, "SELECT identifier FROM grdb_migrations ORDER BY identifier") { $0[0] as String }
        }
        #expect(steps == ["artist", "history", "mountains", "names", "receipts", "records", "secrets", "versions", "wifi"])
        await database.close()
    }

    @Test func aStoredValueThatNoTypeHasIsDataOutOfReach() async throws {
        let folder = try TemporaryFolder()
        let database = try folder.open(SQLiteDeliveries.self)
        try await database.write { transaction in
            try transaction.write("UPDATE contract SET status = 'lost' WHERE number = '240189-000'")
            try transaction.write("UPDATE delivery SET day = '2018-02-30' WHERE id = '7534-1'")
        }
        let store = database.store(SQLiteDeliveries.self)
        let damaged = DataUnavailable(reason: "the database is damaged")
        await #expect(throws: damaged) { try await store.read { try $0.contract("240189-000") } }
        await #expect(throws: damaged) { try await store.read { try $0.deliveries(ofContract: "240189-000") } }
        #expect(try await store.read { try $0.contractNames().count } == Examples.contracts.count)
        await database.close()
    }

    @Test(arguments: ["UPDATE lastDeliveryNumber SET value = 9223372036854775807", "DELETE FROM lastDeliveryNumber"])
    func noDeliveryGetsAnIdWhereTheLastNumberIsDamaged(change: String) async throws {
        let folder = try TemporaryFolder()
        let database = try folder.open(SQLiteDeliveries.self)
        try await database.write { _ = try $0.write(change) }
        await #expect(throws: DataUnavailable(reason: "the database is damaged")) {
            try await database.store(SQLiteDeliveries.self).write { try $0.newDeliveryID() }
        }
        await database.close()
    }

    @Test func twoStoresOfOneFileReadAndWriteBesideEachOther() async throws {
        let folder = try TemporaryFolder()
        let announcements = Announcements()
        let database = try folder.open(SQLiteSettings.self, SQLiteWiFi.self, announcingTo: announcements)
        try await database.store(SQLiteSettings.self).write { try $0.connect("demo") }
        try await database.store(SQLiteWiFi.self).write { try $0.changeWiFiSettings(of: "demo") { $0.isOn = false } }
        #expect(try await database.store(SQLiteSettings.self).read { try $0.profile(of: "demo").isConnected })
        #expect(try await database.store(SQLiteWiFi.self).read { try !$0.wifiSettings(of: "demo").isOn })
        #expect(announcements.commits == [["settings/demo"], ["wifi/demo"]])
        await database.close()
    }
}

extension TemporaryFolder {
    fileprivate func open(
        _ tables: any SQLiteTables.Type..., announcingTo announcements: Announcements = Announcements()
    ) throws(DatabaseFileError) -> SQLiteServiceStore {
        let store = try SQLiteServiceStore.open(path: database, tables: tables, logger: Logger(label: "test"))
        announcements.observe(store.topics)
        return store
    }
}
