public import HTTPServer
public import Logging
public import ScreenService
import Synchronization

/// Speaks the protocol over HTTP: finds the route, reads the request, and sends what the service answers.
///
/// What the service has at hand is answered at once, on the thread that asked; everything else later.
public final class ScreenAPI: Sendable {
    private let service: ScreenService
    private let user: String
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
        files = publicFolder.flatMap { PublicFiles(root: $0) }
        self.isDataReady = isDataReady
        self.logger = logger
    }

    /// Says that the server is about to stop: it is no longer ready, but answers what still comes.
    public func drain() {
        isDraining.store(true, ordering: .relaxed)
    }

    /// Makes the response to a request that the server refuses by itself.
    @Sendable public static func problem(status: Int, detail: String) -> Response {
        let kind: Problem.Kind =
            switch status {
            case 413: .bodyTooLarge
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
        case .health: .response(Self.status("ok", 200))
        case .readiness: .later { await self.readiness() }
        case .metrics: .response(Metrics.response(of: service))
        case .file(let segments): try file(segments, request)
        }
    }

    /// The response to an error: its problem, or a bare 500 and a log line.
    private func response(to error: any Error) -> Response {
        if let problem = Problem(error) { return problem.response }
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

    private func file(_ segments: [String], _ request: Request) throws(Problem) -> Reply {
        if let reply = files?.reply(to: segments, ifNoneMatch: request.headers.list(of: "If-None-Match")) { return reply }
        throw Problem(kind: .notFound, detail: "There is no such file. The screens are listed at /screens.")
    }
}

// Screens.
extension ScreenAPI {
    private func screens(_ request: Request) throws -> Reply {
        let query = Query(request.query)
        var faults = query.faults
        for name in (query.version == nil ? [] : ["version"]) + query.parameters.map(\.name) {
            faults.add(name, "The list of screens has no parameters besides locale.")
        }
        if !faults.isEmpty { throw faults }
        try requireJSON(request)
        let locale = query.locale ?? Preferences.locale(acceptLanguage: request.headers.list(of: "Accept-Language"))
        let headers: Headers = [
            "Content-Type": "application/json", "Content-Language": locale.rawValue, "Cache-Control": "no-cache",
            "Vary": "Accept, Accept-Language",
        ]
        return .response(Response(headers: headers, body: service.catalog.document(in: locale)))
    }

    private func snapshot(of name: String, _ request: Request) throws -> Reply {
        let view = try view(of: name, Query(request.query), mayNameVersion: false, request)
        let ifNoneMatch = request.headers.list(of: "If-None-Match")
        if let document = service.cachedSnapshot(of: view) {
            return .now(Self.answer(document, view, ifNoneMatch))
        }
        return later { Self.answer(try await self.service.snapshot(of: view), view, ifNoneMatch) }
    }

    private static func answer(_ document: Document, _ view: ScreenView, _ ifNoneMatch: String?) -> Answer {
        let responses = DocumentResponses.snapshot(document, isShared: view.audience == .everyone)
        if let ifNoneMatch, let tag = responses.entityTag, let notModified = responses.notModified,
            Preferences.matches(ifNoneMatch: ifNoneMatch, tag: tag) {
            return .prepared(notModified)
        }
        return .prepared(responses.whole)
    }

    private func changes(of name: String, _ request: Request) throws -> Reply {
        let query = Query(request.query)
        let hasBody = request.method == "POST"
        let view = try view(of: name, query, mayNameVersion: !hasBody, request)
        let version = hasBody ? try ChangesBody.version(in: request.body) : query.version
        if let document = service.cachedChanges(of: view, from: version) {
            return .prepared(DocumentResponses.changes(document).whole)
        }
        return later { .prepared(DocumentResponses.changes(try await self.service.changes(of: view, from: version)).whole) }
    }

    /// - Throws: that there is no such screen, or all faults of the query at once.
    private func view(of name: String, _ query: Query, mayNameVersion: Bool, _ request: Request) throws -> ScreenView {
        let locale = query.locale ?? Preferences.locale(acceptLanguage: request.headers.list(of: "Accept-Language"))
        var faults = query.faults
        if !mayNameVersion, query.version != nil {
            faults.ofScreen.append(ParameterFault(name: "version", cause: .misplaced))
        }
        do {
            let view = try service.catalog.view(of: name, parameters: query.parameters, locale: locale, user: user)
            if !faults.isEmpty { throw faults }
            try requireJSON(request)
            return view
        } catch ViewFault.parameters(let ofScreen) {
            faults.ofScreen += ofScreen
            throw faults
        }
    }

    private func requireJSON(_ request: Request) throws(Problem) {
        guard let accept = request.headers.list(of: "Accept"), !Preferences.accepts("application/json", accept: accept) else { return }
        throw Problem(kind: .notAcceptable, detail: "This is served as application/json; accept that, or */*.")
    }

    private func later(_ answer: @escaping @Sendable () async throws -> Answer) -> Reply {
        .later {
            do { return try await answer() } catch { return .response(self.response(to: error)) }
        }
    }
}
