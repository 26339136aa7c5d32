public import ScreenWire
import Synchronization

/// A JSON document that is sent to clients. All clients that request the document share one instance.
public final class Document: Sendable {
    /// The bytes in UTF-8.
    public let bytes: [UInt8]
    public let kind: Kind
    /// The reason why a snapshot was sent in response to a request for changes, or `nil` for any other document.
    public let reason: SnapshotReason?
    /// A Boolean value that indicates whether the document is a changeset without changes, for a client that has the current version.
    public let isUnchanged: Bool
    /// The number of bytes of the whole snapshot, or `nil` if the document is not about a view.
    public let snapshotByteCount: Int?
    /// The version that a client has after it receives the document.
    public let version: String
    /// The language of the texts in the document.
    public let locale: ScreenLocale
    /// The last recorded use of the version that clients present to request this document. The property keeps its initial value if they
    /// present no version, an unknown version, or the current version.
    let presentedUse = NotedUse()

    public enum Kind: String, Sendable {
        case snapshot, changeset
        /// The list of screens.
        case listing
    }

    private let expiry: Expiry?
    private let attached = Mutex<(any AnyObject & Sendable)?>(nil)

    init(
        _ kind: Kind, bytes: [UInt8], version: String, locale: ScreenLocale, reason: SnapshotReason? = nil, isUnchanged: Bool = false,
        snapshotByteCount: Int? = nil, expiry: Expiry? = nil
    ) {
        self.kind = kind
        self.isUnchanged = isUnchanged
        self.snapshotByteCount = snapshotByteCount
        self.reason = reason
        self.bytes = bytes
        self.version = version
        self.locale = locale
        self.expiry = expiry
    }

    /// The number of seconds until the content changes with the time, or `nil` if it does not change with the time.
    public var remainingSeconds: Int? { expiry.flatMap { $0.instant == .max ? nil : $0.remainingSeconds } }

    /// The approximate number of bytes of the document and its prepared responses, one of which contains a copy of the document.
    var cost: Int { 2 * bytes.capacity + Self.preparedCost }

    /// The approximate number of bytes of prepared responses, without their bodies.
    static let preparedCost = 4096

    /// Returns the value that the transport attached to this document. The document retains the value.
    ///
    /// - Parameter make: A function that creates the value at the first call. The value must not retain the document. All calls must
    ///   request the same type of value.
    public func attachment<Value: AnyObject & Sendable>(_ make: (Document) -> Value) -> Value {
        attached.withLock { attached in
            if let value = attached as? Value { return value }
            let value = make(self)
            attached = value
            return value
        }
    }
}
