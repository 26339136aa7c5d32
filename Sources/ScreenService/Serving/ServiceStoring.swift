/// What the service itself keeps: history, receipts, its secret; and where its data's changes are announced.
///
/// The stores that its screens read from announce to the topics that are found here.
public protocol ServiceStoring: Sendable {
    var topics: Topics { get }
    var history: any HistoryStoring { get }
    /// Best where the data lies that actions change, so that a receipt commits with its deed.
    var receipts: any ReceiptStoring { get }

    /// Random bytes that are the same at each call, on all replicas and after every restart: they seed versions, and authenticate
    /// positions. Secrets of different lengths have nothing in common.
    func secret(byteCount: Int) async throws -> [UInt8]

    /// Whether what it keeps can be read now.
    ///
    /// - Throws: why not.
    func checkReadable() async throws

    /// The counts of the work of its database, for metrics.
    var counts: StoreCounts { get }

    /// Ends it, when the service has ended. What it is asked later fails.
    func close() async
}

/// A store that could not be reached or did not answer in time: the same request may succeed later.
///
/// Stores throw it; it is told to clients as such, unlike errors that nobody foresaw.
public struct DataUnavailable: Error, Hashable {
    /// In a few words, without secrets: `the database is busy`.
    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

extension ServiceStoring {
    public var counts: StoreCounts { StoreCounts() }
}

/// Counts of the work of a service store's database.
public struct StoreCounts: Hashable, Sendable {
    /// The number of reads that wait for a connection now, by screen. Reads for no screen are under an empty name.
    public var waitingReads: [String: Int]
    /// The number of times that a write ran again because it conflicted with another one, since the start.
    public var retries: Int

    public init(waitingReads: [String: Int] = [:], retries: Int = 0) {
        self.waitingReads = waitingReads
        self.retries = retries
    }
}

/// The screen that a task works for, by which stores share their threads and connections among screens.
package enum CurrentScreen {
    /// The name of the screen that is computed or that performs an action; empty outside of both.
    @TaskLocal package static var name = ""
}
