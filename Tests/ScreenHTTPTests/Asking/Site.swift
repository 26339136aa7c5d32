import HTTPServer
import Logging
import RawClient
import ScreenHTTP
import ScreenService

/// The screens of these tests while they are served: ask it, and change what it shows.
final class Site: Sendable {
    let notes: NoteStore
    let api: ScreenAPI
    /// Is kept because the API reads from it.
    private let folder: Folder?
    private let transport: @Sendable (Request, [UInt8]) async throws -> RawResponse

    init(
        notes: NoteStore, folder: Folder?, api: ScreenAPI,
        transport: @escaping @Sendable (Request, [UInt8]) async throws -> RawResponse
    ) {
        (self.notes, self.folder, self.api, self.transport) = (notes, folder, api, transport)
    }

    func ask(_ request: Request, body: [UInt8] = []) async throws -> RawResponse {
        let answer = try await transport(request, body)
        try api.expectDeclared(answer, to: request)
        return answer
    }

    func get(_ target: String, _ headers: Headers = [:]) async throws -> RawResponse {
        try await ask(Request(method: "GET", target: target, headers: headers))
    }

    func post(_ target: String, _ body: String, _ headers: Headers = [:]) async throws -> RawResponse {
        try await ask(Request(method: "POST", target: target, headers: headers), body: Array(body.utf8))
    }

    /// Asks for the changes of a screen since a version.
    func changes(_ target: String, since version: String) async throws -> RawResponse {
        try await post(target, #"{"version":"\#(version)"}"#)
    }

    /// The samples of `/metrics` by their names.
    func metrics() async throws -> [String: Int] {
        try PrometheusText(try await get("/metrics").text).samples
    }
}

extension Site {
    static func parts(
        publicFolder: String?, middleware: [any Middleware] = [FixedCaller(.user("ada"))],
        deadline: Deadline = .after(.seconds(3600)), following: FollowingBounds = FollowingBounds(), sharedCacheSeconds: Int = 0,
        logger: Logger, isDataReady: @escaping @Sendable () async -> Bool, retry: @escaping @Sendable () -> Int = { 2000 }
    ) async throws -> (ScreenAPI, NoteStore) {
        let store = ServiceStoreInMemory()
        let notes = NoteStore(topics: store.topics)
        let service = try await ScreenService(
            catalog: try ScreenCatalog(
                [Notes(store: notes), News(store: notes)],
                locales: [.english, .french, ScreenLocale(language: "it", region: "CH")]
            ),
            store: store, bounds: ScreenService.Bounds(viewCacheBytes: 1 << 20, following: following), deadline: deadline, logger: logger
        )
        let api = ScreenAPI(
            service: service, publicFolder: publicFolder, middleware: middleware, sharedCacheSeconds: sharedCacheSeconds,
            logger: logger, isDataReady: isDataReady, retry: retry
        )
        return (api, notes)
    }
}
