public import HTTPServer
public import Logging
public import ScreenService
import Synchronization

/// Speaks the protocol over HTTP: finds the route, reads the request, and sends what the service answers.
///
/// What the service has at hand is answered at once, on the thread that asked; everything else later.
public final class ScreenAPI: Sendable {
    let service: ScreenService
    let user: String
    private let files: PublicFiles?
    private let isDataReady: @Sendable () async -> Bool
    private let logger: Logger
    private let isDraining = Atomic(false)

    /// - Parameters:
    ///   - user: who asks, until there is authentication.
    ///   - publicFolder: the files to serve; none if nil or if there is no such folder.
    ///   - isDataReady: whether data can be read now.
    public init(
        service: ScreenService, user: String, publicFolder: String?, logger: Logger,
        isDataReady: @escaping @Sendable () async -> Bool = { true }
    ) {
        self.service = service
        self.user = user
        files = publicFolder.flatMap { PublicFiles(folder: $0) }
        self.isDataReady = isDataReady
        self.logger = logger
    }

    /// Says that the server is about to stop: it is no longer ready, but goes on as before.
    public func withdraw() {
        isDraining.store(true, ordering: .relaxed)
    }

    /// Says that the server stops: it is no longer ready, ends its streams and answers who waits, but answers
    /// what still comes.
    public func drain() {
        withdraw()
        service.drain()
    }

    /// Makes the response to a request that the server refuses by itself.
    @Sendable public static func problem(status: Int, detail: String) -> Response {
        let kind: Problem.Kind =
            switch status {
            case 411: .lengthRequired
            case 413: .bodyTooLarge
            case 417: .unmetExpectation
            case 431: .headTooLarge
            case 500: .internalError
            case 503: .unavailable
            default: .invalidRequest
            }
        return Problem(kind: kind, detail: detail).response
    }

    /// Answers a request.
    @Sendable public func reply(to request: Request) -> Reply {
        do {
            guard let route = Route(path: request.path) else {
                throw Problem(kind: .invalidTarget, detail: "The path is not percent-encoded UTF-8.")
            }
            if let other = try otherMethod(request.method, route) { return other }
            return try reply(to: request, at: route)
        } catch {
            return .response(response(to: error))
        }
    }

    /// Answers OPTIONS, and refuses what the route does not take.
    private func otherMethod(_ method: String, _ route: Route) throws(Problem) -> Reply? {
        if route.methods.contains(method) { return nil }
        let allowed = route.methods + ["OPTIONS"]
        guard method == "OPTIONS" else {
            let detail = "\(method) is not allowed here; use \(route.methods.joined(separator: " or "))."
            throw Problem(kind: .methodNotAllowed, detail: detail, allowed: allowed)
        }
        return .response(Response(status: 204, headers: ["Allow": allowed.joined(separator: ", ")]))
    }

    private func reply(to request: Request, at route: Route) throws -> Reply {
        switch route {
        case .screens: try screens(request)
        case .screen(let name): try snapshot(of: name, request)
        case .changes(let name): try changes(of: name, request)
        case .action(let name, let action): try perform(action, of: name, request)
        case .health: .response(Self.status("ok", 200))
        case .readiness: .later { await self.readiness() }
        case .metrics: .response(Metrics.response(of: service))
        case .file(let segments): try file(segments, request)
        }
    }

    /// The response to an error: its problem, or a bare 500 and a log line.
    ///
    /// - Parameter locale: the language of the screen that was asked for.
    func response(to error: any Error, in locale: ScreenLocale? = nil) -> Response {
        if let problem = Problem(error, in: locale) { return problem.response }
        logger.error("a request failed", metadata: ["error": "\(error)"])
        return Problem.internalError.response
    }

    private func readiness() async -> Answer {
        if isDraining.load(ordering: .relaxed) { return .response(Self.status("draining", 503)) }
        return .response(await isDataReady() ? Self.status("ready", 200) : Self.status("the data is out of reach", 503))
    }

    private static func status(_ text: String, _ status: Int) -> Response {
        let headers: Headers = ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"]
        return Response(status: status, headers: headers, body: Array("\(text)\n".utf8))
    }

    /// Not at once: opening and reading a file may block.
    private func file(_ segments: [String], _ request: Request) throws(Problem) -> Reply {
        let missing = Problem(kind: .notFound, detail: "There is no such file. The screens are listed at /screens.")
        guard let files else { throw missing }
        let ifNoneMatch = request.headers.list(of: "If-None-Match")
        return later {
            guard let answer = try await files.answer(to: segments, ifNoneMatch: ifNoneMatch) else { throw missing }
            return answer
        }
    }
}
