import HTTPServer
import ScreenService
import Synchronization

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
    private let caching: String
    private let decisiveFields: [String]

    private init(_ document: Document, caching: String, entityTag: String?, _ decisiveFields: [String]) {
        self.entityTag = entityTag
        self.caching = caching
        self.decisiveFields = decisiveFields
        var headers = Self.headers(in: document.locale, caching: caching, decisiveFields)
        if let entityTag { headers.append("ETag", entityTag) }
        // With the body, so that `Content-Length` is that of the document; 304 sends none (RFC 9110, 15.4.5).
        notModified = entityTag.map { _ in PreparedResponse(Response(status: 304, headers: headers, body: document.bytes)) }
        headers.append("Content-Type", "application/json")
        headers.append(contentsOf: Self.protectiveFields)
        whole = PreparedResponse(Response(status: 200, headers: headers, body: document.bytes))
    }

    /// The bytes that a prepared response takes besides its body, about.
    private static let responseCost = 2048

    /// A snapshot or the list of screens: it can be kept, and asked after by its version.
    ///
    /// - Parameter decisiveFields: of the request, beside those that say what is accepted.
    static func keepable(_ document: Document, isShared: Bool, _ decisiveFields: [String] = []) -> DocumentResponses {
        kept(by: document, caching: isShared ? "no-cache" : "private, no-cache", hasTag: true, decisiveFields)
    }

    /// An answer to a request for changes: it fits this one request.
    static func changes(_ document: Document, _ decisiveFields: [String] = []) -> DocumentResponses {
        kept(by: document, caching: "no-store", hasTag: false, decisiveFields)
    }

    /// How many kinds of responses of one document are kept.
    private static let keptCount = 2

    private static func kept(
        by document: Document, caching: String, hasTag: Bool, _ decisiveFields: [String]
    ) -> DocumentResponses {
        func make() -> DocumentResponses {
            DocumentResponses(document, caching: caching, entityTag: hasTag ? "\"\(document.version)\"" : nil, decisiveFields)
        }
        return DocumentForms.of(document).responses.withLock { kept in
            if let found = kept.first(where: { $0.caching == caching && $0.decisiveFields == decisiveFields }) { return found }
            let made = make()
            guard kept.count < keptCount else { return made }
            document.grow(by: made.entityTag == nil ? responseCost : 2 * responseCost)
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
            document.grow(by: event.count)
            made = event
            return event
        }
    }

    /// So that no browser takes data for a page, whatever is in it.
    static let protectiveFields: Headers = [
        "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    ]

    static func headers(in locale: ScreenLocale, caching: String, _ decisiveFields: [String]) -> Headers {
        [
            "Content-Language": locale.language, "Cache-Control": caching,
            "Vary": (["Accept", "Accept-Language"] + decisiveFields).joined(separator: ", "),
        ]
    }
}
