public import ScreenWire
import Synchronization

/// A finished answer: the bytes of a JSON document, for as many clients as ask for it.
public final class Document: Sendable {
    /// The document, in UTF-8.
    public let bytes: [UInt8]
    public let kind: Kind
    /// Why it is a snapshot where changes were asked for; nil for anything else.
    public let reason: SnapshotReason?
    /// The version that a client holds after it.
    public let version: String
    /// The language that its texts are in.
    public let locale: ScreenLocale
    /// When the use of the version was noted that it answers.
    let presentedUse = NotedUse()

    public enum Kind: String, Sendable {
        case snapshot, changeset
        /// The list of screens.
        case listing
    }

    private let kept = Mutex<(any AnyObject & Sendable)?>(nil)

    init(_ kind: Kind, bytes: [UInt8], version: String, locale: ScreenLocale, reason: SnapshotReason? = nil) {
        self.kind = kind
        self.reason = reason
        self.bytes = bytes
        self.version = version
        self.locale = locale
    }

    /// The bytes that a document takes with the forms in which it is sent, about: an event of a stream has the bytes once more.
    var cost: Int { 2 * bytes.capacity + Self.preparedCost }

    /// The bytes of the responses that are prepared of a document, besides their bodies, about.
    static let preparedCost = 4096

    /// A value that whoever sends this document has made of it, kept for as long as the document is.
    ///
    /// - Parameter make: makes it, at the first call. It must not keep the document, or neither is ever let go. All calls must ask
    ///   for the same type.
    public func attachment<Value: AnyObject & Sendable>(_ make: (Document) -> Value) -> Value {
        kept.withLock { kept in
            if let made = kept as? Value { return made }
            let made = make(self)
            kept = made
            return made
        }
    }
}
