public import Logging
import Synchronization

/// Remembers what clients may hold, so that they can be sent changes from it.
///
/// All of it lies in memory, where it is looked up, and in a store, to which it is written behind
/// the answers: at most ``delay`` later, in batches.
public final class History: Sendable {
    /// How long what is new waits for more to be written with it.
    public static let delay = Duration.milliseconds(200)

    private let ledger: Mutex<HistoryLedger>
    /// How many records are on their way to the store. Changed under the ledger's lock, so that
    /// none is between the two.
    private let writingCount = Atomic(0)
    private let store: any HistoryStoring
    private let now: @Sendable () -> Int64
    private let logger: Logger
    private let news: AsyncStream<Void>
    private let newsContinuation: AsyncStream<Void>.Continuation

    /// Begins with what the store has.
    ///
    /// - Parameter now: the time in seconds since 1970.
    public init(
        store: any HistoryStoring, bounds: HistoryBounds, logger: Logger, now: @escaping @Sendable () -> Int64
    ) async throws {
        var ledger = HistoryLedger(bounds: bounds)
        let records = try await store.records()
        for record in records.sorted(by: { $0.recordedAt < $1.recordedAt }) { ledger.restore(record) }
        ledger.prune(now: now())
        self.ledger = Mutex(ledger)
        self.store = store
        self.now = now
        self.logger = logger
        (news, newsContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// How many versions are kept, and the bytes that they take, about.
    public var usage: (versions: Int, bytes: Int) {
        ledger.withLock { ($0.count, $0.bytes) }
    }

    /// How many records the store does not have as they are here. After a crash now, those that are
    /// new would be unknown.
    public var unwrittenCount: Int {
        ledger.withLock { $0.unwrittenCount + writingCount.load(ordering: .relaxed) }
    }

    func outline(of key: HistoryKey) -> EncodedOutline? {
        ledger.withLock { $0.outline(of: key) }
    }

    /// Notes that a version was handed out as the newest of its view.
    func record(_ key: HistoryKey, outline: EncodedOutline, view: UInt64) {
        ledger.withLock { $0.record(key, outline: outline, view: view, now: now()) }
        newsContinuation.yield()
    }

    /// Writes behind the answers, until the task is cancelled; then once more.
    public func run() async {
        for await _ in news {
            try? await Task.sleep(for: Self.delay)
            await flush()
        }
        await flush()
    }

    /// Writes what is new now. What cannot be written is kept and tried with the next batch.
    public func flush() async {
        let batch = ledger.withLock { ledger in
            ledger.prune(now: now())
            let batch = ledger.takeBatch()
            writingCount.add(batch.count, ordering: .relaxed)
            return batch
        }
        guard !batch.isEmpty else { return }
        do {
            try await store.write(batch)
            ended(batch) { _ in }
        } catch {
            logger.error("history could not be written; it is tried again with the next batch", metadata: ["error": "\(error)"])
            ended(batch) { $0.giveBack(batch) }
        }
    }

    private func ended(_ batch: HistoryBatch, _ change: (inout HistoryLedger) -> Void) {
        ledger.withLock { ledger in
            change(&ledger)
            writingCount.subtract(batch.count, ordering: .relaxed)
        }
    }
}
