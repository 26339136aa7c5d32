/// What the service itself keeps: history, receipts, its secret; and where its data's changes are announced.
///
/// The stores that its screens read from announce to the topics that are found here.
public protocol ServiceStoring: Sendable {
    var topics: Topics { get }
    var history: any HistoryStoring { get }
    /// Best where the data lies that actions change, so that a receipt commits with its deed.
    var receipts: any ReceiptStoring { get }

    /// Random bytes that are the same at each call, on all replicas and after every restart: they seed versions.
    ///
    /// It is asked once.
    func secret(byteCount: Int) async throws -> [UInt8]

    /// Whether what it keeps can be read now.
    ///
    /// - Throws: why not.
    func checkReadable() async throws

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
