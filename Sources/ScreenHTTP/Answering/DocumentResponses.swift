import HTTPServer
import ScreenService
import ScreenWire
import Synchronization

/// The cache fields of a response: `Cache-Control` and `Vary` (RFC 9111). `Vary` names the request fields that content negotiation or
/// middleware has used.
struct CacheTerms: Hashable, Sendable {
    private let control: Control
    var negotiatedFields = negotiated
    let varyFields: [String]
    /// A Boolean value that indicates whether servers and caches may encode the response.
    var isEncodable = true

    private enum Control: Hashable {
        case notStored
        /// Caches must revalidate the response before each use. Shared caches may store it only if `isShared` is true.
        case revalidated(isShared: Bool)
        /// Shared caches may use the response for some seconds without revalidation.
        case shared(seconds: Int)

        /// The value of `Cache-Control`.
        var text: String {
            switch self {
            case .notStored: "no-store"
            case .revalidated(let isShared): isShared ? "no-cache" : "private, no-cache"
            // `no-cache` is not used, because it would override `s-maxage` and make shared caches revalidate (RFC 9111, section 5.2.2.4).
            // Instead, `max-age=0` with `must-revalidate` makes browsers revalidate. In shared caches, `s-maxage` overrides `max-age`
            // (section 5.2.2.10).
            case .shared(let seconds): "public, max-age=0, must-revalidate, s-maxage=\(seconds)"
            }
        }
    }

    // The lists are constants, so that no request allocates a list.
    private static let negotiated = ["Accept", "Accept-Encoding", "Accept-Language"]
    // `Accept` is not listed, because a snapshot is always JSON, even for a client that does not accept JSON (RFC 9110, section 12.5.5).
    private static let ofSharedSnapshotInOneLanguage = ["Accept-Encoding"]
    private static let ofSharedSnapshot = ofSharedSnapshotInOneLanguage + ["Accept-Language"]
    // In a request for changes, `Accept` can ask for a stream, and `Prefer` can ask the server to wait.
    private static let ofSharedChangesInOneLanguage = ["Accept", "Prefer", "Accept-Encoding"]
    private static let ofSharedChanges = ofSharedChangesInOneLanguage + ["Accept-Language"]

    /// The member of `Cache-Control` that forbids to encode a response (RFC 9111, section 5.2.2.6).
    static let forbiddenEncoding = "no-transform"

    static func notStored(_ varyFields: [String]) -> CacheTerms {
        CacheTerms(control: .notStored, varyFields: varyFields)
    }

    /// Returns terms for a response that caches must revalidate before each use. Shared caches may store the response only if `isShared` is
    /// true.
    static func revalidated(isShared: Bool, _ varyFields: [String]) -> CacheTerms {
        CacheTerms(control: .revalidated(isShared: isShared), varyFields: varyFields)
    }

    /// Creates terms that let shared caches use a response for some seconds without revalidation.
    init(sharedFor seconds: Int, negotiatedFields: [String], varyFields: [String]) {
        self.init(control: .shared(seconds: seconds), negotiatedFields: negotiatedFields, varyFields: varyFields)
    }

    private init(control: Control, negotiatedFields: [String] = negotiated, varyFields: [String], isEncodable: Bool = true) {
        (self.control, self.negotiatedFields, self.varyFields) = (control, negotiatedFields, varyFields)
        self.isEncodable = isEncodable
    }

    /// Returns the terms of a response that caches must not store.
    private var withoutStoring: CacheTerms {
        CacheTerms(control: .notStored, varyFields: varyFields, isEncodable: isEncodable)
    }

    func isSameButForSeconds(as other: CacheTerms) -> Bool {
        guard case .shared = control, case .shared = other.control else { return false }
        return negotiatedFields == other.negotiatedFields && varyFields == other.varyFields && isEncodable == other.isEncodable
    }

    /// Returns the terms of a document. If its content changes with the time, no shared cache uses it longer than until then.
    func of(_ document: Document) -> CacheTerms {
        // Caches must not store a response to an unknown version. Clients can invent versions, and another replica may know the version.
        if document.reason == .unknownVersion { return withoutStoring }
        guard case .shared(let seconds) = control, let rest = document.remainingSeconds, rest < seconds else { return self }
        let control = rest > 0 ? Control.shared(seconds: rest) : .revalidated(isShared: true)
        return CacheTerms(control: control, negotiatedFields: negotiatedFields, varyFields: varyFields, isEncodable: isEncodable)
    }

    /// Returns the negotiated fields of a response that shared caches may store. The list is short, because a shared cache stores a
    /// separate response for each combination of values of these fields.
    static func sharedNegotiatedFields(ofChanges: Bool, isLanguageNegotiated: Bool) -> [String] {
        switch (ofChanges, isLanguageNegotiated) {
        case (false, true): ofSharedSnapshot
        case (false, false): ofSharedSnapshotInOneLanguage
        case (true, true): ofSharedChanges
        case (true, false): ofSharedChangesInOneLanguage
        }
    }

    func headers(in locale: ScreenLocale) -> Headers {
        var headers: Headers = [
            "Content-Language": locale.language, "Cache-Control": isEncodable ? control.text : "\(control.text), \(Self.forbiddenEncoding)",
        ]
        headers.append("Vary", (negotiatedFields + varyFields).joined(separator: ", "))
        return headers
    }
}

/// The settings for the response that contains a document: its cache terms, and whether it has an entity tag.
struct DocumentForm: Sendable {
    private let terms: CacheTerms
    private let hasTag: Bool
    private let ifNoneMatch: String?

    /// Creates settings for a response without an entity tag.
    init(_ terms: CacheTerms) {
        (self.terms, hasTag, ifNoneMatch) = (terms, false, nil)
    }

    /// Creates settings for a response with an entity tag. If `If-None-Match` matches the tag, the response is a 304.
    init(_ terms: CacheTerms, comparing request: borrowing RoutedRequest) {
        (self.terms, hasTag, ifNoneMatch) = (terms, true, request.headers.list(of: "If-None-Match"))
    }

    /// Returns the response to an action whose client prefers no document.
    func minimalResponse(in locale: ScreenLocale) -> Response {
        var headers = CacheTerms.notStored(["Prefer"] + terms.varyFields).headers(in: locale)
        headers.append("Preference-Applied", "return=minimal")
        return Response(status: 204, headers: headers, note: ResponseNote.performed)
    }

    func answer(_ document: Document) -> Answer {
        let terms = terms.of(document)
        let responses = DocumentResponses.of(document, hasTag: hasTag, terms)
        if let ifNoneMatch, let tag = responses.entityTag, let notModified = responses.notModified,
            Preferences.matches(ifNoneMatch: ifNoneMatch, tag: tag)
        {
            return .prepared(notModified)
        }
        return .prepared(responses.full)
    }
}

/// The body, the cached responses and the cached event of a document. The document retains this object, so this object does not retain the
/// document.
private final class DocumentForms: Sendable {
    let body: PreparedBody
    /// The cached responses, at most `DocumentResponses.cacheLimit`.
    let responses = Mutex<[DocumentResponses]>([])
    let event = Mutex<PreparedBody?>(nil)

    private init(_ body: PreparedBody) {
        self.body = body
    }

    static func of(_ document: Document) -> DocumentForms {
        document.attachment { DocumentForms(PreparedBody($0.bytes)) }
    }
}

/// The two prepared responses of a document for one set of cache terms: a response with the document, and a 304.
final class DocumentResponses: Sendable {
    let full: PreparedResponse
    /// The response for a client that has the document already; nil if there is no entity tag.
    let notModified: PreparedResponse?
    let entityTag: String?
    private let terms: CacheTerms

    private init(_ document: Document, _ body: PreparedBody, entityTag: String?, _ terms: CacheTerms) {
        self.entityTag = entityTag
        self.terms = terms
        var headers = terms.headers(in: document.locale)
        if let entityTag { headers.append("ETag", entityTag) }
        // The body is used only for `Content-Length`, because a 304 is sent without a body (RFC 9110, section 15.4.5).
        notModified = entityTag.map { _ in
            PreparedResponse(status: 304, headers: headers, body: body, note: ResponseNote.notModified(document))
        }
        headers.append("Content-Type", "application/json")
        headers.append(contentsOf: Self.protectiveFields)
        full = PreparedResponse(headers: headers, body: body, note: ResponseNote.of(document))
    }

    /// The maximum number of cached instances for each document. One is for requests with a token. Two are for requests without a token:
    /// with the language negotiated, and with the language in the query.
    private static let cacheLimit = 3

    /// Returns the responses of a document, from the cache if possible.
    static func of(_ document: Document, hasTag: Bool, _ terms: CacheTerms) -> DocumentResponses {
        let forms = DocumentForms.of(document)
        return forms.responses.withLock { cached in
            if let found = cached.first(where: { $0.terms == terms }) { return found }
            let made = DocumentResponses(document, forms.body, entityTag: hasTag ? "\"\(document.version)\"" : nil, terms)
            // If the content changes with the time, the number of seconds differs in each second.
            if let index = cached.firstIndex(where: { $0.terms.isSameButForSeconds(as: terms) }) {
                cached[index] = made
            } else if cached.count < cacheLimit {
                cached.append(made)
            }
            return made
        }
    }

    /// Returns a document as one event of a stream. The event is cached, because it is the same for all requests.
    static func event(of document: Document) -> PreparedBody {
        DocumentForms.of(document).event.withLock { cached in
            if let cached { return cached }
            // A document has no line breaks, so it fits in one `data` field.
            let head = "event: \(document.kind.rawValue)\nid: \(document.version)\ndata: "
            let event = PreparedBody(Array(head.utf8) + document.bytes + Array("\n\n".utf8))
            cached = event
            return event
        }
    }

    /// Fields that keep browsers from showing data as a page.
    static let protectiveFields: Headers = [
        "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    ]
}
