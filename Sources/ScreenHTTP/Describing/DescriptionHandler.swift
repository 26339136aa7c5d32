import HTTPServer
import ScreenModel
import ScreenService
import Synchronization

/// The descriptions of the API: each of what some callers may have, made when it is first asked for, and kept until others are
/// asked for more.
final class DescriptionHandler: Sendable {
    private let service: ScreenService
    private let takesTokens: Bool
    private let made = Mutex(CostBoundedCache<Offering, Document>(costLimit: byteLimit))

    /// Bytes of all descriptions together, about.
    private static let byteLimit = 8 << 20

    /// - Parameter takesTokens: whether what a request says of who asks is looked at.
    init(service: ScreenService, takesTokens: Bool) {
        self.service = service
        self.takesTokens = takesTokens
    }

    /// - Parameter routes: all that there are.
    func reply(to request: borrowing RoutedRequest, of routes: () -> [Route]) throws -> Reply {
        try request.requireJSON()
        let caller = request.context.caller
        let document = document(of: service.catalog.offering(to: caller), routes)
        let terms = CacheTerms.revalidated(isShared: caller.user == nil, request.context.decisiveFields)
        return .now(DocumentForm(terms, comparing: request).answer(document))
    }

    private func document(of offering: Offering, _ routes: () -> [Route]) -> Document {
        made.withLock { made in
            if let kept = made.use(offering) { return kept }
            var writer = JSONWriter()
            Description(of: routes(), service.catalog, offering, takesTokens: takesTokens).document.write(to: &writer)
            let document = service.document(writer.bytes)
            // With the responses that are made of it.
            _ = made.insert(document, for: offering, cost: 3 * writer.bytes.count)
            return document
        }
    }
}
