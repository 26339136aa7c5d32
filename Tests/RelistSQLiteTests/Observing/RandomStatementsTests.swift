import GRDB
import SeededRandom
import TemporaryDatabase
import Testing

@testable import RelistSQLite
@testable import ScreenService

/// Tests with random statements that write. If a read returns different rows after the statements, a topic of the read must have been
/// announced.
@Suite("Random statements", .timeLimit(.minutes(1))) struct RandomStatementsTests {
    private static let more = """
        CREATE TABLE sale (item TEXT NOT NULL, price REAL) STRICT;
        CREATE TABLE log (text TEXT);
        CREATE TRIGGER logSale AFTER INSERT ON sale BEGIN INSERT INTO log VALUES (NEW.item); END;
        CREATE TRIGGER raisePrice AFTER UPDATE OF name ON plant BEGIN UPDATE sale SET price = price + 1 WHERE item = NEW.name; END;
        CREATE VIRTUAL TABLE note USING fts5(text);
        CREATE TABLE "odd ""name" ("a b" TEXT);
        CREATE TABLE pot (size INTEGER, mark TEXT UNIQUE ON CONFLICT REPLACE);
        CREATE TABLE page (id INTEGER PRIMARY KEY, text TEXT);
        CREATE VIRTUAL TABLE pageSearch USING fts5(text, content='page', content_rowid='id');
        """

    private static let reads = [
        "SELECT * FROM plant ORDER BY id", "SELECT name FROM plant ORDER BY id", "SELECT count(*) FROM plant",
        "SELECT isTall FROM plant ORDER BY id", "SELECT id, name FROM tallPlant ORDER BY id", "SELECT size FROM leaf ORDER BY rowid",
        "SELECT name, sum(size) FROM plant JOIN leaf ON plant = id GROUP BY id", "SELECT * FROM tool ORDER BY name",
        "SELECT max(count) FROM tool", "SELECT text FROM log ORDER BY rowid", "SELECT item, price FROM sale ORDER BY rowid",
        "SELECT rowid FROM sale ORDER BY rowid", "SELECT rowid FROM note WHERE note MATCH 'b'", "SELECT size FROM pot ORDER BY rowid",
        "SELECT text FROM pageSearch ORDER BY rowid", "-- all\nSELECT mark FROM pot ORDER BY rowid",
        "SELECT text FROM note WHERE note MATCH 'a' ORDER BY rowid",
        #"SELECT "a b" FROM "odd ""name" ORDER BY rowid"#,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n WHERE i < (SELECT count(*) FROM log)) SELECT max(i) FROM n",
        "SELECT EXISTS (SELECT 1 FROM plant WHERE name = 'b')", "SELECT name FROM plant WHERE code IS NULL ORDER BY id",
    ]

    private static func write(_ random: inout SeededGenerator) -> String {
        let (id, other) = (Int.random(in: 1...6, using: &random), Int.random(in: 1...6, using: &random))
        let letter = ["a", "b", "c"].randomElement(using: &random)!
        return [
            "INSERT INTO plant (name, height) VALUES ('\(letter)', \(id * 40))",
            "INSERT OR REPLACE INTO plant (id, name, height, code) VALUES (\(id), '\(letter)', 50, '\(letter)')",
            "INSERT OR IGNORE INTO plant (id, name, height, code) VALUES (\(id), '\(letter)', 50, '\(letter)')",
            "INSERT INTO plant (id, name, height) VALUES (\(id), '\(letter)', 1) ON CONFLICT DO UPDATE SET height = height + 60",
            "UPDATE plant SET name = '\(letter)' WHERE id = \(id)", "UPDATE plant SET height = \(other * 40) WHERE id = \(id)",
            "UPDATE OR REPLACE plant SET id = \(other) WHERE id = \(id)", "UPDATE OR REPLACE plant SET code = '\(letter)' WHERE id = \(id)",
            "INSERT INTO pot VALUES (\(id), '\(letter)')", "UPDATE pot SET mark = '\(letter)' WHERE size = \(id)",
            "INSERT OR REPLACE INTO page VALUES (\(id), '\(letter)')", "UPDATE page SET text = '\(letter)'",
            "UPDATE OR IGNORE plant SET id = \(other) WHERE id = \(id)", "DELETE FROM plant WHERE id = \(id)", "DELETE FROM plant",
            "INSERT OR IGNORE INTO leaf SELECT id, \(other) FROM plant WHERE id = \(id)", "UPDATE leaf SET size = size + 1",
            "DELETE FROM leaf WHERE size > \(other)",
            "INSERT INTO tool VALUES ('\(letter)', \(id)) ON CONFLICT DO UPDATE SET count = \(other)",
            "REPLACE INTO tool VALUES ('\(letter)', \(id))", "UPDATE tool SET count = count + 1",
            "DELETE FROM tool WHERE name = '\(letter)'",
            "INSERT INTO sale VALUES ('\(letter)', \(id))",
            "UPDATE sale SET rowid = rowid + 10 WHERE rowid = (SELECT max(rowid) FROM sale)",
            "UPDATE OR REPLACE sale SET _rowid_ = \(other) WHERE rowid = \(id)",
            "UPDATE OR REPLACE plant SET oid = \(other) WHERE id = \(id)",
            "DELETE FROM sale", "DELETE FROM log WHERE rowid % 2", "INSERT INTO note VALUES ('\(letter) x')", "DELETE FROM note",
            "UPDATE note SET text = '\(letter)' WHERE rowid = 1", #"INSERT INTO "odd ""name" VALUES ('\#(letter)')"#,
            #"UPDATE "odd ""name" SET "A B" = '\#(letter)'"#,
            "SAVEPOINT s; DELETE FROM tool; ROLLBACK TO s; RELEASE s", "SAVEPOINT s; UPDATE plant SET name = '\(letter)'; RELEASE s",
            "CREATE TABLE IF NOT EXISTS passing (id); INSERT INTO passing VALUES (1); DROP TABLE passing",
            "DROP VIEW tallPlant; CREATE VIEW tallPlant AS SELECT id, name FROM plant WHERE height > \(other * 40)",
        ].randomElement(using: &random)!
    }

    private static func rows(of sql: String, on database: Database) throws -> [[DatabaseValue]] {
        try Row.fetchAll(database, sql: sql).map { Array($0.databaseValues) }
    }

    /// Tests with odd seeds use a `DatabaseQueue`, which has a single connection.
    @Test(arguments: Seeds.first(8))
    func aRandomWriteThatChangesTheRowsOfAReadAnnouncesATopicOfTheRead(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let database = try TeamsDatabase(isPool: seed.isMultiple(of: 2))
        try await database.pool.write { try $0.execute(sql: Self.more) }
        var held: [String: (rows: [[DatabaseValue]], reads: Set<Topic>)] = [:]
        for _ in 0..<60 {
            for sql in Self.reads where held[sql] == nil {
                let (rows, reads) = try await database.store.topics.recordingReads {
                    try await database.store.read { try Self.rows(of: sql, on: $0.database) }
                }
                held[sql] = (rows, reads)
            }
            let (before, writes) = (
                database.announcements.all.count, (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.write(&random) }
            )
            let isOurs = Bool.random(using: &random)
            if isOurs {
                try await database.store.write { transaction in for sql in writes { try transaction.database.execute(sql: sql) } }
            } else {
                try await database.pool.write { connection in for sql in writes { try connection.execute(sql: sql) } }
            }
            let stale = database.announcements.all.dropFirst(before).reduce(into: Set<Topic>()) { $0.formUnion($1) }
            for (sql, kept) in held {
                if !kept.reads.isDisjoint(with: stale) {
                    held[sql] = nil
                } else {
                    let rows = try await database.pool.read { try Self.rows(of: sql, on: $0) }
                    #expect(rows == kept.rows, "\(sql) was not stale after \(writes), seed \(seed)")
                }
            }
        }
        await database.store.close()
    }
}
