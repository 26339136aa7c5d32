import ScreenWire

/// A stored record that states that an action was performed under an idempotency key.
///
/// If a client repeats a request because it received no response, the service finds the receipt and does not perform the action again.
public struct ActionReceipt: Hashable, Sendable {
    /// The number of seconds after which a receipt expires.
    public static let lifetime: Int64 = 24 * 3600

    public let key: Key
    /// A hash of the request. A different request with the same key is rejected.
    public let request: Version
    /// The time of the action, in seconds since 1970.
    public let performedAt: Int64
    /// A position that includes the action's commit. Only stores with replicas set it, when they read a receipt. Otherwise it is `nil`.
    public let position: Position?

    /// The texts that identify a request for an action. They are compared by their bytes.
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

        /// The number of UTF-8 bytes of the four texts.
        public var byteCount: Int { [user, screen, action, text].reduce(0) { $0 + $1.utf8.count } }

        private var exact: [ExactText] { [user, screen, action, text].map(ExactText.init) }

        public static func == (a: Key, b: Key) -> Bool {
            a.exact == b.exact
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(exact)
        }
    }

    /// Returns the approximate number of bytes of a stored receipt, including its entries in the two indexes of the table of receipts.
    public static func cost(ofKeyBytes byteCount: Int) -> Int { byteCount * 2 + 90 }

    public init(key: Key, request: Version, performedAt: Int64, position: Position? = nil) {
        self.position = position
        self.key = key
        self.request = request
        self.performedAt = performedAt
    }
}

/// A store of receipts.
public protocol ReceiptStoring: Sendable {
    /// Returns the latest receipt for a key, or `nil` if there is none.
    func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt?
    /// Stores a receipt in a separate transaction, or throws ``ReceiptTaken`` if the key has an unexpired receipt.
    func keep(_ receipt: ActionReceipt) async throws
    /// Returns the approximate size of the receipt for a key, in bytes.
    func cost(of key: ActionReceipt.Key) -> Int
    /// Returns the number and size of the unexpired receipts, grouped by the hour in which the actions were performed. Returns `nil` if the
    /// store does not count receipts.
    func holdings(at now: Int64) async throws -> [ReceiptHolding]?
}

extension ReceiptStoring {
    public func cost(of key: ActionReceipt.Key) -> Int { ActionReceipt.cost(ofKeyBytes: key.byteCount) }
    public func holdings(at now: Int64) async throws -> [ReceiptHolding]? { nil }
}

/// An error that a store throws if it already has an unexpired receipt with the same key.
public struct ReceiptTaken: Error, Hashable {
    public init() {}
}
