import LogLines
import Logging
import Synchronization
import Testing

@testable import ScreenService

@Suite("History", .timeLimit(.minutes(1))) struct HistoryTests {
    private let store = TestHistory()
    private let clock = ManualClock()
    private let turns = Turns()

    private func history(hash: ContentHash = .fixed, logger: Logger = .silent) -> History {
        History(store: store, hash: hash, logger: logger, now: { [clock] in clock.now })
    }

    private func service(_ bounds: HistoryBounds = HistoryBounds(), cacheBytes: Int = 1 << 20) async throws -> LetterService {
        try await LetterService(over: store, bounds: bounds, cacheBytes: cacheBytes, clock: clock)
    }

    /// Returns the key of the current version of a view.
    private func key(of view: ScreenView, in letters: LetterService) async throws -> HistoryKey {
        view.key(try #require(Version(try await letters.service.snapshot(of: view).value.version)))
    }

    private func reason(_ document: Document) -> String {
        document.kind == .changeset ? "changeset" : document.text.contains("unknown-version") ? "unknown" : "smaller"
    }

    // MARK: - Writing

    @Test func aNewVersionIsInMemoryImmediatelyAndInTheStoreAfterAFlush() async throws {
        let letters = try await service()
        let key = try await key(of: letters.view(), in: letters)
        #expect(letters.history.outline(of: key).immediateValue != nil)
        #expect(try await !store.has(key))
        for _ in 0..<2 { await letters.history.flush() }
        #expect(try await store.has(key))
        #expect(letters.history.unwrittenCount == 0 && store.batches.count == 1)
    }

    @Test func theWriteOfABatchIsRepeatedAfterAFailure() async throws {
        let letters = try await service()
        store.fail(true)
        let key = try await key(of: letters.view(), in: letters)
        await letters.history.flush()
        #expect(letters.history.unwrittenCount == 1)
        store.fail(false)
        await letters.history.flush()
        #expect(try await store.has(key))
    }

    @Test func aRecordThatCannotBeWrittenIsDroppedAndOtherRecordsAreWritten() async throws {
        let lines = LogLines()
        let letters = try await LetterService(over: store, logger: lines.logger)
        let damaged = try await key(of: letters.view(), in: letters)
        let other = try await key(of: letters.view(["q": "b"]), in: letters)
        store.damage([damaged])
        await letters.history.flush()
        #expect(try await !store.has(damaged))
        #expect(try await store.has(other))
        #expect((letters.history.unwrittenCount, letters.history.counts.dropped) == (0, 1))
        #expect(lines.all.contains("error: the history is damaged; some records were not written: count=1"))
    }

    @Test(arguments: [false, true])
    func theBackgroundTaskWritesAllVersionsEvenIfItIsCancelledEarly(isCancelledFirst: Bool) async throws {
        let letters = try await service()
        let running = Task { await letters.history.run() }
        _ = try await letters.service.snapshot(of: letters.view()).value
        if !isCancelledFirst { for await _ in store.writes { break } }
        running.cancel()
        await running.value
        #expect(letters.history.unwrittenCount == 0 && store.batches.count == 1)
    }

    @Test func writingDoesNotWaitForTheRemovalOfOldVersions() async throws {
        let letters = try await service()
        let gate = store.holdRemoval()
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

    // MARK: - Looking up

    @Test func aVersionThatIsNotInMemoryIsLookedUpInTheStore() async throws {
        let letters = try await service(HistoryBounds(memoryBytes: 0), cacheBytes: 0)
        let old = try await letters.service.snapshot(of: letters.view()).value.version
        // The memory limit is 0, so the service cannot hold a new version until it is written. Therefore, the version is dropped.
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

    /// Sends a request with an unknown version. The look-up of the version hangs until the deadline has passed.
    private func hangingLookup<Value: Sendable>(
        until time: HeldDeadline, _ request: @escaping @Sendable (_ version: String) async throws -> Value
    ) async throws -> Value {
        let gate = store.hold()
        defer { gate.open() }
        let waiting = turns.start { try await request(HistoryKey.some(1).version.description) }
        await gate.isReached()
        time.pass()
        return try await waiting.value
    }

    @Test func aRequestReceivesASnapshotIfALookUpInAnUnsharedStoreHangs() async throws {
        let time = HeldDeadline()
        let letters = try await LetterService(over: store, deadline: time.deadline)
        _ = try await letters.service.snapshot(of: letters.view()).value
        let document = try await hangingLookup(until: time) { version in
            try await letters.service.changes(of: letters.view(), from: version).value
        }
        #expect(reason(document) == "unknown")
    }

    @Test func onlyAFollowerReceivesASnapshotIfALookUpInASharedStoreHangs() async throws {
        let time = HeldDeadline()
        let letters = try await LetterService(received: ReceivedCommits(), over: store, deadline: time.deadline)
        await #expect(throws: DeadlineFault.notComputed) {
            try await hangingLookup(until: time) { version in
                try await letters.service.changes(of: letters.view(), from: version).value
            }
        }
        time.renew()
        let document = try await hangingLookup(until: time) { version in
            try await Follower(letters.service, letters.view(), since: version).next()
        }
        #expect(document.map(reason) == "unknown")
    }

    @Test func theResponseIncludesAChangeThatHappensDuringALookup() async throws {
        let letters = try await service()
        let old = try await letters.service.snapshot(of: letters.view()).value.version
        await letters.history.flush()
        let restarted = try await service()
        restarted.store.write(["x"])
        let gate = store.hold()
        let request = turns.start { try await restarted.service.changes(of: restarted.view(), from: old).value }
        await gate.isReached()
        restarted.store.write(["y"])
        gate.open()
        let document = try await request.value
        #expect(reason(document) != "unknown" && document.text.contains("the letter y"))
    }

    @Test func theVersionOfADamagedRecordIsUnknown() async throws {
        let lines = LogLines()
        let history = history(logger: lines.logger)
        let key = HistoryKey.some(1)
        let sealed = EncodedOutline.some(1).sealed(for: key, hash: .fixed)
        for index in sealed.indices {
            var bytes = sealed
            bytes[index] ^= 1 << UInt8(index % 8)
            try await store.write(HistoryBatch(saved: [HistoryRecord(key: key, view: 1, outline: bytes, usedAt: 0)]))
            #expect(try await history.outline(of: key).value == nil)
        }
        #expect(history.counts.damaged == sealed.count)
        let line = "warning: a record of history is damaged; its version counts as unknown: screen=letters version=\(key.version)"
        #expect(lines.all == Array(repeating: line, count: sealed.count))
        try await store.write(HistoryBatch(saved: [HistoryRecord(key: .some(2), view: 1, outline: sealed, usedAt: 0)]))
        #expect(try await history.outline(of: .some(2)).value == nil)
        try await store.write(.sealed(key, .some(1)))
        #expect(try await history.outline(of: key).value == .some(1))
        #expect(try await self.history(hash: .fixed(2)).outline(of: key).value == nil)
    }

    @Test func theNumberOfWaitingRequestsIsLimitedAndRequestsShareLookups() async throws {
        let history = history()
        let gate = store.hold()
        let first = turns.start { try await history.outline(of: .some(0)).value }
        await gate.isReached()
        let count = HistoryLookups.waitingLimit + 100
        let others = (1...count).map { number in turns.start { try await history.outline(of: .some(UInt64(number))).value } }
        turns.settle()
        #expect(history.counts.refusedLookups == 100)
        gate.open()
        for request in [first] + others { #expect(try await request.value == nil) }
        #expect(store.lookups.count == 1 + HistoryLookups.waitingLimit / HistoryLookups.keyLimit)
    }

    @Test func aVersionIsUnknownWhileItsLookupFails() async throws {
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

    // MARK: - Sharing the store with other replicas

    private func history(sharing shared: TestHistory, sleep: @escaping @Sendable (Duration) async -> Void) -> History {
        History(store: shared, hash: .fixed, logger: .silent, now: { 0 }, sleep: sleep)
    }

    @Test func anUnknownVersionIsLookedUpTwiceInASharedStore() async throws {
        let shared = TestHistory(isShared: true)
        let history = history(sharing: shared) { time in
            #expect(time == History.secondLookupDelay)
            try? await shared.write(.sealed(.some(1), .some(1)))
        }
        #expect(try await history.outline(of: .some(1)).value == .some(1))
        #expect(try await history.outline(of: .some(2)).value == nil)
        #expect(shared.lookups == [[.some(1)], [.some(1)], [.some(2)], [.some(2)]])
    }

    @Test func aFailedLookupIsNotRepeated() async throws {
        let shared = TestHistory(isShared: true)
        shared.fail(true)
        let history = history(sharing: shared) { _ in Issue.record("It waits.") }
        #expect(try await history.outline(of: .some(1)).value == nil)
        #expect(shared.lookups.count == 1)
    }

    @Test func theNumberOfRequestsThatWaitForASecondLookupIsLimited() async throws {
        let gate = Gate()
        let (sleepers, sleeper) = AsyncStream.makeStream(of: Void.self)
        let history = history(sharing: TestHistory(isShared: true)) { _ in
            sleeper.yield()
            await gate.pass()
        }
        let keys = (0..<HistoryLookups.waitingLimit).map { HistoryKey.some(UInt64($0)) }
        let requests = keys.map { key in Task { try await history.outline(of: key).value } }
        for await _ in sleepers.prefix(HistoryLookups.waitingLimit) {}
        #expect(try await history.outline(of: .some(.max)).value == nil)
        gate.open()
        for request in requests { #expect(try await request.value == nil) }
    }
}

extension HistoryBatch {
    /// Returns a batch with one sealed record.
    fileprivate static func sealed(_ key: HistoryKey, _ outline: EncodedOutline) -> HistoryBatch {
        HistoryBatch(saved: [HistoryRecord(key: key, view: 1, outline: outline.sealed(for: key, hash: .fixed), usedAt: 0)])
    }
}
