public import Logging
import Synchronization

/// The outlines of versions that were sent to clients. Changesets are computed from these outlines. A version expires when it has not been
/// used for a certain time.
///
/// All versions but those that differ from their predecessor by the time alone are in a store, and the most recently used versions are also in memory. New versions are collected for a short time and
/// then written to the store in a batch. A version that is not in memory is looked up in the store. If the store is shared with other
/// replicas, an unknown version is looked up a second time, because another replica may be about to write it.
public final class History: Sendable {
    /// The time for which new records are collected before they are written to the store: `delay` for a store of one process, and
    /// `sharedDelay` for a store that is shared with other replicas.
    private static let delay = Duration.milliseconds(200), sharedDelay = Duration.milliseconds(50)
    /// The time between the first and the second look-up of a version in a shared store. It is longer than `sharedDelay`, so that another
    /// replica has probably written the version meanwhile.
    static let secondLookupDelay = Duration.milliseconds(100)
    private static let retryDelay = Duration.seconds(1)
    /// The usual number of seconds between two removals of old versions.
    private static let removalInterval: Int64 = 60

    private struct StoreState {
        var isFailing = false
        var holdings = HistoryUsage(versions: 0, bytes: 0, removedEarly: 0)
        var removedEarlyCount = 0
        /// The number of records that were discarded because the store was damaged.
        var unwritableCount = 0
        var lastRemoval: Int64?
        var bytesSinceRemoval = 0
    }

    private let memory: Mutex<HistoryMemory>
    private let storeState = Mutex(StoreState())
    private let lookups: HistoryLookups
    private let store: any HistoryStoring
    private let bounds: HistoryBounds
    private let hash: ContentHash
    private let now: @Sendable () -> Int64
    private let logger: Logger
    private let sleep: @Sendable (Duration) async -> Void
    private let secondLookupCount = Atomic(0)
    private let memoryHits = Atomic(0), storeHits = Atomic(0), misses = Atomic(0)
    private let unwritten: AsyncStream<Void>
    /// Wakes `run()` when there are records to write.
    private let noteUnwritten: AsyncStream<Void>.Continuation

    /// Creates the history of a service.
    ///
    /// - Parameters:
    ///   - hash: The hash function that seals records. Stored records with other seals are ignored.
    ///   - now: A function that returns the time in seconds since 1970.
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
        (unwritten, noteUnwritten) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Returns the outline of a version, or `nil` if the version is unknown. The result is immediate if the outline is in memory.
    func outline(of key: HistoryKey) -> Eventual<EncodedOutline?> {
        if let outline = memory.withLock({ $0.outline(of: key) }) {
            memoryHits.add(1, ordering: .relaxed)
            return .now(outline)
        }
        return .later { [self] in
            guard let found = await find(key) else {
                misses.add(1, ordering: .relaxed)
                return nil
            }
            storeHits.add(1, ordering: .relaxed)
            memory.withLock { $0.restore(found.record, found.outline) }
            return found.outline
        }
    }

    private func find(_ key: HistoryKey) async -> HistoryLookups.Found? {
        let outcome = await lookups.find(key)
        guard case .absent = outcome, store.isShared else { return outcome.found }
        defer { secondLookupCount.subtract(1, ordering: .relaxed) }
        // The number of second look-ups is limited, because clients can send any number of invented versions.
        guard secondLookupCount.add(1, ordering: .relaxed).newValue <= HistoryLookups.waitingLimit else { return nil }
        await sleep(Self.secondLookupDelay)
        return Task.isCancelled ? nil : await lookups.find(key).found
    }

    /// Records that the version of a computed view is being sent to a client, unless a recent use is already recorded.
    func noteUse(of computed: ComputedView) {
        let now = now()
        guard computed.use.begins(at: now) else { return }
        memory.withLock {
            $0.note(computed.key, outline: computed.outline, view: computed.viewHash, isStored: !computed.isTick, now: now)
        }
        noteUnwritten.yield()
    }

    /// Records that a client presented a known version, unless a recent use is already recorded.
    func noteUse(of key: HistoryKey, _ use: NotedUse) {
        let now = now()
        guard use.begins(at: now) else { return }
        memory.withLock { $0.note(key, now: now) }
        noteUnwritten.yield()
    }
}

// MARK: - Writing

extension History {
    /// Writes new records and removes old versions until the task is cancelled. Writes the remaining records before returning.
    public func run() async {
        let (writes, noteWrite) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in
                for await _ in writes { await removeExcessIfDue() }
            }
            for await _ in unwritten {
                await sleep(storeState.withLock { $0.isFailing } ? Self.retryDelay : store.isShared ? Self.sharedDelay : Self.delay)
                await flush()
                noteWrite.yield()
            }
            group.cancelAll()
            await flush()
        }
    }

    /// Writes all new records to the store. If a write fails, the records are written later, as far as they fit into memory.
    public func flush() async {
        while let changes = memory.withLock({ $0.beginWriting() }) {
            let batch = HistoryBatch(changes, hash: hash)
            do {
                try await write(batch)
            } catch {
                memory.withLock { $0.endWriting(false) }
                return noteWriteResult(error: error)
            }
            memory.withLock { $0.endWriting() }
            noteWriteResult(error: nil)
            storeState.withLock { $0.bytesSinceRemoval += batch.saved.reduce(0) { $0 + $1.cost } }
        }
    }

    /// Writes a batch. If the store reports damage, the records are written one by one, and only records that cannot be written because of
    /// the damage are discarded.
    private func write(_ batch: HistoryBatch) async throws {
        do {
            try await store.write(batch)
        } catch is HistoryDamage {
            var droppedCount = 0
            for change in batch.changesOneByOne {
                do { try await store.write(change) } catch is HistoryDamage { droppedCount += 1 }
            }
            guard droppedCount > 0 else { return }
            storeState.withLock { $0.unwritableCount += droppedCount }
            logger.error("the history is damaged; some records were not written", metadata: ["count": "\(droppedCount)"])
        }
    }

    /// Removes the versions that exceed the bounds, unless the last removal was recent and few bytes were written since then.
    func removeExcessIfDue() async {
        let now = now()
        let isDue = storeState.withLock { storeState in
            let isLongAgo = storeState.lastRemoval.map { now - $0 >= Self.removalInterval } ?? true
            guard isLongAgo || storeState.bytesSinceRemoval > bounds.bytes / 16 else { return false }
            (storeState.lastRemoval, storeState.bytesSinceRemoval) = (now, 0)
            return true
        }
        guard isDue else { return }
        do {
            guard let holdings = try await store.removeExcess(over: bounds, now: now) else { return }
            storeState.withLock { storeState in
                storeState.holdings = holdings
                storeState.removedEarlyCount += holdings.removedEarly
            }
            if holdings.removedEarly > 0 {
                logger.warning("history is full; versions in use were removed", metadata: ["count": "\(holdings.removedEarly)"])
            }
        } catch {
            if Task.isCancelled { return }
            logger.error("old versions could not be removed from history; this is tried again later", metadata: ["error": "\(error)"])
        }
    }

    /// Schedules another write after a failed write. Logs only the first of several consecutive failures.
    private func noteWriteResult(error: (any Error)?) {
        let wasFailing = storeState.withLock { storeState in
            defer { storeState.isFailing = error != nil }
            return storeState.isFailing
        }
        if let error, !wasFailing {
            logger.error("history cannot be written; this is tried again until it succeeds", metadata: ["error": "\(error)"])
        }
        if error != nil { noteUnwritten.yield() }
    }
}

// MARK: - Counting

extension History {
    /// The number of versions in memory, and the approximate number of bytes of memory that history uses.
    public var usage: (versions: Int, bytes: Int) {
        memory.withLock { $0.usage }
    }

    /// The number of versions in the store and their bytes, as counted at the last removal of old versions.
    public var holdings: (versions: Int, bytes: Int) {
        storeState.withLock { ($0.holdings.versions, $0.holdings.bytes) }
    }

    /// The number of records that are not in the store yet. A crash of the process loses them.
    public var unwrittenCount: Int {
        memory.withLock { $0.unwrittenCount }
    }

    /// The numbers of found versions, of look-ups and of lost records since the history was created.
    public var counts: Counts {
        var counts = lookups.counts
        counts.memoryHits = memoryHits.load(ordering: .relaxed)
        counts.storeHits = storeHits.load(ordering: .relaxed)
        counts.misses = misses.load(ordering: .relaxed)
        counts.dropped = memory.withLock { $0.droppedCount } + storeState.withLock { $0.unwritableCount }
        counts.removedEarly = storeState.withLock { $0.removedEarlyCount }
        return counts
    }

    /// The numbers of found versions, of look-ups and of lost records.
    public struct Counts: Hashable, Sendable {
        /// The number of presented versions that were found in memory.
        public var memoryHits = 0
        /// The number of presented versions that were found in the store.
        public var storeHits = 0
        /// The number of presented versions that were not found.
        public var misses = 0
        /// The number of look-ups in the store. One look-up can cover many versions.
        public var lookups = 0
        /// The number of versions that were treated as unknown because too many requests were waiting for look-ups.
        public var refusedLookups = 0
        /// The number of stored records that were found damaged.
        public var damaged = 0
        /// The number of records that were never written, because they were too large or the store failed or was damaged.
        public var dropped = 0
        /// The number of versions that were removed because the store was full, although they had been used recently.
        public var removedEarly = 0
    }
}

/// The time of the last recorded use of a version. The next recorded use is at least `HistoryBounds.useInterval` later.
final class NotedUse: Sendable {
    private let notedAt = Atomic(Int64.min)

    /// Sets the time to `now` and returns `true`, unless the last recorded use is recent. If the result is `true`, the calling code must
    /// record the use.
    func begins(at now: Int64) -> Bool {
        let last = notedAt.load(ordering: .relaxed)
        guard last == .min || now - last >= HistoryBounds.useInterval else { return false }
        return notedAt.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
    }
}
