import HTTPServer
import Logging
import RawClient
import ScreenHTTP
import ScreenService
import Testing

/// A way on which requests reach the API. What is said of it has to hold on each.
enum Transport: String, CaseIterable, CustomTestStringConvertible {
    case memory = "in memory"
    case socket = "over a socket"

    var testDescription: String { rawValue }

    /// Serves the screens of the tests, new ones for each call, for as long as somebody holds the site.
    func serve(
        _ folder: Folder? = nil, middleware: [any Middleware] = [FixedCaller(.user("ada"))], sharedCacheSeconds: Int = 0,
        isDataReady: @escaping @Sendable () async -> Bool = { true }
    ) async throws -> Site {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (api, notes) = try await Site.parts(
            publicFolder: folder?.path, middleware: middleware, sharedCacheSeconds: sharedCacheSeconds, logger: logger,
            isDataReady: isDataReady
        )
        switch self {
        case .memory: return Site(notes: notes, folder: folder, api: api) { request, body in
            RawResponse(try await api.reply(to: request).answer(reading: .success(body)), to: request.method)
        }
        case .socket:
            let (server, client) = try await Self.listen(api, logger)
            return Site(notes: notes, folder: folder, api: api) { request, body in
                // A server stops when nobody holds it any more.
                defer { withExtendedLifetime(server) {} }
                return try await client.ask(request, body: body)
            }
        }
    }

    private static func listen(_ api: ScreenAPI, _ logger: Logger) async throws -> (HTTPServer, RawClient) {
        var configuration = HTTPServer.Configuration()
        configuration.port = 0
        configuration.loops = 1
        let server = HTTPServer(configuration: configuration, logger: logger, handler: api.reply)
        return (server, try await RawClient(try server.start()))
    }
}
