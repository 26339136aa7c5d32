import Synchronization

/// Is a finished answer: the bytes of a JSON document, for as many clients as ask for it.
public final class Document: Sendable {
    /// The document, in UTF-8.
    public let bytes: [UInt8]
    public let kind: Kind
    /// The version that a client holds after it.
    public let version: String
    /// The language that its texts are in.
    public let locale: ScreenLocale

    public enum Kind: String, Sendable {
        case snapshot, changeset
    }

    private let form = Mutex<(any AnyObject & Sendable)?>(nil)

    init(_ kind: Kind, bytes: [UInt8], version: String, locale: ScreenLocale) {
        self.kind = kind
        self.bytes = bytes
        self.version = version
        self.locale = locale
    }

    /// What the transport made of this document, kept for as long as the document is.
    ///
    /// - Parameter make: makes it, at the first call. All calls must ask for the same type.
    public func form<Form: AnyObject & Sendable>(_ make: (Document) -> Form) -> Form {
        form.withLock { form in
            if let made = form as? Form { return made }
            let made = make(self)
            form = made
            return made
        }
    }
}
