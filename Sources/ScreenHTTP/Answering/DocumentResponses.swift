import HTTPServer
import ScreenService

/// Is a document in the forms in which it is sent, each prepared once.
final class DocumentResponses: Sendable {
    let whole: PreparedResponse
    /// For a client that has it already; nil where there is no entity tag.
    let notModified: PreparedResponse?
    let entityTag: String?

    private init(_ document: Document, headers: Headers, entityTag: String?) {
        self.entityTag = entityTag
        // With the body, so that `Content-Length` is that of the document; 304 sends none (RFC 9110, 15.4.5).
        notModified = entityTag.map { _ in PreparedResponse(Response(status: 304, headers: headers, body: document.bytes)) }
        var headers = headers
        headers.append("Content-Type", "application/json")
        whole = PreparedResponse(Response(status: 200, headers: headers, body: document.bytes))
    }

    /// A snapshot: it can be kept, and asked after by its version.
    static func snapshot(_ document: Document, isShared: Bool) -> DocumentResponses {
        document.form { document in
            let tag = "\"\(document.version)\""
            var headers = Self.headers(of: document, caching: isShared ? "no-cache" : "private, no-cache")
            headers.append("ETag", tag)
            return DocumentResponses(document, headers: headers, entityTag: tag)
        }
    }

    /// An answer to a request for changes: it fits this one request.
    static func changes(_ document: Document) -> DocumentResponses {
        document.form { DocumentResponses($0, headers: Self.headers(of: $0, caching: "no-store"), entityTag: nil) }
    }

    private static func headers(of document: Document, caching: String) -> Headers {
        [
            "Content-Language": document.locale.rawValue,
            "Cache-Control": caching, "Vary": "Accept, Accept-Language",
        ]
    }
}
