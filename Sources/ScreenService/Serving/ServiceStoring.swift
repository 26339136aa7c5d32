/// The store of the service's own data: history, receipts and the secret.
///
/// The stores that screens read must announce their topics through the ``topics`` object of this store.
public protocol ServiceStoring: Sendable {
    /// The object through which every commit announces its topics.
    var topics: Topics { get }
    var history: any HistoryStoring { get }
    /// The store of receipts. It should use the database that actions write to, so that a receipt commits together with its action.
    var receipts: any ReceiptStoring { get }

    /// Returns a secret of random bytes. The service computes versions and authenticates positions with such secrets. For the same length,
    /// the secret is the same at each call, on all replicas and after every restart. Secrets of different lengths are independent.
    func secret(byteCount: Int) async throws -> [UInt8]

    /// Checks that the stored data can be read now.
    ///
    /// - Throws: The error of the store if the data cannot be read.
    func checkReadable() async throws

    /// The numbers of waiting reads and of repeated writes in the store's database, for metrics.
    var counts: StoreCounts { get }

    /// Closes the store after the service has ended. All later calls to the store fail.
    func close() async
}

/// The error of a store that could not be reached or did not respond in time. The same request may succeed later.
///
/// Clients receive the status 503 for this error. For unexpected errors, clients receive the status 500.
public struct DataUnavailable: Error, Hashable {
    /// A short text without secrets, such as `the database is busy`.
    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

extension ServiceStoring {
    public var counts: StoreCounts { StoreCounts() }
}

/// The numbers of waiting reads and of repeated writes in the database of a service store.
public struct StoreCounts: Hashable, Sendable {
    /// For each screen name, the number of reads that are waiting for a connection. The name is empty for reads outside of screens.
    public var waitingReads: [String: Int]
    /// The number of times since the start that a write was repeated, because it conflicted with another write.
    public var retries: Int

    public init(waitingReads: [String: Int] = [:], retries: Int = 0) {
        self.waitingReads = waitingReads
        self.retries = retries
    }
}

/// The screen that the current task works for. Stores use the name of the screen to divide their threads and connections among screens.
package enum CurrentScreen {
    /// The name of the screen, or an empty string outside of computations and actions.
    @TaskLocal package static var name = ""
}
