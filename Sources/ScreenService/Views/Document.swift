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
    private let growth: Growth
    /// What it has added to `growth`.
    private let added = Atomic(0)
    /// The part of it that is not for attachments.
    private let ownBytes: Int

    /// - Parameters:
    ///   - growth: what it is counted in for as long as it is there.
    ///   - isShared: whether its bytes are counted elsewhere.
    init(
        _ kind: Kind, bytes: [UInt8], version: String, locale: ScreenLocale, growth: Growth, reason: SnapshotReason? = nil,
        isShared: Bool = false
    ) {
        self.kind = kind
        self.reason = reason
        self.bytes = bytes
        self.version = version
        self.locale = locale
        self.growth = growth
        ownBytes = isShared ? 256 : bytes.capacity + 256
        grow(by: ownBytes)
    }

    deinit {
        growth.subtract(added.load(ordering: .relaxed))
    }

    /// A value that whoever sends this document has made of it, kept for as long as the document is.
    ///
    /// - Parameter make: makes it, at the first call. It must not keep the document, or neither is ever let go, nor call
    ///   ``grow(by:)``. All calls must ask for the same type.
    public func attachment<Value: AnyObject & Sendable>(_ make: (Document) -> Value) -> Value {
        kept.withLock { kept in
            if let made = kept as? Value { return made }
            let made = make(self)
            kept = made
            return made
        }
    }

    /// Discards what was made of it. The next call of ``attachment(_:)`` makes it again.
    func discardAttachment() {
        let discarded = kept.withLock { kept in
            defer { kept = nil }
            return kept
        }
        growth.subtract(added.exchange(ownBytes, ordering: .relaxed) - ownBytes)
        withExtendedLifetime(discarded) {}
    }

    /// Says that what was made of this document takes so many bytes more, so that they count where it is kept.
    public func grow(by bytes: Int) {
        added.add(bytes, ordering: .relaxed)
        growth.add(bytes)
    }
}
