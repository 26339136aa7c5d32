import ScreenWire

/// A note that an action was performed under a key that its client chose, so that it is not performed
/// again when the client, unsure of having been heard, asks again.
public struct ActionReceipt: Hashable, Sendable {
    /// How long it is kept, in seconds.
    public static let lifetime: Int64 = 24 * 3600

    public let key: Key
    /// A hash of what was asked for.
    public let request: Version
    /// In seconds since 1970.
    public let performedAt: Int64
    /// One at which what was done is there, in a store that replicas share and that has found it; nil otherwise.
    public let position: Position?

    /// What tells one request for an action from others, by the bytes of its parts.
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

        /// The bytes of its parts.
        public var byteCount: Int { [user, screen, action, text].reduce(0) { $0 + $1.utf8.count } }

        private var exact: [ExactText] { [user, screen, action, text].map(ExactText.init) }

        public static func == (a: Key, b: Key) -> Bool {
            a.exact == b.exact
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(exact)
        }
    }

    /// The bytes that a receipt takes, about, in a store that has its key in a table and in an index, and its age in another one.
    public static func cost(ofKeyBytes byteCount: Int) -> Int { byteCount * 2 + 90 }

    public init(key: Key, request: Version, performedAt: Int64, position: Position? = nil) {
        self.position = position
        self.key = key
        self.request = request
        self.performedAt = performedAt
    }
}

/// A store of receipts that outlives the process.
public protocol ReceiptStoring: Sendable {
    /// The receipt that was kept last under a key; nil where there is none.
    func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt?
    /// Keeps a receipt, in a transaction of its own.
    ///
    /// - Throws: ``ReceiptTaken``
    func keep(_ receipt: ActionReceipt) async throws
    /// The bytes that the receipt of a key takes, about.
    func cost(of key: ActionReceipt.Key) -> Int
    /// The receipts that are stored, by the hour, for 24 hours around a time; nil where the store does not count them.
    func holdings(at now: Int64) async throws -> [ReceiptHolding]?
}

extension ReceiptStoring {
    public func cost(of key: ActionReceipt.Key) -> Int { ActionReceipt.cost(ofKeyBytes: key.byteCount) }
    public func holdings(at now: Int64) async throws -> [ReceiptHolding]? { nil }
}

/// A receipt under the same key that still counts: its request was performed first.
public struct ReceiptTaken: Error, Hashable {
    public init() {}
}
