import Dispatch
import Foundation
import Logging
import RelistPostgres
import RelistSQLite
import ScreenService
import TemporaryDatabase
import TemporaryPostgres
import Testing

/// Tests of the rules that both engines follow, so that the same code of a store runs on both.
@Suite("A record transaction", .timeLimit(.minutes(1))) struct RecordTransactionTests {
    static let engines: [RecordEngine] = [.sqlite, .postgres]

    private struct Taken: Error, Equatable {
        var key = ""
    }

    private struct Orphaned: Error, Equatable {}

    @Test(arguments: engines) func valuesOfEachTypeAreReadBackUnchanged(engine: RecordEngine) async throws {
        try await withStore(engine) { store, _ in
            let (id, day, time) = (UUID(), CalendarDay(year: 2018, month: 7, day: 12)!, Date(timeIntervalSince1970: 1_531_382_400.125))
            let columns = "number, text, weight, flag, bytes, id, day, time, json"
            let sql = "INSERT INTO value (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
            try await store.write { transaction in
                try transaction.write(
                    sql, [Int.min, "Zoë \u{1F600} 'x' \\ $1", 0.1, true, [0, 1, 255] as [UInt8], id, day, time, #"{"a":[1]}"#])
                try transaction.write(sql, [2, nil, nil, nil, nil, nil, nil, nil, nil])
                try transaction.write(sql, [Int.max, "", -Double.infinity, false, [] as [UInt8], id, day, time, "null"])
            }
            let rows = try await store.read { transaction in
                try transaction.rows(of: nil, "SELECT \(columns) FROM value ORDER BY number") { try Values($0) }
            }
            #expect(
                rows == [
                    Values(
                        number: .min, text: "Zoë \u{1F600} 'x' \\ $1", weight: 0.1, flag: true, bytes: [0, 1, 255], id: id, day: day,
                        time: time, json: #"{"a":[1]}"#),
                    Values(number: 2),
                    Values(number: .max, text: "", weight: -.infinity, flag: false, bytes: [], id: id, day: day, time: time, json: "null"),
                ])
            let found = try await store.read { transaction in
                let sql = "SELECT count(*) FROM value WHERE id = $1 AND day = $2 AND time = $3 AND flag = $4 AND bytes = $5"
                return try transaction.row(of: nil, sql, [id, day, time, true, [0, 1, 255] as [UInt8]]) { try $0[0] as Int }
            }
            #expect(found == 1)
        }
    }

    @Test(arguments: engines) func timesAreReadBackToTheMillisecond(engine: RecordEngine) async throws {
        try await withStore(engine) { store, _ in
            let times = (0..<1000).map { Date(timeIntervalSince1970: Double(1_531_382_400_000 + $0) / 1000) }
            try await store.write { transaction in
                for (number, time) in times.enumerated() {
                    try transaction.write("INSERT INTO value (number, time) VALUES ($1, $2)", [number, time])
                }
            }
            let read = try await store.read { try $0.rows(of: nil, "SELECT time FROM value ORDER BY number") { try $0[0] as Date } }
            #expect(read == times)
        }
    }

    fileprivate struct Values: Equatable {
        var number: Int
        var text: String?
        var weight: Double?
        var flag: Bool?
        var bytes: [UInt8]?
        var id: UUID?
        var day: CalendarDay?
        var time: Date?
        var json: String?
    }

    @Test(arguments: engines) func readingAColumnAsTheWrongTypeThrowsAnError(engine: RecordEngine) async throws {
        try await withStore(engine) { store, _ in
            await #expect(throws: RecordValueError.wrongType(column: 0)) {
                try await store.read { try $0.row(of: nil, "SELECT CAST('a' AS text)") { try $0[0] as Int } }
            }
            await #expect(throws: RecordValueError.wrongType(column: 0)) {
                try await store.read { try $0.row(of: nil, "SELECT CAST(NULL AS text)") { try $0[0] as String } }
            }
            await #expect(throws: RecordValueError.wrongType(column: 1)) {
                try await store.read { try $0.row(of: nil, "SELECT 1") { try $0[1] as Int } }
            }
        }
    }

    @Test(arguments: engines) func eachNumberedPlaceholderIsReplacedByItsArgument(engine: RecordEngine) async throws {
        try await withStore(engine) { store, _ in
            let text = try await store.read { transaction in
                let sql = "SELECT CAST($2 AS text) || CAST($1 AS text) || CAST($2 AS text)"
                return try transaction.row(of: nil, sql, ["a", "b"]) { try $0[0] as String }
            }
            #expect(text == "bab")
            await #expect(throws: (any Error).self) {
                try await store.read { try $0.row(of: nil, "SELECT CAST($1 AS text)", ["a", "b"]) { try $0[0] as String } }
            }
        }
    }

    @Test(arguments: engines) func insertingADuplicateOfAUniqueKeyThrowsTheGivenError(engine: RecordEngine) async throws {
        try await withStore(engine) { store, announcements in
            try await store.write { transaction in
                try transaction.write("INSERT INTO plant (name, code) VALUES ('a', 'A')", announcing: [Topic("a")])
                for row in ["('a', 'B')", "('b', 'A')"] {
                    #expect(throws: Taken()) { try transaction.write("INSERT INTO plant (name, code) VALUES \(row)", ifTaken: Taken()) }
                }
                let insert = { (row: String, key: String) in
                    let sql = "INSERT INTO plant (name, code) VALUES \(row)"
                    return try transaction.write(sql, [], announcing: [Topic("no")], ifTaken: Taken(key: key), key: [key], ifOrphaned: nil)
                }
                #expect(throws: Taken(key: "name")) { try insert("('a', 'B')", "name") }
                #expect(throws: Taken(key: "code")) { try insert("('b', 'A')", "code") }
                #expect { try insert("('b', 'A')", "name") } throws: { !($0 is Taken) }
            }
            #expect(try await store.names == ["a"])
            #expect(announcements.commits == [["a"]])
        }
    }

    @Test(arguments: engines) func aReferenceToAMissingRowThrowsTheGivenError(engine: RecordEngine) async throws {
        try await withStore(engine) { store, _ in
            await #expect(throws: Orphaned()) {
                try await store.write { try $0.write("INSERT INTO leaf (plant) VALUES ('none')", ifOrphaned: Orphaned()) }
            }
        }
    }

    @Test(arguments: engines) func aRowReferencedByAnotherRowCannotBeDeleted(engine: RecordEngine) async throws {
        try await withStore(engine) { store, _ in
            try await store.write { transaction in
                try transaction.write("INSERT INTO plant (name) VALUES ('a'), ('b')")
                try transaction.write("INSERT INTO leaf (plant) VALUES ('a')")
                try transaction.write("INSERT INTO root (plant) VALUES ('b')")
            }
            for name in ["a", "b"] {
                await #expect(throws: Orphaned()) {
                    try await store.write { try $0.write("DELETE FROM plant WHERE name = $1", [name], ifOrphaned: Orphaned()) }
                }
            }
        }
    }

    @Test(arguments: engines) func aTransactionContinuesAfterACaughtError(engine: RecordEngine) async throws {
        try await withStore(engine) { store, _ in
            try await store.write { transaction in
                try transaction.write("INSERT INTO plant (name) VALUES ('a')")
                for sql in [
                    "INSERT INTO plant (name) VALUES ('b'), ('a')", "INSERT INTO plant (name) VALUES (NULL)",
                    "INSERT INTO nowhere VALUES (1)",
                ] {
                    #expect(throws: (any Error).self) { try transaction.write(sql) }
                }
                #expect(throws: (any Error).self) {
                    try transaction.rows(of: nil, "INSERT INTO plant (name) VALUES ('a') RETURNING name") { try $0[0] as String }
                }
                try transaction.write("INSERT INTO plant (name) VALUES ('c')")
            }
            #expect(try await store.names == ["a", "c"])
        }
    }

    @Test(arguments: engines) func aTextWithANullCharacterIsNeitherStoredNorFound(engine: RecordEngine) async throws {
        try await withStore(engine) { store, _ in
            try await store.write { _ = try $0.write("INSERT INTO plant (name) VALUES ('a')") }
            for sql in ["INSERT INTO plant (name) VALUES ($1)", "UPDATE plant SET code = $1"] {
                await #expect(throws: RecordValueError.zeroCharacter) { try await store.write { try $0.write(sql, ["a\0b"]) } }
            }
            await #expect(throws: RecordValueError.zeroCharacter) {
                try await store.write {
                    try $0.rows(of: nil, "INSERT INTO plant (name) VALUES ($1) RETURNING name", ["a\0"]) { try $0[0] as String }
                }
            }
            let deleted = try await store.write { try $0.write("DELETE FROM plant WHERE name = $1", ["a\0"]) }
            let found = try await store.read {
                try $0.rows(of: nil, "SELECT name FROM plant WHERE name = $1", ["a\0"]) { try $0[0] as String }
            }
            #expect(deleted == 0 && found == [])
            #expect(try await store.names == ["a"])
        }
    }

    @Test(arguments: engines) func textIsSortedByItsBytes(engine: RecordEngine) async throws {
        try await withStore(engine) { store, _ in
            try await store.write { transaction in
                for name in ["é", "b", "Z", "a b", "a", "É", "ab", "e"] {
                    try transaction.write("INSERT INTO plant (name) VALUES ($1)", [name])
                }
            }
            #expect(try await store.names == ["Z", "a", "a b", "ab", "b", "e", "É", "é"])
        }
    }

    @Test(arguments: engines) func aWriteWithAReturningClauseIsAnnouncedOnlyIfItChangesARow(engine: RecordEngine) async throws {
        try await withStore(engine) { store, announcements in
            let names = { @Sendable (sql: String) in
                try await store.write { try $0.rows(of: nil, sql, ["a"], announcing: [Topic("plants")]) { try $0[0] as String } }
            }
            #expect(try await names("UPDATE plant SET code = 'A' WHERE name = $1 RETURNING name") == [])
            #expect(announcements.commits == [])
            #expect(try await names("INSERT INTO plant (name) VALUES ($1) RETURNING name") == ["a"])
            #expect(announcements.commits == [["plants"]])
            let deleted = try await store.write { transaction in
                let sql = "DELETE FROM plant WHERE name = $1 RETURNING name"
                return try transaction.row(of: nil, sql, ["a"], announcing: [Topic("plants")]) { try $0[0] as String }
            }
            #expect(deleted == "a")
            #expect(announcements.commits == [["plants"], ["plants"]])
        }
    }

    @Test(arguments: engines) func aWriteIsAnnouncedEvenIfItsReturnedRowsCannotBeRead(engine: RecordEngine) async throws {
        try await withStore(engine) { store, announcements in
            try await store.write { transaction in
                let sql = "INSERT INTO plant (name) VALUES ('a') RETURNING name"
                #expect(throws: RecordValueError.wrongType(column: 0)) {
                    try transaction.rows(of: nil, sql, [], announcing: [Topic("plants")]) { try $0[0] as Int }
                }
            }
            #expect(try await store.names == ["a"])
            #expect(announcements.commits == [["plants"]])
        }
    }

    @Test(arguments: engines) func aTransactionChangesAndAnnouncesNothingIfItThrowsAnError(engine: RecordEngine) async throws {
        try await withStore(engine) { store, announcements async throws in
            await #expect(throws: Taken()) {
                try await store.write { transaction in
                    try transaction.write("INSERT INTO plant (name) VALUES ('a')", announcing: [Topic("plants")])
                    throw Taken()
                }
            }
            #expect(try await store.names == [])
            #expect(announcements.commits == [])
        }
    }

    @Test(arguments: engines) func aCommitAnnouncesEachTopicOnce(engine: RecordEngine) async throws {
        try await withStore(engine) { store, announcements async throws in
            try await store.write { transaction in
                try transaction.write("INSERT INTO plant (name) VALUES ('a')", announcing: [Topic("plants")])
                try transaction.write("INSERT INTO plant (name) VALUES ('b')", announcing: [Topic("plants"), Topic("b")])
            }
            #expect(announcements.commits == [["plants", "b"]])
        }
    }

    @Test(arguments: engines) func aReadTransactionSeesOneStateDuringAConcurrentWrite(engine: RecordEngine) async throws {
        try await withStore(engine) { store, _ async throws in
            let sql = "SELECT name FROM plant"
            let (hasBegun, began) = AsyncStream.makeStream(of: Void.self)
            let written = DispatchSemaphore(value: 0)
            async let names = store.read { transaction in
                let before = try transaction.rows(of: nil, sql) { try $0[0] as String }
                began.finish()
                written.wait()
                return before + (try transaction.rows(of: nil, sql) { try $0[0] as String })
            }
            for await _ in hasBegun {}
            try await store.write { _ = try $0.write("INSERT INTO plant (name) VALUES ('a')") }
            written.signal()
            #expect(try await names == [])
            #expect(try await store.names == ["a"])
        }
    }

    @Test(arguments: engines) func aWriteOfACancelledTaskIsCommittedAndAnnounced(engine: RecordEngine) async throws {
        try await withStore(engine) { store, announcements async throws in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await store.write { _ = try $0.write("INSERT INTO plant (name) VALUES ('a')", announcing: [Topic("plants")]) }
            }
            try await task.value
            #expect(announcements.commits == [["plants"]])
        }
    }

    @Test(arguments: engines) func conflictingTransactionsAreRepeatedSoThatNoWriteIsLost(engine: RecordEngine) async throws {
        try await withStore(engine) { store, _ in
            try await store.write { _ = try $0.write("INSERT INTO value (number) VALUES (0)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await store.write { transaction in
                            let number = try transaction.row(of: nil, "SELECT number FROM value") { try $0[0] as Int }
                            try transaction.write("UPDATE value SET number = $1", [number! + 1])
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.read { try $0.row(of: nil, "SELECT number FROM value") { try $0[0] as Int } } == 20)
        }
    }

    private static let sqlite = RecordMigration(
        "plants",
        """
        CREATE TABLE plant (name TEXT NOT NULL PRIMARY KEY, code TEXT UNIQUE) STRICT;
        CREATE TABLE leaf (plant TEXT NOT NULL REFERENCES plant (name)) STRICT;
        CREATE TABLE root (plant TEXT NOT NULL REFERENCES plant (name) ON DELETE RESTRICT) STRICT;
        CREATE TABLE value (
            number INTEGER NOT NULL PRIMARY KEY, text TEXT, weight REAL, flag INTEGER, bytes BLOB, id BLOB, day TEXT, time TEXT, json TEXT
        ) STRICT;
        """
    )
    private static let postgres = RecordMigration(
        "plants",
        """
        CREATE TABLE plant (name text COLLATE "C" NOT NULL PRIMARY KEY, code text UNIQUE);
        CREATE TABLE leaf (plant text COLLATE "C" NOT NULL REFERENCES plant (name));
        CREATE TABLE root (plant text COLLATE "C" NOT NULL REFERENCES plant (name) ON DELETE RESTRICT);
        CREATE TABLE value (
            number bigint NOT NULL PRIMARY KEY, text text, weight double precision, flag boolean, bytes bytea, id uuid, day date,
            time timestamptz, json json
        );
        """
    )

    private func withStore(_ engine: RecordEngine, _ body: (any RecordStoring, Announcements) async throws -> Void) async throws {
        let (announcements, logger) = (Announcements(), Logger(label: "test"))
        switch engine {
        case .sqlite:
            let folder = try TemporaryFolder()
            let store = try SQLiteServiceStore.open(path: folder.database, migrations: [Self.sqlite], logger: logger)
            announcements.observe(store.topics)
            try await body(store, announcements)
            await store.close()
        case .postgres:
            let url = try PostgresServer.shared.newDatabase()
            let store = try await PostgresServiceStore.open(url: url, migrations: [Self.postgres], logger: logger)
            announcements.observe(store.topics)
            try await body(store, announcements)
            await store.close()
        }
    }
}

extension RecordTransactionTests.Values {
    fileprivate init(_ row: any RecordRow) throws {
        try self.init(
            number: row[0], text: row[1], weight: row[2], flag: row[3], bytes: row[4], id: row[5], day: row[6], time: row[7], json: row[8]
        )
    }
}

extension RecordStoring {
    fileprivate var names: [String] {
        get async throws { try await read { try $0.rows(of: nil, "SELECT name FROM plant ORDER BY name") { try $0[0] } } }
    }
}
