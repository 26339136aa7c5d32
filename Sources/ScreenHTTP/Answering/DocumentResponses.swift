import HTTPServer
import ScreenService
import Synchronization

/// The forms in which a document is sent, each prepared once.
///
/// The document keeps them, so they do not keep the document.
final class DocumentResponses: Sendable {
    let whole: PreparedResponse
    /// For a client that has it already; nil where there is no entity tag.
    let notModified: PreparedResponse?
    let entityTag: String?
    private let madeEvent = Mutex<[UInt8]?>(nil)

    private init(_ document: Document, headers: Headers, entityTag: String?) {
        self.entityTag = entityTag
        // With the body, so that `Content-Length` is that of the document; 304 sends none (RFC 9110, 15.4.5).
        notModified = entityTag.map { _ in PreparedResponse(Response(status: 304, headers: headers, body: document.bytes)) }
        var headers = headers
        headers.append("Content-Type", "application/json")
        whole = PreparedResponse(Response(status: 200, headers: headers, body: document.bytes))
        document.grow(by: entityTag == nil ? Self.responseCost : 2 * Self.responseCost)
    }

    /// The bytes that a prepared response takes besides its body, about.
    private static let responseCost = 2048

    /// A snapshot or the list of screens: it can be kept, and asked after by its version.
    static func keepable(_ document: Document, isShared: Bool) -> DocumentResponses {
        document.attachment { document in
            let tag = "\"\(document.version)\""
            var headers = Self.headers(of: document, caching: isShared ? "no-cache" : "private, no-cache")
            headers.append("ETag", tag)
            return DocumentResponses(document, headers: headers, entityTag: tag)
        }
    }

    /// An answer to a request for changes: it fits this one request.
    static func changes(_ document: Document) -> DocumentResponses {
        document.attachment { DocumentResponses($0, headers: Self.headers(of: $0, caching: "no-store"), entityTag: nil) }
    }

    /// A document as one event of a stream, made when it is first asked for.
    static func event(of document: Document) -> [UInt8] {
        changes(document).madeEvent.withLock { made in
            if let made { return made }
            // Documents are written without line breaks.
            let head = "event: \(document.kind.rawValue)\nid: \(document.version)\ndata: "
            let event = Array(head.utf8) + document.bytes + Array("\n\n".utf8)
            document.grow(by: event.count)
            made = event
            return event
        }
    }

    private static func headers(of document: Document, caching: String) -> Headers {
        [
            "Content-Language": document.locale.language,
            "Cache-Control": caching, "Vary": "Accept, Accept-Language",
        ]
    }
}
