import ContentCoding
import HTTPServer
import Logging
import RawClient
import ScreenHTTP
import ScreenService
import Testing

/// The screens that a test serves, and the notes that they show.
final class Site: Sendable {
    let notes: NoteStore
    let api: ScreenAPI
    /// The folder of served files. It is stored here so that it is not removed while the API reads from it.
    fileprivate let folder: Folder?
    fileprivate let transport: @Sendable (Request, [UInt8]) async throws -> RawResponse

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

    /// Requests the changes of a screen since a version.
    func changes(_ target: String, since version: String) async throws -> RawResponse {
        try await post(target, #"{"version":"\#(version)"}"#)
    }

    func metrics() async throws -> ScrapedMetrics {
        try ScrapedMetrics(try await get("/metrics").text)
    }
}

extension Site {
    static func parts(
        publicFolder: String?, middleware: [any Middleware] = [FixedCaller(.user("ada"))],
        deadline: Deadline = .after(.seconds(3600)), following: FollowingBounds = FollowingBounds(), sharedCacheSeconds: Int = 0,
        observers: [RequestObserver] = [], logger: Logger = .quiet,
        isDataReady: @escaping @Sendable () async -> Bool = { true }, retry: @escaping @Sendable () -> Int = { 2000 }
    ) async throws -> (ScreenAPI, NoteStore) {
        let store = ServiceStoreInMemory()
        let notes = NoteStore(topics: store.topics)
        let metrics = MetricsRegistry()
        let service = try await ScreenService(
            catalog: try ScreenCatalog(
                [Notes(store: notes), News(store: notes)],
                locales: [.english, .french, ScreenLocale(language: "it", region: "CH")]
            ),
            store: store, bounds: ScreenService.Bounds(viewCacheBytes: 1 << 20, following: following), deadline: deadline, logger: logger,
            metrics: metrics
        )
        let api = ScreenAPI(
            service: service, publicFolder: publicFolder, middleware: middleware, metrics: metrics, observers: observers,
            sharedCacheSeconds: sharedCacheSeconds, logger: logger, isDataReady: isDataReady, retry: retry
        )
        return (api, notes)
    }
}

/// The way in which a request reaches the API. Most tests run with each transport.
enum Transport: String, CaseIterable, CustomTestStringConvertible {
    case memory = "in memory"
    case socket = "over a socket"
    case brotli = "in memory, in br"
    case zstd = "in memory, in zstd"
    case gzip = "over a socket, in gzip"

    var testDescription: String { rawValue }

    /// The only coding that the client accepts; nil if it accepts none.
    private var coding: ContentCoding? {
        switch self {
        case .memory, .socket: nil
        case .brotli: .br
        case .zstd: .zstd
        case .gzip: .gzip
        }
    }

    /// Returns a site whose client accepts only responses in one coding, and decodes them.
    private func decoding(_ site: Site) -> Site {
        guard let coding else { return site }
        return Site(notes: site.notes, folder: site.folder, api: site.api) { request, body in
            var request = request
            if request.headers["Accept-Encoding"] == nil { request.headers.append("Accept-Encoding", "\(coding), identity;q=0") }
            return try await site.transport(request, body).withoutCoding(coding, to: request.method)
        }
    }

    /// Serves new screens until the returned site is released.
    func serve(
        _ folder: Folder? = nil, middleware: [any Middleware] = [FixedCaller(.user("ada"))], sharedCacheSeconds: Int = 0,
        isDataReady: @escaping @Sendable () async -> Bool = { true }
    ) async throws -> Site {
        let (api, notes) = try await Site.parts(
            publicFolder: folder?.path, middleware: middleware, sharedCacheSeconds: sharedCacheSeconds, isDataReady: isDataReady
        )
        switch self {
        case .memory, .brotli, .zstd:
            return decoding(
                Site(notes: notes, folder: folder, api: api) { request, body in
                    try RawResponse(try await api.reply(to: request).answer(reading: .success(body)), to: request.method)
                })
        case .socket, .gzip:
            let server = HTTPServer(serving: api)
            let client = try await RawClient(try server.start())
            return decoding(
                Site(notes: notes, folder: folder, api: api) { request, body in
                    // The server would stop if it were released.
                    defer { withExtendedLifetime(server) {} }
                    return try await client.ask(request, body: body)
                })
        }
    }
}

extension HTTPServer {
    /// Creates a server on a free port that serves an API.
    ///
    /// - Parameter sendBuffer: The size in bytes of the send buffer of a stream's socket.
    convenience init(serving api: ScreenAPI, sendBuffer: Int = 32 * 1024) {
        var configuration = HTTPServer.Configuration()
        configuration.port = 0
        configuration.loops = 1
        configuration.streamSendBufferBytes = sendBuffer
        self.init(configuration: configuration, logger: .quiet, makeRecord: api.makeRecord, handler: api.reply)
    }
}

extension Logger {
    /// A logger that discards all messages.
    static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
