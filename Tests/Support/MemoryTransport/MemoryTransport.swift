public import Foundation
import HTTPServer
public import ScreenClient
public import ScreenHTTP
import Synchronization

/// A transport that passes requests to a server in the same process, without a network.
public final class MemoryTransport: ClientTransport {
    /// The base URL of the server.
    public static let base = URL(string: "http://memory")!

    /// A request that a server has answered, with the status of the response.
    public struct Exchange: Sendable, Equatable {
        /// The method and the target, such as `GET /screens/notes`.
        public let line: String
        public let isStream: Bool
        public let status: Int
    }

    private struct State {
        var api: ScreenAPI?
        var exchanges: [Exchange] = []
    }

    private let state: Mutex<State>

    public init(_ api: ScreenAPI? = nil) {
        state = Mutex(State(api: api))
    }

    /// Connects the transport to another server. Streams of the earlier server stay open until the client or the earlier server ends them.
    ///
    /// - Parameter api: The server to connect to, or `nil` to simulate a server that is not running.
    public func connect(to api: ScreenAPI?) {
        state.withLock { $0.api = api }
    }

    /// The requests that a server has answered, in the order of the responses.
    public var exchanges: [Exchange] { state.withLock { $0.exchanges } }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let stream = try await stream(request, isStream: false)
        let body = Mutex<[UInt8]>([])
        try await stream.readBody { bytes in body.withLock { $0 += bytes } }
        return TransportResponse(status: stream.status, headers: stream.headers, body: body.withLock { $0 })
    }

    public func stream(_ request: TransportRequest) async throws -> TransportStream {
        try await stream(request, isStream: true)
    }

    private func stream(_ request: TransportRequest, isStream: Bool) async throws -> TransportStream {
        let answer = try await answer(to: request)
        // The client receives no response after it has cancelled the request.
        try Task.checkCancellation()
        let target = request.url.dropFirst(Self.base.absoluteString.count)
        let exchange = Exchange(line: "\(request.method) \(target)", isStream: isStream, status: answer.status)
        state.withLock { $0.exchanges.append(exchange) }
        let headers = answer.headers.map { $0 }
        switch answer {
        case .response(let response): return .complete(response)
        case .prepared(let prepared): return .complete(prepared.response)
        case .stream(let response):
            return TransportStream(status: response.status, headers: headers) { receive in try await Self.read(response, receive) }
        }
    }

    private func answer(to request: TransportRequest) async throws -> Answer {
        guard let api = state.withLock({ $0.api }) else { throw Unreachable() }
        var headers = Headers()
        for (name, value) in request.headers { headers.append(name, value) }
        let target = String(request.url.dropFirst(Self.base.absoluteString.count))
        let head = Request(method: request.method, target: target, headers: headers)
        // The server performs an action even if the client cancels the request.
        let work = Task { try await api.reply(to: head).answer(reading: .success(request.body ?? [])) }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            if request.method == "GET" { work.cancel() }
        }
    }

    private static func read(_ response: StreamingResponse, _ receive: ([UInt8]) async throws -> Void) async throws {
        let waking = Waking()
        let body = response.makeBody(StreamWaker(waking))
        defer { body.ended() }
        var wakes = waking.wakes.makeAsyncIterator()
        while true {
            try Task.checkCancellation()
            switch body.next() {
            case .part(let part) where !part.bytes.isEmpty: try await receive(part.bytes)
            case .part, .pause: _ = await wakes.next()
            case .end: return
            }
        }
    }

    public struct Unreachable: Error {}
}

extension TransportStream {
    fileprivate static func complete(_ response: Response) -> TransportStream {
        TransportStream(status: response.status, headers: response.headers.map { $0 }) { receive in
            if !response.body.isEmpty { try await receive(response.body) }
        }
    }
}

/// A signal for the task that reads a stream. It is sent when the stream has new bytes. If the task is not waiting at that time, its next
/// wait ends at once.
private final class Waking: StreamWaking {
    let wakes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (wakes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func wake() { continuation.yield() }
}
