import Synchronization

/// Says that an action was performed under a key that its client chose, so that it is not performed
/// again when the client, unsure of having been heard, asks again.
public struct ActionReceipt: Hashable, Sendable {
    /// How long it is kept, in seconds.
    public static let lifetime: Int64 = 24 * 3600

    public let key: Key
    /// A hash of what was asked for.
    public let request: Version
    /// In seconds since 1970.
    public let performedAt: Int64

    /// Names one request for an action.
    public struct Key: Hashable, Sendable {
        public let user: String
        public let screen: String
        public let action: String
        /// The client's `Idempotency-Key`.
        public let text: String

        public init(user: String, screen: String, action: String, text: String) {
            self.user = user
            self.screen = screen
            self.action = action
            self.text = text
        }
    }

    public init(key: Key, request: Version, performedAt: Int64) {
        self.key = key
        self.request = request
        self.performedAt = performedAt
    }
}

/// Keeps receipts across restarts.
public protocol ReceiptStoring: Sendable {
    /// The receipt that was kept last under a key; nil where there is none.
    func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt?
    /// Keeps a receipt, in a transaction of its own, instead of an older one of its key.
    func keep(_ receipt: ActionReceipt) async throws
}

/// Carries the receipt of an action to the transaction in which the action writes.
///
/// The service binds one to the task in which an action is performed. A store that writes there
/// keeps the receipt in that same transaction, so that deed and receipt are both kept or neither.
public final class PendingReceipt: Sendable {
    /// The receipt of the action that this task performs; nil outside of any, or where its client
    /// sent no key.
    @TaskLocal public static var current: PendingReceipt?

    public let receipt: ActionReceipt
    /// Where it will be looked for. A store that keeps receipts elsewhere leaves it alone.
    public let destination: any ReceiptStoring
    private let kept = Atomic(false)

    init(_ receipt: ActionReceipt, for destination: any ReceiptStoring) {
        self.receipt = receipt
        self.destination = destination
    }

    /// Whether a transaction that holds the receipt was committed.
    public var isKept: Bool { kept.load(ordering: .acquiring) }

    /// Says that a transaction that holds the receipt was committed.
    public func markKept() {
        kept.store(true, ordering: .releasing)
    }
}
