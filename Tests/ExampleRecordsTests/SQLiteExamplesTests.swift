import GRDB
import Logging
import RelistSQLite
import ScreenService
import TemporaryDatabase
import Testing

@testable import ExampleRecords

@Suite("Example data in SQLite") struct SQLiteExamplesTests {
    private static let all: [any ExampleTransaction.Type] = [
        SettingsTransaction.self, DeliveriesTransaction.self, PostsTransaction.self, MountainsTransaction.self, ArtistTransaction.self,
        WiFiTransaction.self,
    ]

    private func open(_ folder: TemporaryFolder, _ tables: [any ExampleTransaction.Type] = all) throws -> SQLiteServiceStore {
        try folder.open(tables)
    }

    @Test func examplesAreInsertedOnlyOnce() async throws {
        let folder = try TemporaryFolder()
        let database = try open(folder)
        try await Store<PostsTransaction>(in: database).write { _ = try $0.deletePost(1) }
        await database.close()
        let reopened = try open(folder)
        #expect(try await Store<PostsTransaction>(in: reopened).read { try $0.posts(first: 1).first?.id } == 2)
        let contracts = try await Store<DeliveriesTransaction>(in: reopened).read { try $0.contractNames() }
        #expect(try contracts.count == Examples.contracts.count)
        await reopened.close()
    }

    @Test func anOlderDatabaseReceivesTheExamplesOfNewScreens() async throws {
        let folder = try TemporaryFolder()
        let old = try open(folder, Array(Self.all.prefix(3)))
        try await Store<PostsTransaction>(in: old).write { _ = try $0.deletePost(1) }
        await old.close()
        let database = try open(folder)
        #expect(try await Store<PostsTransaction>(in: database).read { try $0.posts(first: 1).first?.id } == 2)
        let mountains = Store<MountainsTransaction>(in: database)
        #expect(try await mountains.read { try $0.mountains().count } == Examples.mountains.count)
        await database.close()
        // Opening the database again would throw an error if it inserted a mountain a second time.
        await (try open(folder)).close()
    }

    @Test func theNamesOfReleasedMigrationsDoNotChange() async throws {
        let folder = try TemporaryFolder()
        let database = try open(folder)
        let steps = try await database.read { transaction in
            try transaction.rows(of: nil, "SELECT identifier FROM grdb_migrations") { try $0[0] as String }
        }
        let ofService = ["history", "names", "receipts", "secrets", "versions"]
        let screens = ["artist", "deliveries", "examples", "mountains", "posts", "settings", "wifi"].map { $0 + " names" }
        #expect(Set(steps) == Set(["artist", "mountains", "records", "wifi"] + ofService + screens))
        await database.close()
    }

    @Test func anInvalidStoredValueIsReportedAsDamage() async throws {
        let folder = try TemporaryFolder()
        let database = try folder.open([DeliveriesTransaction.self])
        try await database.write { transaction in
            try transaction.write("UPDATE contract SET status = 'lost' WHERE number = '240189-000'")
            try transaction.write("UPDATE delivery SET day = '2018-02-30' WHERE id = '7534-1'")
        }
        let store = Store<DeliveriesTransaction>(in: database)
        let damaged = DataUnavailable(reason: "the database is damaged")
        await #expect(throws: damaged) { try await store.read { try $0.contract("240189-000") } }
        await #expect(throws: damaged) { try await store.read { try $0.deliveries(ofContract: "240189-000") } }
        #expect(try await store.read { try $0.contractNames().count } == Examples.contracts.count)
        await database.close()
    }

    @Test(arguments: ["UPDATE lastDeliveryNumber SET value = 9223372036854775807", "DELETE FROM lastDeliveryNumber"])
    func noDeliveryIDIsCreatedIfTheStoredNumberIsDamaged(change: String) async throws {
        let folder = try TemporaryFolder()
        let database = try folder.open([DeliveriesTransaction.self])
        try await database.write { _ = try $0.write(change) }
        await #expect(throws: DataUnavailable(reason: "the database is damaged")) {
            try await Store<DeliveriesTransaction>(in: database).write { try $0.newDeliveryID() }
        }
        await database.close()
    }

    @Test func aDatabaseWithEarlierColumnNamesOpensWithAllOfItsRecords() async throws {
        let folder = try TemporaryFolder()
        let earlier = Examples.migrations(of: Self.all, for: .sqlite).filter { !$0.name.hasSuffix(" names") }
        let old = try SQLiteServiceStore.open(path: folder.database, migrations: earlier, logger: Logger(label: "test"))
        try await old.write { transaction in
            try transaction.database.execute(
                sql: """
                    INSERT INTO examples (inserted) VALUES (1), (2), (3);
                    INSERT INTO profile (user, firstName, familyName, email, hasPassword, isConnected) VALUES ('demo', 'Ada', '', 'a@b', 0, 1);
                    INSERT INTO contract (number, name, date, status, contractedKilograms, firstDay, lastDay)
                    VALUES ('1', 'ORGE', '2018-01-01', 'agreed', 9, '2018-02-01', '2018-03-01');
                    INSERT INTO delivery (id, contract, day, scheduledKilograms, weighedKilograms) VALUES ('7-1', '1', '2018-02-02', 5, 6);
                    UPDATE lastDeliveryNumber SET value = 7;
                    INSERT INTO post (id, userID, title, body) VALUES (1, 2, 'a', 'b');
                    INSERT INTO mountain (id, name, metres, englishRange, frenchRange, countries) VALUES ('k2', 'K2', 8611, 'E', 'F', 'CN PK');
                    INSERT INTO artist (id, name, englishGenre, frenchGenre, englishBiography, frenchBiography)
                    VALUES ('ann', 'Ann', 'Folk', 'Chanson', 'e', 'f');
                    INSERT INTO album (id, artist, title, year, isNew, isExplicit) VALUES ('b', 'ann', 'B', 2001, 1, 0);
                    INSERT INTO track (album, number, title, seconds, plays) VALUES ('b', 1, 'T', 61, 3);
                    INSERT INTO wifi (user, isOn, joinedNetwork) VALUES ('demo', 0, 'moulin');
                    """
            )
        }
        await old.close()
        let database = try open(folder)
        let profile = Profile(firstName: "Ada", familyName: "", email: "a@b", hasPassword: false, isConnected: true)
        #expect(try await Store<SettingsTransaction>(in: database).read { try $0.profile(of: "demo") } == profile)
        let (contracts, deliveries) = try await Store<DeliveriesTransaction>(in: database).read {
            (try $0.contractNames(), try $0.deliveries(ofContract: "1"))
        }
        #expect(contracts == [ContractName(number: "1", name: "ORGE")])
        let (scheduled, weighed) = (Weight(kilograms: 5), Weight(kilograms: 6))
        let delivery = Delivery(
            id: "7-1", contract: "1", day: CalendarDay("2018-02-02")!, scheduledWeight: scheduled, weighedWeight: weighed)
        #expect(deliveries == [delivery])
        #expect(try await Store<DeliveriesTransaction>(in: database).write { try $0.newDeliveryID() } == "8-1")
        #expect(
            try await Store<PostsTransaction>(in: database).read { try $0.posts(first: 9) } == [
                Post(id: 1, userID: 2, title: "a", body: "b")
            ])
        let k2 = Mountain(id: "k2", name: "K2", metres: 8611, range: TranslatedText(english: "E", french: "F"), countries: ["CN", "PK"])
        #expect(try await Store<MountainsTransaction>(in: database).read { try $0.mountains() } == [k2])
        let (albums, tracks) = try await Store<ArtistTransaction>(in: database).read {
            (try $0.albums(ofArtist: "ann"), try $0.tracks(ofArtist: "ann"))
        }
        #expect(albums == [Album(id: "b", artist: "ann", title: "B", year: 2001, isNew: true)])
        #expect(tracks == [Track(album: "b", number: 1, title: "T", seconds: 61, plays: 3)])
        let wifi = WiFiSettings(isOn: false, joinedNetwork: "moulin")
        #expect(try await Store<WiFiTransaction>(in: database).read { try $0.wifiSettings(of: "demo") } == wifi)
        await database.close()
    }

    @Test func twoStoresInOneFileAnnounceOnlyTheirOwnTopics() async throws {
        let folder = try TemporaryFolder()
        let announcements = Announcements()
        let database = try folder.open([SettingsTransaction.self, WiFiTransaction.self])
        announcements.observe(database.topics)
        try await Store<SettingsTransaction>(in: database).write { try $0.changeProfile(of: "demo") { $0.isConnected = true } }
        try await Store<WiFiTransaction>(in: database).write { try $0.changeWiFiSettings(of: "demo") { $0.isOn = false } }
        #expect(try await Store<SettingsTransaction>(in: database).read { try $0.profile(of: "demo").isConnected })
        #expect(try await Store<WiFiTransaction>(in: database).read { try !$0.wifiSettings(of: "demo").isOn })
        #expect(announcements.commits == [["settings/demo"], ["wifi/demo"]])
        await database.close()
    }
}
