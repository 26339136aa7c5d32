public import Logging
import Synchronization

/// The versions that clients may hold, so that they can be sent changes from them.
///
/// It forgets by use. What was used last lies in memory, all of it in a store, to which it is written behind the
/// answers, in batches. What is not in memory is looked up there, twice where another replica may have handed it out just now.
public final class History: Sendable {
    /// How long what is new waits for more to be written with it: in a store of its own, and in one in which others look for it.
    private static let delay = Duration.milliseconds(200), sharedDelay = Duration.milliseconds(50)
    /// How long whoever has a version that is not known waits until it should have been written.
    static let patience = Duration.milliseconds(100)
    private static let pauseAfterFailure = Duration.seconds(1)
    /// How many seconds pass between two looks at the bounds of the store, unless much was written.
    private static let forgettingInterval: Int64 = 60

    private struct Keeping {
        var isFailing = false
        var holdings = HistoryHoldings(versions: 0, bytes: 0, crowdedOut: 0)
        var crowdedOutCount = 0
        /// The records that were dropped because the store is damaged where they belong.
        var unwritableCount = 0
        var forgottenAt: Int64?
        /// Since the bounds were looked at.
        var writtenBytes = 0
    }

    private let memory: Mutex<HistoryMemory>
    private let keeping = Mutex(Keeping())
    private let lookups: HistoryLookups
    private let store: any HistoryStoring
    private let bounds: HistoryBounds
    private let hash: ContentHash
    private let now: @Sendable () -> Int64
    private let logger: Logger
    private let sleep: @Sendable (Duration) async -> Void
    /// How many wait for what is not known.
    private let waitingCount = Atomic(0)
    private let news: AsyncStream<Void>
    private let newsContinuation: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - hash: seals the records. With another one, the store's records are as if they were not there.
    ///   - now: the time in seconds since 1970.
    ///   - sleep: lets so much time pass.
    public init(
        store: any HistoryStoring, bounds: HistoryBounds = HistoryBounds(), hash: ContentHash, logger: Logger,
        now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        memory = Mutex(HistoryMemory(byteLimit: bounds.memoryBytes, hash: hash))
        lookups = HistoryLookups(store: store, hash: hash, logger: logger)
        self.store = store
        self.bounds = bounds
        self.hash = hash
        self.now = now
        self.logger = logger
        self.sleep = sleep
        (news, newsContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The outline of a version, at hand where it is in memory, else from the store; nil where neither has it.
    func outline(of key: HistoryKey) -> Eventual<EncodedOutline?> {
        if let outline = memory.withLock({ $0.outline(of: key) }) { return .now(outline) }
        return .later { [self] in
            guard let found = await find(key) else { return nil }
            memory.withLock { $0.restore(found.record, found.outline) }
            return found.outline
        }
    }

    private func find(_ key: HistoryKey) async -> HistoryLookups.Found? {
        let outcome = await lookups.find(key)
        guard case .absent = outcome, store.isShared else { return outcome.found }
        defer { waitingCount.subtract(1, ordering: .relaxed) }
        // Versions that never were come in any number.
        guard waitingCount.add(1, ordering: .relaxed).newValue <= HistoryLookups.askerLimit else { return nil }
        await sleep(Self.patience)
        return Task.isCancelled ? nil : await lookups.find(key).found
    }

    /// Notes that the version of a view is handed out. It costs next to nothing where that was noted already.
    func noteUse(of computed: ComputedView) {
        let now = now()
        guard computed.use.begins(at: now) else { return }
        memory.withLock {
            $0.note(computed.key, outline: computed.outline, view: computed.viewHash, now: now)
        }
        newsContinuation.yield()
    }

    /// Notes that a version which is known was presented.
    func noteUse(of key: HistoryKey, _ use: NotedUse) {
        let now = now()
        guard use.begins(at: now) else { return }
        memory.withLock { $0.note(key, now: now) }
        newsContinuation.yield()
    }
}

// MARK: - Writing

extension History {
    /// Writes behind the answers and forgets beside that, until the task is cancelled; then writes once more.
    public func run() async {
        let (writings, noteWriting) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in
                for await _ in writings { await forgetIfDue() }
            }
            for await _ in news {
                await sleep(keeping.withLock { $0.isFailing } ? Self.pauseAfterFailure : store.isShared ? Self.sharedDelay : Self.delay)
                await flush()
                noteWriting.yield()
            }
            group.cancelAll()
            await flush()
        }
    }

    /// Writes what is new now. What cannot be written is kept, within the bounds, and tried again.
    public func flush() async {
        while let changes = memory.withLock({ $0.beginWriting() }) {
            let batch = HistoryBatch(changes, hash: hash)
            do {
                try await write(batch)
            } catch {
                memory.withLock { $0.endWriting(false) }
                return noteWriting(error: error)
            }
            memory.withLock { $0.endWriting() }
            noteWriting(error: nil)
            keeping.withLock { $0.writtenBytes += batch.saved.reduce(0) { $0 + $1.cost } }
        }
    }

    /// Writes a batch. Where the store is damaged it writes the records one by one, and drops those that cannot be written: else one damaged page
    /// would block all later records.
    private func write(_ batch: HistoryBatch) async throws {
        do {
            try await store.write(batch)
        } catch is HistoryDamage {
            var droppedCount = 0
            for record in batch.single {
                do { try await store.write(record) } catch is HistoryDamage { droppedCount += 1 }
            }
            guard droppedCount > 0 else { return }
            keeping.withLock { $0.unwritableCount += droppedCount }
            logger.error("the history is damaged; some records were not written", metadata: ["count": "\(droppedCount)"])
        }
    }

    /// Has the store let go of what is over the bounds, now and then.
    func forgetIfDue() async {
        let now = now()
        let isDue = keeping.withLock { keeping in
            let isLongAgo = keeping.forgottenAt.map { now - $0 >= Self.forgettingInterval } ?? true
            guard isLongAgo || keeping.writtenBytes > bounds.bytes / 16 else { return false }
            (keeping.forgottenAt, keeping.writtenBytes) = (now, 0)
            return true
        }
        guard isDue else { return }
        do {
            guard let holdings = try await store.forget(over: bounds, now: now) else { return }
            keeping.withLock { keeping in
                keeping.holdings = holdings
                keeping.crowdedOutCount += holdings.crowdedOut
            }
            if holdings.crowdedOut > 0 {
                logger.warning("history is full of versions in use, and forgot some", metadata: ["count": "\(holdings.crowdedOut)"])
            }
        } catch {
            // Whoever stops has no time for it.
            if Task.isCancelled { return }
            logger.error("history could not forget; it is tried again later", metadata: ["error": "\(error)"])
        }
    }

    /// Says once that writing has begun to fail.
    private func noteWriting(error: (any Error)?) {
        let wasFailing = keeping.withLock { keeping in
            defer { keeping.isFailing = error != nil }
            return keeping.isFailing
        }
        if let error, !wasFailing {
            logger.error("history cannot be written; it is tried again until it can", metadata: ["error": "\(error)"])
        }
        if error != nil { newsContinuation.yield() }
    }
}

// MARK: - Counting

extension History {
    /// The versions in memory, and the bytes that they take, about.
    public var usage: (versions: Int, bytes: Int) {
        memory.withLock { $0.usage }
    }

    /// What the store had when its bounds were looked at last.
    public var holdings: (versions: Int, bytes: Int) {
        keeping.withLock { ($0.holdings.versions, $0.holdings.bytes) }
    }

    /// How many records the store does not have as they are here. After a crash now, those that are
    /// new would be unknown.
    public var unwrittenCount: Int {
        memory.withLock { $0.unwrittenCount }
    }

    /// What was counted since the start.
    public var counts: Counts {
        let lookups = lookups.counts
        return Counts(
            lookups: lookups.lookups, refusedLookups: lookups.refusals, damaged: lookups.damaged,
            dropped: memory.withLock { $0.droppedCount } + keeping.withLock { $0.unwritableCount },
            crowdedOut: keeping.withLock { $0.crowdedOutCount }
        )
    }

    public struct Counts: Hashable, Sendable {
        /// Times that the store was asked for versions, for many at a time.
        public var lookups = 0
        /// Versions that were taken for unknown, because too many were asked for at once.
        public var refusedLookups = 0
        /// Records that were found damaged.
        public var damaged = 0
        /// Records that were never written, because the store could not be written for too long or is damaged where they belong.
        public var dropped = 0
        /// Versions in use that a full store has forgotten.
        public var crowdedOut = 0
    }
}

/// When a use was noted last, so that it is noted now and then and not each time.
final class NotedUse: Sendable {
    private let notedAt = Atomic(Int64.min)

    /// Whether a use is to be noted now; then it counts as noted.
    func begins(at now: Int64) -> Bool {
        let last = notedAt.load(ordering: .relaxed)
        guard last == .min || now - last >= HistoryBounds.useInterval else { return false }
        return notedAt.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
    }
}
