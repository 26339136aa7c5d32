import Foundation
import ScreenModel
import ScreenWire

/// Sends the requests of all screens of a client.
struct Exchanges: Sendable {
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

    let base: String
    let tokens: Tokens
    private let transport: any ClientTransport

    init(base: String, transport: any ClientTransport, tokenSource: TokenSource?) {
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
        self.transport = transport
        tokens = Tokens(tokenSource)
    }

    /// Sends a request for a screen and returns the response.
    func send(_ request: TransportRequest, for screen: String) async throws(Failed) -> Response {
        let response = try await complete(request)
        guard (200...299).contains(response.status) else { throw Self.failure(of: response, response.body) }
        return Response(
            document: response.status == 204 ? nil : try Self.document(response.body, of: screen),
            position: response.header("Relist-Position"), sharedMaxAge: Self.sharedMaxAge(response.header("Cache-Control")))
    }

    /// Opens an event stream of a screen and passes its items to `receive`. Returns when the stream ends, and throws an error if the stream
    /// fails.
    func stream(
        _ request: TransportRequest, for screen: String, opened: @Sendable () async -> Void,
        receive: @Sendable ([StreamItem]) async -> Void
    ) async throws(Failed) {
        do {
            let stream = try await transport.stream(request)
            guard stream.status == 200 else { throw try await Self.failure(of: stream) }
            await opened()
            guard stream.mediaType == "text/event-stream" else { throw Failed(error: .unreachable) }
            var parser = EventStreamParser()
            try await stream.readBody { bytes in
                var items: [StreamItem] = []
                let result = Result { try parser.parse(bytes) { items += try Self.item($0, of: screen) } }
                // The items before an item that cannot be read are passed on, too. Without items, the call reports that bytes arrived.
                await receive(items)
                try result.get()
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

    private static func item(_ item: EventStreamParser.Item, of screen: String) throws(Failed) -> [StreamItem] {
        switch item {
        case .retry(let pause): return [.pause(pause)]
        case .event("snapshot", let data), .event("changeset", let data): return [.document(try document(data, of: screen))]
        case .event("stale", _): return [.stale]
        case .event("current", let data):
            guard case .string(let version) = (try? JSONReader.read(data))?["version"] else { throw Failed(error: .unreachable) }
            return [.confirmed(version: version)]
        case .event: return []
        }
    }

    /// Requests the catalog. Throws the error `cancelled` if the tokens are reset before the response has arrived, because the response can
    /// then belong to another user.
    @MainActor
    func catalog(_ target: String) async throws(Failed) -> CatalogDocument {
        let resetCount = tokens.resetCount
        func current<Value>(_ value: Value) throws(Failed) -> Value {
            guard tokens.resetCount == resetCount else { throw Failed(error: .cancelled) }
            return value
        }
        func get(_ token: String?) async throws(Failed) -> TransportResponse {
            let request = TransportRequest(method: "GET", url: base + target, headers: Self.headers(token: token))
            return try current(await complete(request))
        }
        let token = try current(await tokens.token())
        var response = try await get(token)
        if response.status == 401, let renewed = try current(await tokens.token(replacing: token)), renewed != token {
            response = try await get(renewed)
        }
        guard response.status == 200 else { throw Self.failure(of: response, response.body) }
        guard let json = try? JSONReader.read(response.body, limit: Self.documentLimit) else { throw Failed(error: .unreachable) }
        do { return try CatalogDocument(json) } catch { throw Failed(error: .unreadable(error)) }
    }

    private func complete(_ request: TransportRequest) async throws(Failed) -> TransportResponse {
        do { return try await transport.send(request) } catch { throw Self.failure(of: error) }
    }

    static func headers(token: String?) -> [(name: String, value: String)] {
        token.map { [("Authorization", "Bearer \($0)")] } ?? []
    }
}

// Functions that read responses.
extension Exchanges {
    /// The maximum size of a document in bytes.
    static let documentLimit = 64 << 20

    /// Reads a document of a screen. If the response is not JSON with the `kind` of a document, or belongs to another screen, it does not
    /// come from the service. For example, a proxy can mix up its stored responses.
    private static func document(_ bytes: [UInt8], of screen: String) throws(Failed) -> ScreenDocument {
        guard let json = try? JSONReader.read(bytes, limit: documentLimit), case .string(let kind) = json["kind"],
            ["snapshot", "changeset"].contains(kind)
        else { throw Failed(error: .unreachable) }
        if case .string(let other) = json["screen"], ExactText(other) != ExactText(screen) { throw Failed(error: .unreachable) }
        do { return try ScreenDocument(json) } catch { throw Failed(error: .unreadable(error)) }
    }

    /// Returns the failure of a request for which the transport threw `error`. The type of the error is not considered, because a transport
    /// can throw a `CancellationError` although the screen has not cancelled the request.
    private static func failure(of error: any Error) -> Failed {
        Failed(error: Task.isCancelled ? .cancelled : .unreachable)
    }

    /// Returns the failure that a response with an error status reports. A rejection without a problem document does not come from the
    /// service but, for example, from a captive portal. In this case, the service counts as unreachable. A 401 or a temporary failure is
    /// the same failure with and without a problem document.
    private static func failure(of head: some TransportHead, _ body: [UInt8]) -> Failed {
        let (retryAfter, json) = (retryAfter(of: head), (try? JSONReader.read(body)) ?? .null)
        if head.status >= 400, var problem = try? ProblemDocument(json, status: head.status) {
            problem.status = head.status
            return Failed(error: .problem(problem), retryAfter: retryAfter)
        }
        let problem = ProblemDocument(type: "about:blank", title: "HTTP \(head.status)", status: head.status, detail: "")
        let failed = Failed(error: .problem(problem), retryAfter: retryAfter)
        return head.status == 401 || failed.failure.isTemporary ? failed : Failed(error: .unreachable)
    }

    /// Returns the pause that `Retry-After` states, in seconds or as a date (RFC 9110, section 10.2.3).
    private static func retryAfter(of head: some TransportHead) -> Duration? {
        guard let value = head.header("Retry-After") else { return nil }
        if let seconds = UInt32(saturating: value) { return .seconds(Int64(seconds)) }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        // The time of the response is preferred, because the clock of the device can differ from the clock of the server.
        let now = head.header("Date").flatMap { format.date(from: $0) } ?? Date()
        return format.date(from: value).map { .seconds($0.timeIntervalSince(now)) }
    }

    private static func failure(of stream: TransportStream) async throws -> Failed {
        failure(of: stream, try await stream.complete(limit: 1 << 20).body)
    }

    /// Returns the time for which shared caches may keep a response.
    private static func sharedMaxAge(_ cacheControl: String?) -> Duration {
        for directive in (cacheControl ?? "").split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts[0].filter { $0 != " " }.lowercased()
            guard name == "s-maxage", parts.count == 2, let age = UInt32(saturating: parts[1].filter { $0 != " " }) else { continue }
            return .seconds(Int64(age))
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

extension Exchanges.Failed {
    /// The failure that is passed to the state machine.
    var failure: ClientMachine.Failure {
        switch error {
        case .unreachable: .unreachable
        case .unreadable: .unreadable
        case .problem(let problem):
            .problem(
                status: problem.status, retryAfter: retryAfter,
                outcome: problem.outcome.flatMap { ClientMachine.Outcome(rawValue: $0.rawValue) })
        case .token: .token
        case .cancelled: .cancelled
        }
    }
}
