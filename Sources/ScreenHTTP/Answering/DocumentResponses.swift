import HTTPServer
import ScreenService
import ScreenWire
import Synchronization

/// The form in which a document is sent in response to a request.
struct DocumentForm: Sendable {
    private let terms: CacheTerms
    private let hasTag: Bool
    private let ifNoneMatch: String?

    /// The form of documents that no client asks after by their version.
    init(_ terms: CacheTerms) {
        (self.terms, hasTag, ifNoneMatch) = (terms, false, nil)
    }

    /// The form of documents with an entity tag. A client that has one already gets a 304.
    init(_ terms: CacheTerms, comparing request: borrowing RoutedRequest) {
        (self.terms, hasTag, ifNoneMatch) = (terms, true, request.headers.list(of: "If-None-Match"))
    }

    /// The response for a client that wants none: the action was performed.
    func nothing(for locale: ScreenLocale) -> Response {
        var headers = CacheTerms.unkept(["Prefer"] + terms.decisiveFields).headers(in: locale)
        headers.append("Preference-Applied", "return=minimal")
        return Response(status: 204, headers: headers)
    }

    func answer(_ document: Document) -> Answer {
        // Anyone can ask with versions without end, and a version that one replica does not know another may.
        let terms = document.reason == .unknownVersion ? .unkept(terms.decisiveFields) : terms
        let responses = DocumentResponses.of(document, hasTag: hasTag, terms)
        if let ifNoneMatch, let tag = responses.entityTag, let notModified = responses.notModified,
            Preferences.matches(ifNoneMatch: ifNoneMatch, tag: tag) {
            return .prepared(notModified)
        }
        return .prepared(responses.whole)
    }
}

/// What a document keeps of how it is sent, each made when it is first asked for. It does not keep the document.
private final class DocumentForms: Sendable {
    /// The first that were made: in one server mostly the same layers decide, and a document is for users and for nobody known.
    let responses = Mutex<[DocumentResponses]>([])
    let event = Mutex<[UInt8]?>(nil)

    static func of(_ document: Document) -> DocumentForms {
        document.attachment { _ in DocumentForms() }
    }
}

/// The responses in which a document is sent, each prepared once.
final class DocumentResponses: Sendable {
    let whole: PreparedResponse
    /// For a client that has it already; nil where there is no entity tag.
    let notModified: PreparedResponse?
    let entityTag: String?
    private let terms: CacheTerms

    private init(_ document: Document, entityTag: String?, _ terms: CacheTerms) {
        self.entityTag = entityTag
        self.terms = terms
        var headers = terms.headers(in: document.locale)
        if let entityTag { headers.append("ETag", entityTag) }
        // With the body, so that `Content-Length` is that of the document; 304 sends none (RFC 9110, 15.4.5).
        notModified = entityTag.map { _ in PreparedResponse(Response(status: 304, headers: headers, body: document.bytes)) }
        headers.append("Content-Type", "application/json")
        headers.append(contentsOf: Self.protectiveFields)
        whole = PreparedResponse(Response(status: 200, headers: headers, body: document.bytes))
    }

    /// How many kinds of responses of one document are kept: with a token and without, and of the latter, where shared caches may
    /// keep them, those whose language was negotiated and those whose was said.
    private static let keptCount = 3

    /// - Parameter hasTag: whether it can be asked after by its version.
    static func of(_ document: Document, hasTag: Bool, _ terms: CacheTerms) -> DocumentResponses {
        DocumentForms.of(document).responses.withLock { kept in
            if let found = kept.first(where: { $0.terms == terms }) { return found }
            let made = DocumentResponses(document, entityTag: hasTag ? "\"\(document.version)\"" : nil, terms)
            guard kept.count < keptCount else { return made }
            kept.append(made)
            return made
        }
    }

    /// A document as one event of a stream. No field of any request has a part in it.
    static func event(of document: Document) -> [UInt8] {
        DocumentForms.of(document).event.withLock { made in
            if let made { return made }
            // Documents are written without line breaks.
            let head = "event: \(document.kind.rawValue)\nid: \(document.version)\ndata: "
            let event = Array(head.utf8) + document.bytes + Array("\n\n".utf8)
            made = event
            return event
        }
    }

    /// So that no browser takes data for a page, whatever is in it.
    static let protectiveFields: Headers = [
        "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    ]
}
