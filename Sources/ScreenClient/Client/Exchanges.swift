import ScreenModel
import ScreenWire

/// Sends the requests of all screens of a client, and provides the token of the client.
actor Exchanges {
    /// A complete response. The document is `nil` if the response is empty.
    struct Response: Sendable {
        let document: ScreenDocument?
        let position: String?
        let sharedMaxAge: Duration
    }

    /// A failed request. `retryAfter` is the time that the server asked the client to wait.
    struct Failed: Error {
        let error: ScreenError
        var retryAfter: Duration?
    }

    nonisolated let base: String
    private let transport: any ClientTransport
    private let tokenSource: TokenSource?
    /// The task of the current call of the token source, and the rejected token that the new token will replace.
    private var renewal: (refused: String?, task: Task<String?, any Error>)?

    init(base: String, transport: any ClientTransport, tokenSource: TokenSource?) {
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
        self.transport = transport
        self.tokenSource = tokenSource
    }

    func reset() {
        renewal?.task.cancel()
        renewal = nil
    }

    /// Returns a token. If a token was rejected, returns a new token that replaces it. Only one call of the token source is in progress at
    /// a time.
    func token(replacing refused: String? = nil) async throws(Failed) -> String? {
        guard let tokenSource else { return nil }
        while let renewal {
            let token = try await finish(renewal.task)
            if refused == nil || renewal.refused == refused || token != refused { return token }
        }
        let task = Task { try await tokenSource(refused) }
        renewal = (refused, task)
        return try await finish(task)
    }

    private func finish(_ task: Task<String?, any Error>) async throws(Failed) -> String? {
        defer { if renewal?.task == task { renewal = nil } }
        do { return try await task.value } catch { throw Failed(error: task.isCancelled ? .cancelled : .token(error)) }
    }

    nonisolated func send(_ request: TransportRequest) async throws(Failed) -> Response {
        let response = try await complete(request)
        guard (200...299).contains(response.status) else { throw Self.failure(of: response, response.body) }
        return Response(
            document: response.status == 204 ? nil : try Self.document(response.body), position: response.header("Relist-Position"),
            sharedMaxAge: Self.sharedMaxAge(response.header("Cache-Control")))
    }

    /// Opens an event stream and passes its items to `receive`. Returns when the stream ends, and throws an error if it fails.
    nonisolated func stream(
        _ request: TransportRequest, opened: @Sendable () async -> Void, receive: @Sendable ([StreamItem]) async -> Void
    ) async throws(Failed) {
        do {
            let stream = try await transport.stream(request)
            guard stream.status == 200 else { throw try await Self.failure(of: stream) }
            await opened()
            guard stream.header("Content-Type")?.hasPrefix("text/event-stream") == true else { throw Failed(error: .unreachable) }
            var parser = EventStreamParser()
            try await stream.readBody { bytes in
                var items: [StreamItem] = []
                for item in try parser.items(in: bytes) { items += try Self.item(item) }
                await receive(items)
            }
        } catch let failure as Failed {
            throw failure
        } catch {
            throw Self.failure(of: error)
        }
    }

    /// An item that is read from an event stream. Comments and events of unknown types are ignored.
    enum StreamItem: Sendable {
        case document(ScreenDocument)
        case confirmed(version: String)
        case stale
        case pause(Duration)
    }

    private static func item(_ item: EventStreamParser.Item) throws(Failed) -> [StreamItem] {
        switch item {
        case .retry(let pause): return [.pause(pause)]
        case .event("snapshot", let data), .event("changeset", let data): return [.document(try document(data))]
        case .event("stale", _): return [.stale]
        case .event("current", let data):
            guard case .string(let version) = (try? JSONReader.read(data))?["version"] else { throw Failed(error: .unreachable) }
            return [.confirmed(version: version)]
        case .event: return []
        }
    }

    nonisolated func catalog(_ target: String) async throws(Failed) -> CatalogDocument {
        let token = try await token()
        var response = try await complete(TransportRequest(method: "GET", url: base + target, headers: Self.headers(token: token)))
        if response.status == 401, tokenSource != nil {
            let renewed = try await self.token(replacing: token)
            response = try await complete(TransportRequest(method: "GET", url: base + target, headers: Self.headers(token: renewed)))
        }
        guard response.status == 200 else { throw Self.failure(of: response, response.body) }
        guard let json = try? JSONReader.read(response.body, limit: Self.documentLimit) else { throw Failed(error: .unreachable) }
        do { return try CatalogDocument(json) } catch { throw Failed(error: .unreadable(error)) }
    }

    private nonisolated func complete(_ request: TransportRequest) async throws(Failed) -> TransportResponse {
        do { return try await transport.send(request) } catch { throw Self.failure(of: error) }
    }

    nonisolated static func headers(token: String?) -> [(name: String, value: String)] {
        token.map { [("Authorization", "Bearer \($0)")] } ?? []
    }
}

// Functions that read responses.
extension Exchanges {
    /// The maximum size of a document in bytes.
    static let documentLimit = 64 << 20

    private static func document(_ bytes: [UInt8]) throws(Failed) -> ScreenDocument {
        do {
            return try ScreenDocument(bytes, limit: documentLimit)
        } catch let faults as DocumentFaults {
            throw Failed(error: .unreadable(faults))
        } catch {
            throw Failed(error: .unreachable)
        }
    }

    /// Returns the failure of a request for which the transport threw `error`. The type of the error is not considered, because a transport
    /// can throw a `CancellationError` although the screen has not cancelled the request.
    private static func failure(of error: any Error) -> Failed {
        Failed(error: Task.isCancelled ? .cancelled : .unreachable)
    }

    /// Returns the failure that a response with an error status reports. A response that has no problem document does not come from the
    /// service.
    private static func failure(of head: some TransportHead, _ body: [UInt8]) -> Failed {
        let retryAfter = head.header("Retry-After").flatMap { UInt32($0) }.map { Duration.seconds(Int64($0)) }
        let json = (try? JSONReader.read(body)) ?? .null
        if var problem = try? ProblemDocument(json, status: head.status), head.status >= 400 {
            problem.status = head.status
            return Failed(error: .problem(problem), retryAfter: retryAfter)
        }
        // A status below 400 is reported as an unreachable server, because the response can come from a captive portal. A status of 400 or
        // more is reported as a problem, although the response can come from a proxy that did not pass the request on.
        guard head.status >= 400 else { return Failed(error: .unreachable) }
        let problem = ProblemDocument(type: "about:blank", title: "HTTP \(head.status)", status: head.status, detail: "")
        return Failed(error: .problem(problem), retryAfter: retryAfter)
    }

    private static func failure(of stream: TransportStream) async throws -> Failed {
        var body: [UInt8] = []
        try await stream.readBody { bytes in
            body += bytes
            guard body.count <= 1 << 20 else { throw Failed(error: .unreachable) }
        }
        return failure(of: stream, body)
    }

    /// Returns the time for which shared caches may keep a response.
    private static func sharedMaxAge(_ cacheControl: String?) -> Duration {
        for directive in (cacheControl ?? "").split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts[0].filter { $0 != " " }.lowercased()
            if name == "s-maxage", parts.count == 2, let seconds = UInt32(parts[1].filter { $0 != " " }) { return .seconds(Int64(seconds)) }
        }
        return .zero
    }
}

extension ScreenDocument {
    /// The head of the document, which decides what a client does with the document.
    var head: ClientMachine.DocumentHead {
        switch self {
        case .snapshot(let tree, _): .init(from: nil, version: tree.version)
        case .changeset(let changeset): .init(from: changeset.from, version: changeset.version)
        }
    }
}
