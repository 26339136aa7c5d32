import Logging
@testable import RelistPostgres
@testable import ScreenService
import TemporaryPostgres
import Testing

@Suite("Writing and sweeping history in PostgreSQL", .timeLimit(.minutes(2))) struct HistoryWritingTests {
    private static let now: Int64 = 1_600_000_000

    private func save(_ records: [HistoryRecord], in store: PostgresServiceStore) async throws {
        var batch = HistoryBatch()
        batch.saved = records
        try await store.history.write(batch)
    }

    @Test func anOutlineThatAnotherReplicaSavedIsNotWrittenAgain() async throws {
        let ground = try await PostgresGround()
        let other = try await ground.other()
        let run = { (sql: String) in try PostgresServer.shared.run(sql, in: ground.url) }
        let outlines = try run("SELECT reltoastrelid::regclass FROM pg_class WHERE oid = 'relist.version'::regclass")
        let row = { try run("SELECT xmin, ctid, used_at FROM relist.version") }
        let stored = { try run("SELECT count(*), min(chunk_id), max(chunk_id) FROM \(outlines)") }
        let outline = (0..<32_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) }
        let record = { (time: Int64) in HistoryRecord.some(version: 1, outline: outline, usedAt: time) }

        try await save([record(Self.now)], in: ground.store)
        let (firstRow, firstStored) = (try row(), try stored())
        for time in [Self.now, Self.now - 10] { try await save([record(time)], in: other) }
        #expect(try row() == firstRow)
        try await save([record(Self.now + 1)], in: other)
        #expect(try row().hasSuffix("|\(Self.now + 1)"))
        #expect(try stored() == firstStored)
        #expect(try await ground.store.history.records(of: [record(0).key]) == [record(Self.now + 1)])
        await ground.store.close()
        await other.close()
    }

    @Test func aTimeOfUseInTheFutureIsCorrected() async throws {
        let ground = try await PostgresGround()
        let future = [0, 1].map { HistoryRecord.some(version: $0, usedAt: .max) } + [.some(version: 2, usedAt: Self.now + 3600)]
        try await save(future, in: ground.store)
        var batch = HistoryBatch()
        batch.saved = [.some(version: 0), .some(version: 2)]
        batch.used = [future[1].key: Self.now]
        try await ground.store.history.write(batch)
        #expect(try await Set(ground.store.history.records(of: future.map(\.key))) == [.some(version: 0), .some(version: 1), future[2]])
        await ground.store.close()
    }

    @Test func aVersionWhoseOutlineIsDamagedIsUnknownAloneUntilItIsSavedAgain() async throws {
        let ground = try await PostgresGround()
        let run = { (sql: String) in try PostgresServer.shared.run(sql, in: ground.url) }
        let records = (0..<3).map { HistoryRecord.some(version: $0, outline: Array(repeating: UInt8($0), count: 5000)) }
        for record in records { try await save([record], in: ground.store) }
        let outlines = try run("SELECT reltoastrelid::regclass FROM pg_class WHERE oid = 'relist.version'::regclass")
        // The first chunk is of the outline that was saved first.
        _ = try run("CREATE EXTENSION pg_surgery")
        _ = try run("SELECT heap_force_kill('\(outlines)'::regclass, ARRAY['(0,1)'::tid])")
        let read = { try await Set(ground.store.history.records(of: records.map(\.key))) }
        #expect(try await read() == [HistoryRecord(key: records[0].key, view: 0, outline: [], usedAt: 0), records[1], records[2]])
        try await save(records + [.some(version: 3)], in: ground.store)
        #expect(try await read() == Set(records))
        #expect(try run("SELECT count(*) FROM relist.version") == "4")
        await ground.store.close()
    }

    @Test func aRowWithoutAValueIsUnknownAlone() async throws {
        let ground = try await PostgresGround()
        let records = (0..<2).map { HistoryRecord.some(version: $0) }
        try await save(records, in: ground.store)
        try PostgresServer.shared.run("ALTER TABLE relist.version ALTER view DROP NOT NULL", in: ground.url)
        try PostgresServer.shared.run("UPDATE relist.version SET view = NULL WHERE id = (SELECT min(id) FROM relist.version)", in: ground.url)
        let read = try await ground.store.history.records(of: records.map(\.key))
        #expect(read.count == 2)
        #expect(read.filter { $0.outline.isEmpty }.count == 1)
        await ground.store.close()
    }

    @Test func aBatchThatMeetsDamageSaysSo() async throws {
        let ground = try await PostgresGround()
        let trigger = """
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'damaged' USING ERRCODE = 'XX001'; END $$;
            CREATE TRIGGER failing BEFORE INSERT ON relist.version FOR EACH ROW WHEN (NEW.view = 7) EXECUTE FUNCTION fail();
            """
        try PostgresServer.shared.run(trigger, in: ground.url)
        await #expect(throws: HistoryDamage()) { try await save([.some(version: 1, view: 7), .some(version: 2)], in: ground.store) }
        try await save([.some(version: 2)], in: ground.store)
        await ground.store.close()
    }

    @Test func theSweepFindsVersionsInTheIndexAlone() async throws {
        let ground = try await PostgresGround()
        try PostgresServer.shared.run(
            """
            INSERT INTO relist.version (key, audience, view, outline, byte_count, used_at)
            SELECT sha256(i::text::bytea), 'u', i, decode(repeat('ab', 500), 'hex'), 628, i FROM generate_series(1, 5000) AS i
            """, in: ground.url)
        // Rows of a commit that is not flushed yet are not marked as visible to all.
        try PostgresServer.shared.run("CHECKPOINT", in: ground.url)
        try PostgresServer.shared.run("VACUUM ANALYZE relist.version", in: ground.url)
        let queries = [
            PostgresHistory.holdingsQuery,
            PostgresHistory.unprotectedQuery.replacing("$1", with: "4000").replacing("$2", with: "100000"),
        ]
        for query in queries {
            let plan = try PostgresServer.shared.run("EXPLAIN \(query)", in: ground.url)
            #expect(plan.contains("Index Only Scan using version_by_use_and_size"), "\(plan)")
        }
        await ground.store.close()
    }

    @Test func unusedVersionsAreRemovedBeforeUsedOnes() async throws {
        let ground = try await PostgresGround()
        let records = (0..<20).map { number in
            HistoryRecord.some(version: number, view: 1, usedAt: number < 10 ? Self.now - 10_000 + Int64(number) : Self.now)
        }
        try await save(records, in: ground.store)
        let cost = records[0].cost
        // To nine tenths of the bound: 13 and a half.
        let holdings = try await ground.store.history.forget(over: HistoryBounds(bytes: 15 * cost), now: Self.now)
        #expect(holdings == HistoryHoldings(versions: 13, bytes: 13 * cost, crowdedOut: 0))
        #expect(try await Set(ground.store.history.records(of: records.map(\.key)).map(\.key.version.low)) == Set(7..<20))
        await ground.store.close()
    }

    /// With the statements of the version before the index had the sizes.
    @Test func aReplicaOfTheVersionBeforeGoesOnWithTheLargerIndex() async throws {
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
        // A transaction that has read does not keep the step from being made.
        let reader = try PostgresConnection(to: PostgresAddress(url), statementTimeout: .seconds(60))
        try reader.script("SET idle_in_transaction_session_timeout = 0; BEGIN; SELECT used_at FROM relist.version", until: .now + .seconds(60))
        let new = try await PostgresServiceStore.open(at: PostgresAddress(url), schema: PostgresSchema(), logger: Logger(label: "new"))
        try reader.script("COMMIT", until: .now + .seconds(60))
        try await upsert(2)
        try await save([.some(version: 1)], in: new)
        #expect(try await old.history.records(of: [HistoryRecord.some(version: 1).key]).count == 1)
        let removed = try await old.write { transaction in
            try transaction.write(
                "DELETE FROM relist.version WHERE used_at < $1 AND key IN (SELECT key FROM relist.version WHERE used_at < $1 LIMIT 1000)", [3])
        }
        #expect(removed == 1)
        await old.close()
        await new.close()
    }
}
