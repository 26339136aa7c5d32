/// The store of the service's own data: history, receipts and the secret.
///
/// The stores that screens read must announce their topics through the ``topics`` object of this store.
public protocol ServiceStoring: Sendable {
    /// The object through which every commit announces its topics.
    var topics: Topics { get }
    var history: any HistoryStoring { get }
    /// The store of receipts. It should use the database that actions write to, so that a receipt commits together with its action.
    var receipts: any ReceiptStoring { get }

    /// Returns a secret of random bytes, with which the service computes versions and authenticates positions. For the same length, the
    /// secret is the same on all replicas and after every restart. Secrets of different lengths are independent.
    func secret(byteCount: Int) async throws -> [UInt8]

    /// Throws an error if the stored data cannot be read now.
    func checkReadable() async throws

    /// The transactions, waiting transactions and connections, for metrics.
    var counts: StoreCounts { get }

    /// Sets the function that receives the duration of each commit that waits until it is durable. The function must not block.
    func observeCommits(_ observer: @escaping @Sendable (Duration) -> Void)

    /// Closes the store. All later calls to the store fail.
    func close() async
}

/// The error of a store that could not be reached or did not respond in time. The same request may succeed later. Clients receive the
/// status 503 for this error, and the status 500 for unexpected errors.
public struct DataUnavailable: Error, Hashable {
    /// A short text without secrets, such as `the database is busy`.
    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

extension ServiceStoring {
    public var counts: StoreCounts { StoreCounts() }
    public func observeCommits(_ observer: @escaping @Sendable (Duration) -> Void) {}
}

/// The screen that the current task works for. Stores divide their threads and connections among screens.
package enum CurrentScreen {
    /// The name of the screen, or an empty string outside of computations and actions.
    @TaskLocal package static var name = ""
}
