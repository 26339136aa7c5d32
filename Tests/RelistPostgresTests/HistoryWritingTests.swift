import Logging
import TemporaryDatabase
import TemporaryPostgres
import Testing

@testable import RelistPostgres
@testable import ScreenService

@Suite("Writing and removing history in PostgreSQL", .timeLimit(.minutes(2))) struct HistoryWritingTests {
    private static let now: Int64 = 1_600_000_000

    private func save(_ records: [HistoryRecord], in store: PostgresServiceStore) async throws {
        let batch = HistoryBatch(saving: records)
        try await store.history.write(batch)
    }

    @Test func anOutlineSavedByAnotherReplicaIsNotWrittenAgain() async throws {
        let fixture = try await PostgresFixture()
        let other = try await fixture.other()
        let run = { (sql: String) in try PostgresServer.shared.run(sql, in: fixture.url) }
        let outlines = try run("SELECT reltoastrelid::regclass FROM pg_class WHERE oid = 'relist.version'::regclass")
        let row = { try run("SELECT xmin, ctid, used_at FROM relist.version") }
        let stored = { try run("SELECT count(*), min(chunk_id), max(chunk_id) FROM \(outlines)") }
        let outline = (0..<32_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) }
        let record = { (time: Int64) in HistoryRecord.some(version: 1, outline: outline, usedAt: time) }

        try await save([record(Self.now)], in: fixture.store)
        let (firstRow, firstStored) = (try row(), try stored())
        for time in [Self.now, Self.now - 10] { try await save([record(time)], in: other) }
        #expect(try row() == firstRow)
        try await save([record(Self.now + 1)], in: other)
        #expect(try row().hasSuffix("|\(Self.now + 1)"))
        #expect(try stored() == firstStored)
        #expect(try await fixture.store.history.records(of: [record(0).key]) == [record(Self.now + 1)])
        await fixture.store.close()
        await other.close()
    }

    @Test func aStoredTimeInTheFarFutureIsCorrectedWhenTheVersionIsUsed() async throws {
        let fixture = try await PostgresFixture()
        let future = [0, 1].map { HistoryRecord.some(version: $0, usedAt: .max) } + [.some(version: 2, usedAt: Self.now + 3600)]
        try await save(future, in: fixture.store)
        let batch = HistoryBatch(saving: [.some(version: 0), .some(version: 2)], used: [future[1].key: Self.now])
        try await fixture.store.history.write(batch)
        #expect(try await Set(fixture.store.history.records(of: future.map(\.key))) == [.some(version: 0), .some(version: 1), future[2]])
        await fixture.store.close()
    }

    @Test func aDamagedOutlineAffectsOnlyOneVersionAndCanBeSavedAgain() async throws {
        let fixture = try await PostgresFixture()
        let run = { (sql: String) in try PostgresServer.shared.run(sql, in: fixture.url) }
        let records = (0..<3).map { HistoryRecord.some(version: $0, outline: Array(repeating: UInt8($0), count: 5000)) }
        for record in records { try await save([record], in: fixture.store) }
        let outlines = try run("SELECT reltoastrelid::regclass FROM pg_class WHERE oid = 'relist.version'::regclass")
        // PostgreSQL stores each long outline as several rows of the table that `outlines` names. The first row, whose tuple id is (0,1),
        // belongs to the outline that was saved first.
        _ = try run("CREATE EXTENSION pg_surgery")
        _ = try run("SELECT heap_force_kill('\(outlines)'::regclass, ARRAY['(0,1)'::tid])")
        let read = { try await Set(fixture.store.history.records(of: records.map(\.key))) }
        #expect(try await read() == [HistoryRecord(key: records[0].key, view: 0, outline: [], usedAt: 0), records[1], records[2]])
        try await save(records + [.some(version: 3)], in: fixture.store)
        #expect(try await read() == Set(records))
        #expect(try run("SELECT count(*) FROM relist.version") == "4")
        await fixture.store.close()
    }

    @Test func aRowWithAMissingValueAffectsOnlyItsVersion() async throws {
        let fixture = try await PostgresFixture()
        let records = (0..<2).map { HistoryRecord.some(version: $0) }
        try await save(records, in: fixture.store)
        try PostgresServer.shared.run("ALTER TABLE relist.version ALTER view DROP NOT NULL", in: fixture.url)
        try PostgresServer.shared.run(
            "UPDATE relist.version SET view = NULL WHERE id = (SELECT min(id) FROM relist.version)", in: fixture.url)
        let read = try await fixture.store.history.records(of: records.map(\.key))
        #expect(read.count == 2)
        #expect(read.filter { $0.outline.isEmpty }.count == 1)
        await fixture.store.close()
    }

    @Test func savingABatchThrowsHistoryDamageIfTheDatabaseReportsADamagedRow() async throws {
        let fixture = try await PostgresFixture()
        let trigger = """
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'damaged' USING ERRCODE = 'XX001'; END $$;
            CREATE TRIGGER failing BEFORE INSERT ON relist.version FOR EACH ROW WHEN (NEW.view = 7) EXECUTE FUNCTION fail();
            """
        try PostgresServer.shared.run(trigger, in: fixture.url)
        await #expect(throws: HistoryDamage()) { try await save([.some(version: 1, view: 7), .some(version: 2)], in: fixture.store) }
        try await save([.some(version: 2)], in: fixture.store)
        await fixture.store.close()
    }

    @Test func oldVersionsAreRemovedByQueriesThatReadOnlyTheIndexOfTheTable() async throws {
        let fixture = try await PostgresFixture()
        try PostgresServer.shared.run(
            """
            INSERT INTO relist.version (key, audience, view, outline, byte_count, used_at)
            SELECT sha256(i::text::bytea), 'u', i, decode(repeat('ab', 500), 'hex'), 628, i FROM generate_series(1, 5000) AS i
            """, in: fixture.url)
        // After the checkpoint, VACUUM can mark the inserted rows as visible to all transactions. Without these marks, the queries would
        // read the table in addition to the index.
        try PostgresServer.shared.run("CHECKPOINT", in: fixture.url)
        try PostgresServer.shared.run("VACUUM ANALYZE relist.version", in: fixture.url)
        let queries = [
            PostgresHistory.holdingsQuery,
            PostgresHistory.unprotectedQuery.replacing("$1", with: "4000").replacing("$2", with: "100000"),
        ]
        for query in queries {
            let plan = try PostgresServer.shared.run("EXPLAIN \(query)", in: fixture.url)
            #expect(plan.contains("Index Only Scan using version_by_use_and_size"), "\(plan)")
        }
        await fixture.store.close()
    }

    /// The test runs statements of an earlier version of the program. That version created an index that did not contain the column
    /// `byte_count`.
    @Test func anEarlierProgramVersionWorksWithAnIndexThatContainsSizes() async throws {
        var earlier = PostgresSchema()
        earlier.migrations.removeAll { $0.name == "relist 3: sizes of versions by use" }
        let url = try PostgresServer.shared.newDatabase()
        let old = try await PostgresServiceStore.open(at: PostgresAddress(url), schema: earlier, logger: Logger(label: "old"))
        let key = Array("k".utf8)
        let upsert: @Sendable (Int) async throws -> Void = { time in
            try await old.write { transaction in
                _ = try transaction.write(
                    """
                    INSERT INTO relist.version (key, audience, view, outline, byte_count, used_at) VALUES (sha256($1), $2, $3, $4, $5, $6)
                    ON CONFLICT (key) DO UPDATE SET
                        view = excluded.view, outline = excluded.outline, byte_count = excluded.byte_count, used_at = excluded.used_at
                    """, [key, key, 1, key, 100, time])
            }
        }
        try await upsert(1)
        // An open transaction that has read the table must not block the migration.
        let reader = try PostgresConnection(to: PostgresAddress(url), statementTimeout: .seconds(60))
        try reader.script(
            "SET idle_in_transaction_session_timeout = 0; BEGIN; SELECT used_at FROM relist.version", until: .now + .seconds(60))
        let new = try await PostgresServiceStore.open(at: PostgresAddress(url), schema: PostgresSchema(), logger: Logger(label: "new"))
        try reader.script("COMMIT", until: .now + .seconds(60))
        try await upsert(2)
        try await save([.some(version: 1)], in: new)
        #expect(try await old.history.records(of: [HistoryRecord.some(version: 1).key]).count == 1)
        let removed = try await old.write { transaction in
            try transaction.write(
                "DELETE FROM relist.version WHERE used_at < $1 AND key IN (SELECT key FROM relist.version WHERE used_at < $1 LIMIT 1000)",
                [3])
        }
        #expect(removed == 1)
        await old.close()
        await new.close()
    }
}
