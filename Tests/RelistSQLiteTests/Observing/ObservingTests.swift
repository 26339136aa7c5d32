import GRDB
import Logging
import TemporaryDatabase
import Testing

@testable import RelistSQLite
@testable import ScreenService

@Suite("Reads and writes without named topics") struct ObservingTests {
    private static let filling = """
        INSERT INTO plant (id, name, height, code) VALUES (1, 'Fern', 30, 'f'), (2, 'Oak', 2000, 'o');
        INSERT INTO leaf VALUES (1, 3), (2, 5);
        INSERT INTO tool VALUES ('spade', 1);
        CREATE TABLE sale (price INTEGER);
        INSERT INTO sale VALUES (1), (2);
        """

    private func withDatabase(_ body: (TeamsDatabase) async throws -> Void) async throws {
        let database = try TeamsDatabase()
        try await database.pool.write { try $0.execute(sql: Self.filling) }
        try await body(database)
        await database.store.close()
    }

    @Test(arguments: [
        ("SELECT name FROM plant", "INSERT INTO plant (name, height) VALUES ('Ivy', 1)"),
        ("SELECT name FROM plant", "DELETE FROM plant WHERE id = 1"),
        ("SELECT name FROM plant", "DELETE FROM plant"),
        ("SELECT name FROM plant", "UPDATE plant SET name = 'Moss' WHERE id = 1"),
        ("SELECT count(*) FROM plant", "DELETE FROM plant WHERE id = 1"),
        ("SELECT isTall FROM plant", "UPDATE plant SET height = 101"),
        ("SELECT rowid FROM plant", "UPDATE plant SET id = 7 WHERE id = 1"),
        ("SELECT id FROM plant", "UPDATE plant SET rowid = 7 WHERE id = 1"),
        ("SELECT price FROM sale", "UPDATE OR REPLACE sale SET oid = 2 WHERE price = 1"),
        ("SELECT name FROM tallPlant", "UPDATE plant SET height = 0"),
        ("SELECT size FROM leaf", "DELETE FROM plant WHERE id = 1"),
        ("SELECT size FROM leaf JOIN plant ON plant = id", "UPDATE plant SET id = 9 WHERE id = 2"),
        ("SELECT name FROM plant WHERE id IN (SELECT plant FROM leaf)", "UPDATE leaf SET plant = 1"),
        ("SELECT NAME FROM Plant", "update PLANT set Name = 'x'"),
        ("SELECT name FROM plant WHERE id = 99", "INSERT INTO plant (id, name, height) VALUES (99, 'Ivy', 1)"),
        ("SELECT name FROM plant", "INSERT OR REPLACE INTO plant (id, name, height) VALUES (1, 'Ivy', 1)"),
        ("SELECT name FROM plant", "INSERT INTO plant (id, name, height) VALUES (1, 'a', 1) ON CONFLICT DO UPDATE SET name = 'b'"),
        ("SELECT count FROM tool", "UPDATE tool SET count = 2"),
        ("SELECT count FROM tool", "DELETE FROM tool"),
        ("SELECT name FROM plant", "SAVEPOINT a; UPDATE plant SET name = 'x'; RELEASE a"),
        ("SELECT name FROM plant", "ALTER TABLE plant ADD COLUMN more TEXT"),
        ("SELECT * FROM plant", "DROP TABLE leaf"),
        ("-- plants\nSELECT name FROM plant", "UPDATE plant SET name = 'x'"),
        ("SELECT height FROM plant", "UPDATE OR REPLACE plant SET code = 'o' WHERE id = 1"),
        ("SELECT height FROM plant", "UPDATE OR REPLACE plant SET id = 2 WHERE id = 1"),
    ])
    func aReadIsOutdatedByAWriteThatAffectsIt(reading: String, writing: String) async throws {
        try await withDatabase { database in
            let isStale = try await database.isStale(reading, after: writing)
            #expect(isStale)
        }
    }

    @Test(arguments: [
        ("SELECT name FROM plant", "UPDATE plant SET height = 31"),
        ("SELECT name FROM plant", "INSERT INTO leaf VALUES (1, 4)"),
        ("SELECT name FROM plant", "UPDATE tool SET count = 2"),
        ("SELECT name FROM plant", "UPDATE plant SET name = 'x' WHERE id = 99"),
        ("SELECT name FROM plant", "DELETE FROM plant WHERE id = 99"),
        ("SELECT name FROM plant", "SAVEPOINT a; UPDATE plant SET name = 'x'; ROLLBACK TO a; RELEASE a"),
        ("SELECT 1", "UPDATE plant SET name = 'x'"),
    ])
    func aReadIsNotOutdatedByAWriteToOtherData(reading: String, writing: String) async throws {
        try await withDatabase { database in
            let isStale = try await database.isStale(reading, after: writing)
            #expect(!isStale)
        }
    }

    @Test func writesThatBypassTheStoreAreAnnounced() async throws {
        try await withDatabase { database in
            let reads = try await database.reads { _ = try Row.fetchAll($0.database, sql: "SELECT name FROM plant") }
            try await database.pool.write { try $0.execute(sql: "UPDATE plant SET name = 'Moss'") }
            #expect(database.announcements.all.last.map { !$0.isDisjoint(with: reads) } == true)
        }
    }

    @Test func aRolledBackWriteIsNotAnnounced() async throws {
        struct Refusal: Error {}
        try await withDatabase { database in
            let before = database.announcements.all
            await #expect(throws: Refusal.self) {
                try await database.store.write { transaction in
                    try transaction.database.execute(sql: "UPDATE plant SET name = 'Moss'")
                    throw Refusal()
                }
            }
            try await database.store.write { _ in }
            #expect(database.announcements.all == before)
        }
    }

    @Test func aReadWithANamedTopicRecordsOnlyTheTopicAndNotTheTable() async throws {
        try await withDatabase { database in
            let reads = try await database.reads { transaction in
                _ = try transaction.rows(of: .notes, "SELECT name FROM plant") { try $0[0] as String }
            }
            #expect(reads == [.notes, TableTopics.everything])
        }
    }

    @Test func aReadWithoutATopicRecordsItsTable() async throws {
        try await withDatabase { database in
            let reads = try await database.reads { transaction in
                _ = try transaction.rows(of: nil, "SELECT name FROM plant") { try $0[0] as String }
                _ = try transaction.row(of: nil, "SELECT count FROM tool") { try $0[0] as Int }
            }
            #expect(reads.isSuperset(of: [TableTopics.rows(of: "plant"), TableTopics.rows(of: "tool")]))
        }
    }

    @Test func aReadThatFindsNoRowRecordsItsTable() async throws {
        struct Missing: Error {}
        try await withDatabase { database in
            let reads = try await database.store.topics.recordingReads {
                await #expect(throws: Missing.self) {
                    try await database.store.read { transaction in
                        guard try Row.fetchOne(transaction.database, sql: "SELECT name FROM plant WHERE id = 99") != nil else {
                            throw Missing()
                        }
                    }
                }
            }.reads
            #expect(reads.contains(TableTopics.rows(of: "plant")))
        }
    }

    @Test func aStatementThatRunsDuringAReadWithANamedTopicIsStillRecorded() async throws {
        try await withDatabase { database in
            let reads = try await database.reads { transaction in
                _ = try transaction.rows(of: .notes, "SELECT id FROM plant") { row in
                    try Int.fetchOne(transaction.database, sql: "SELECT size FROM leaf WHERE plant = \(try row[0] as Int)")
                }
            }
            #expect(reads.contains(TableTopics.rows(of: "leaf")) && !reads.contains(TableTopics.rows(of: "plant")))
        }
    }

    @Test func changesToTemporaryAndAttachedTablesAreAnnounced() async throws {
        let (queue, announcements) = (try DatabaseQueue(), Announcements())
        let store = try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test"))
        announcements.observe(store.topics)
        for (creating, table) in [("CREATE TEMP TABLE t (a)", "temp.t"), ("ATTACH ':memory:' AS aux; CREATE TABLE aux.x (a)", "aux.x")] {
            try await queue.writeWithoutTransaction { try $0.execute(sql: creating) }
            let reads = try await store.topics.recordingReads {
                _ = try await store.read { try Int.fetchOne($0.database, sql: "SELECT count(a) FROM \(table)") }
            }.reads
            try await store.write { try $0.database.execute(sql: "INSERT INTO \(table) VALUES (1)") }
            #expect(announcements.all.last.map { !$0.isDisjoint(with: reads.subtracting([TableTopics.everything])) } == true)
        }
        await store.close()
    }

    @Test func namedTopicsAndChangedColumnsAreAnnouncedTogether() async throws {
        try await withDatabase { database in
            let before = database.announcements.all.count
            try await database.store.write { transaction in
                _ = try transaction.write("UPDATE leaf SET size = 4", announcing: [.notes])
            }
            #expect(Array(database.announcements.all.dropFirst(before)) == [[.notes, TableTopics.column("size", of: "leaf")]])
        }
    }

    @Test func undetectedChangesCanBeAnnouncedExplicitly() async throws {
        try await withDatabase { database in
            let reads = try await database.reads { _ = try Row.fetchAll($0.database, sql: "SELECT height FROM plant") }
            database.store.announce(tables: ["Plant"])
            #expect(database.announcements.all.last.map { !$0.isDisjoint(with: reads) } == true)
            try await database.pool.write { try $0.notifyChanges(in: Table("plant")) }
            #expect(database.announcements.all.last.map { !$0.isDisjoint(with: reads) } == true)
        }
    }

    @Test func changesToTablesOfTheServiceAreNotAnnounced() async throws {
        try await withDatabase { database in
            let before = database.announcements.all
            try await database.store.history.write(HistoryBatch(saving: [.some(version: 1)]))
            _ = try await database.store.secret(byteCount: 16)
            #expect(database.announcements.all == before)
        }
    }

    @Test func theNumberOfCachedStatementsIsLimited() async throws {
        let database = try TeamsDatabase()
        let reads = TableReads()
        for first in 0..<3 {
            try await database.pool.read { connection in
                try reads.recording(to: ReadRecorder(of: database.store.topics), on: connection) { _ in
                    for id in first * 500..<first * 500 + 500 {
                        _ = try Row.fetchOne(connection, sql: "SELECT name FROM plant WHERE id = \(id)")
                    }
                }
            }
        }
        #expect(reads.count == 1500 - 1024)
        await database.store.close()
    }

    @Test func aStoreThatRecordsNoReadsRecordsOnlyNamedTopics() async throws {
        let database = try TeamsDatabase(isRecordingReads: false)
        let reads = try await database.reads { transaction in
            _ = try transaction.rows(of: .notes, "SELECT name FROM plant") { try $0[0] as String }
            _ = try transaction.row(of: nil, "SELECT count FROM tool") { try $0[0] as Int }
        }
        #expect(reads == [.notes])
        await database.store.close()
    }

    @Test func anExistingTraceFunctionIsKeptIfTheStoreRecordsNoReads() async throws {
        final class Seen: @unchecked Sendable { var count = 0 }
        let seen = Seen()
        var configuration = Configuration()
        configuration.maximumReaderCount = 1
        configuration.prepareDatabase { database in
            if database.configuration.readonly {
                database.trace { if $0.description.hasPrefix("SELECT name FROM plant") { seen.count += 1 } }
            }
        }
        let database = try TeamsDatabase(isRecordingReads: false, configuration)
        for _ in 0..<2 { _ = try await database.reads { _ = try Row.fetchAll($0.database, sql: "SELECT name FROM plant") } }
        #expect(seen.count == 2)
        await database.store.close()
    }
}
