import LogLines
import Logging
@testable import ScreenService
import Synchronization
import Testing

@Suite("History", .timeLimit(.minutes(1))) struct HistoryTests {
    private let store = TestHistory()
    private let clock = TestClock()
    private let turns = Turns()

    private func history(
        _ bounds: HistoryBounds = HistoryBounds(), hash: ContentHash = .fixed, logger: Logger = .silent
    ) -> History {
        History(store: store, bounds: bounds, hash: hash, logger: logger, now: { [clock] in clock.now })
    }

    /// A service whose views are handed out; its letters can be changed.
    private func service(_ bounds: HistoryBounds = HistoryBounds(), cacheBytes: Int = 1 << 20) async throws -> LetterService {
        try await LetterService(over: store, bounds: bounds, cacheBytes: cacheBytes, now: { [clock] in clock.now })
    }

    private func reason(_ document: Document) -> String {
        document.kind == .changeset ? "changeset" : document.text.contains("unknown-version") ? "unknown" : "smaller"
    }

    @Test func whatIsHandedOutIsInMemoryAtOnceAndInTheStoreAfterAFlush() async throws {
        let letters = try await service()
        let version = try #require(Version(try await letters.service.snapshot(of: letters.view()).value.version))
        let key = letters.view().key(version)
        #expect(letters.history.outline(of: key).atHand != nil)
        #expect(try await !store.has(key))
        await letters.history.flush()
        #expect(try await store.has(key))
        #expect(letters.history.unwrittenCount == 0)
        await letters.history.flush()
        #expect(store.batches.count == 1)
    }

    @Test func whatCannotBeWrittenIsKeptAndTriedAgain() async throws {
        let letters = try await service()
        store.fail(true)
        let version = try #require(Version(try await letters.service.snapshot(of: letters.view()).value.version))
        await letters.history.flush()
        #expect(letters.history.unwrittenCount == 1)
        store.fail(false)
        await letters.history.flush()
        #expect(try await store.has(letters.view().key(version)))
    }

    @Test func aDamagedRecordIsDroppedAndTheOthersAreWritten() async throws {
        let lines = LogLines()
        let letters = try await LetterService(over: store, logger: lines.logger)
        var keys: [HistoryKey] = []
        for view in [letters.view(), letters.view(["q": "b"])] {
            keys.append(view.key(try #require(Version(try await letters.service.snapshot(of: view).value.version))))
        }
        store.damage([keys[0]])
        await letters.history.flush()
        #expect(try await !store.has(keys[0]))
        #expect(try await store.has(keys[1]))
        #expect((letters.history.unwrittenCount, letters.history.counts.dropped) == (0, 1))
        #expect(lines.all.contains("error: the history is damaged; some records were not written: count=1"))
    }

    @Test func aVersionThatLeftMemoryIsLookedUpInTheStore() async throws {
        let letters = try await service(HistoryBounds(memoryBytes: 0), cacheBytes: 0)
        let old = try await letters.service.snapshot(of: letters.view()).value.version
        // What is handed out is not in memory, nor can the store take it: there is no room to wait in.
        #expect(letters.history.counts.dropped == 1)
        #expect(letters.history.usage == (0, 0))
        let other = try await service()
        #expect(try await other.service.snapshot(of: other.view()).value.version == old)
        await other.history.flush()
        letters.store.write(["x"] + (1...20).map(String.init))
        #expect(store.lookups.isEmpty)
        #expect(reason(try await letters.service.changes(of: letters.view(), from: old).value) != "unknown")
        #expect(store.lookups == [[letters.view().key(Version(old)!)]])
    }

    @Test func whereALookUpHangsASnapshotIsTheAnswer() async throws {
        let time = HeldDeadline()
        let letters = try await LetterService(over: store, deadline: time.deadline)
        _ = try await letters.service.snapshot(of: letters.view()).value
        let gate = store.hold()
        let version = HistoryKey.some(1).version.description
        let asker = turns.start { try await letters.service.changes(of: letters.view(), from: version).value }
        await gate.isReached()
        time.pass()
        #expect(reason(try await asker.value) == "unknown")
        gate.open()
    }

    @Test func whereALookUpHangsAndNothingIsHeardOfCommitsNothingIsShown() async throws {
        let time = HeldDeadline()
        let letters = try await LetterService(heard: HeardCommits(), over: store, deadline: time.deadline)
        let gate = store.hold()
        let version = HistoryKey.some(1).version.description
        let asker = turns.start { try await letters.service.changes(of: letters.view(), from: version).value }
        await gate.isReached()
        time.pass()
        await #expect(throws: DeadlineFault.notComputed) { try await asker.value }
        gate.open()
    }

    @Test func whoeverFollowsIsShownASnapshotWhereALookUpHangsThoughNothingIsHeardOfCommits() async throws {
        let time = HeldDeadline()
        let letters = try await LetterService(heard: HeardCommits(), over: store, deadline: time.deadline)
        let gate = store.hold()
        let follower = turns.start { [letters] in
            try await Follower(letters.service, letters.view(), since: HistoryKey.some(1).version.description).next()
        }
        await gate.isReached()
        time.pass()
        #expect(try await follower.value.map(reason) == "unknown")
        gate.open()
    }

    @Test func whatChangesWhileAVersionIsLookedUpIsShown() async throws {
        let letters = try await service()
        let old = try await letters.service.snapshot(of: letters.view()).value.version
        await letters.history.flush()
        let restarted = try await service()
        restarted.store.write(["x"])
        let gate = store.hold()
        let asker = turns.start { try await restarted.service.changes(of: restarted.view(), from: old).value }
        await gate.isReached()
        restarted.store.write(["y"])
        gate.open()
        let document = try await asker.value
        #expect(reason(document) != "unknown" && document.text.contains("the letter y"))
    }

    @Test func aDamagedRecordIsAsIfItWereNotThere() async throws {
        let lines = LogLines()
        let history = history(logger: lines.logger)
        let key = HistoryKey.some(1)
        let sealed = EncodedOutline.some(1).sealed(for: key, hash: .fixed)
        for place in sealed.indices {
            var bytes = sealed
            bytes[place] ^= 1 << UInt8(place % 8)
            try await store.write(.saving(HistoryRecord(key: key, view: 1, outline: bytes, usedAt: 0)))
            #expect(try await history.outline(of: key).value == nil)
        }
        #expect(history.counts.damaged == sealed.count)
        let line = "warning: a record of history is damaged, and is as if it were not there: screen=letters version=\(key.version)"
        #expect(lines.all == Array(repeating: line, count: sealed.count))
        try await store.write(.saving(HistoryRecord(key: .some(2), view: 1, outline: sealed, usedAt: 0)))
        #expect(try await history.outline(of: .some(2)).value == nil)
        try await store.write(.saving(HistoryRecord(key: key, view: 1, outline: sealed, usedAt: 0)))
        #expect(try await history.outline(of: key).value == .some(1))
        #expect(try await self.history(hash: .fixed(2)).outline(of: key).value == nil)
    }

    @Test func manyAskersShareLookUpsAndNoMoreThanABoundWait() async throws {
        let history = history()
        let gate = store.hold()
        let first = turns.start { try await history.outline(of: .some(0)).value }
        await gate.isReached()
        let count = HistoryLookups.askerLimit + 100
        let others = (1...count).map { number in turns.start { try await history.outline(of: .some(UInt64(number))).value } }
        turns.settle()
        #expect(history.counts.refusedLookups == 100)
        gate.open()
        for asker in [first] + others { #expect(try await asker.value == nil) }
        #expect(store.lookups.count == 1 + HistoryLookups.askerLimit / HistoryLookups.keyLimit)
        #expect(store.lookups.allSatisfy { $0.count <= HistoryLookups.keyLimit })
    }

    @Test func whatAnotherReplicaIsAboutToWriteIsLookedUpOnceMoreAndTheRestIsUnknownThen() async throws {
        let shared = TestHistory(isShared: true)
        let history = History(store: shared, hash: .fixed, logger: .silent, now: { 0 }) { time in
            #expect(time == History.patience)
            try? await shared.write(.saving(.sealed(.some(1), .some(1))))
        }
        #expect(try await history.outline(of: .some(1)).value == .some(1))
        #expect(try await history.outline(of: .some(2)).value == nil)
        #expect(shared.lookups == [[.some(1)], [.some(1)], [.some(2)], [.some(2)]])
    }

    @Test func whatCannotBeReadIsNotLookedUpOnceMore() async throws {
        let shared = TestHistory(isShared: true)
        shared.fail(true)
        let history = History(store: shared, hash: .fixed, logger: .silent, now: { 0 }) { _ in Issue.record("It waits.") }
        #expect(try await history.outline(of: .some(1)).value == nil)
        #expect(shared.lookups.count == 1)
    }

    @Test func noMoreThanABoundWaitForWhatAnotherReplicaMayWrite() async throws {
        let gate = Gate()
        let (sleepers, sleeper) = AsyncStream.makeStream(of: Void.self)
        let history = History(store: TestHistory(isShared: true), hash: .fixed, logger: .silent, now: { 0 }) { _ in
            sleeper.yield()
            await gate.pass()
        }
        let askers = (0..<HistoryLookups.askerLimit).map { number in Task { try await history.outline(of: .some(UInt64(number))).value } }
        for await _ in sleepers.prefix(HistoryLookups.askerLimit) {}
        #expect(try await history.outline(of: .some(.max)).value == nil)
        gate.open()
        for asker in askers { #expect(try await asker.value == nil) }
    }

    @Test func askersOfOneVersionAskTheStoreOnce() async throws {
        let history = history()
        try await store.write(.saving(.sealed(.some(1), .some(1))))
        let gate = store.hold()
        let first = turns.start { try await history.outline(of: .some(9)).value }
        await gate.isReached()
        let askers = (0..<50).map { _ in turns.start { try await history.outline(of: .some(1)).value } }
        turns.settle()
        gate.open()
        #expect(try await first.value == nil)
        for asker in askers { #expect(try await asker.value == .some(1)) }
        #expect(store.lookups == [[.some(9)], [.some(1)]])
        #expect(try await history.outline(of: .some(1)).value == .some(1))
        #expect(store.lookups.count == 2)
    }

    @Test func aStoreThatCannotBeReadMakesVersionsUnknownAndHarmsNothing() async throws {
        let letters = try await service()
        let old = try await letters.service.snapshot(of: letters.view()).value.version
        await letters.history.flush()
        let restarted = try await service()
        store.fail(true)
        restarted.store.write(["x"])
        #expect(reason(try await restarted.service.changes(of: restarted.view(), from: old).value) == "unknown")
        store.fail(false)
        #expect(reason(try await restarted.service.changes(of: restarted.view(), from: old).value) != "unknown")
    }

    @Test func whoRunsItWritesBehindTheAnswers() async throws {
        let letters = try await service()
        let running = Task { await letters.history.run() }
        _ = try await letters.service.snapshot(of: letters.view()).value
        for await _ in store.writes { break }
        running.cancel()
        await running.value
        #expect(letters.history.unwrittenCount == 0 && store.batches.count == 1)
    }

    @Test func whoRunsItForgetsBesideTheWriting() async throws {
        let letters = try await service()
        let gate = store.holdForgetting()
        let running = Task { await letters.history.run() }
        var writes = store.writes.makeAsyncIterator()
        _ = try await letters.service.snapshot(of: letters.view()).value
        await writes.next()
        await gate.isReached()
        letters.store.write(["x"])
        _ = try await letters.service.snapshot(of: letters.view()).value
        await writes.next()
        gate.open()
        running.cancel()
        await running.value
        #expect(letters.history.holdings.versions > 0)
    }

    @Test func whoIsCancelledWritesOnceMore() async throws {
        let letters = try await service()
        let running = Task { await letters.history.run() }
        _ = try await letters.service.snapshot(of: letters.view()).value
        running.cancel()
        await running.value
        #expect(letters.history.unwrittenCount == 0 && store.batches.count == 1)
    }
}

extension HistoryBatch {
    static func saving(_ record: HistoryRecord) -> HistoryBatch {
        var batch = HistoryBatch()
        batch.saved = [record]
        return batch
    }
}

extension HistoryRecord {
    static func sealed(_ key: HistoryKey, _ outline: EncodedOutline, usedAt: Int64 = 0) -> HistoryRecord {
        HistoryRecord(key: key, view: 1, outline: outline.sealed(for: key, hash: .fixed), usedAt: usedAt)
    }
}
