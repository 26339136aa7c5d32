import HTTPServer
import ScreenModel
import ScreenService
import Synchronization

/// The description of the API, made when it is first asked for, and kept.
final class DescriptionHandler: Sendable {
    private let service: ScreenService
    private let made = Mutex<Document?>(nil)

    init(service: ScreenService) {
        self.service = service
    }

    /// - Parameter routes: all that there are.
    func reply(to request: borrowing RoutedRequest, of routes: () -> [Route]) throws -> Reply {
        try ScreenHandlers.requireJSON(request)
        return .now(DocumentForm(keepableBy: request, isShared: true).answer(document(of: routes)))
    }

    private func document(of routes: () -> [Route]) -> Document {
        made.withLock { made in
            if let made { return made }
            var writer = JSONWriter()
            Description(of: routes(), service.catalog).document.write(to: &writer)
            let document = service.document(writer.bytes)
            made = document
            return document
        }
    }
}
