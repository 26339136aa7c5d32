import Foundation
import Observation
import ScreenDiff
import ScreenWire
import Synchronization

@testable import ScreenClient

/// A transport without a network. The test answers each request.
final class ScriptedTransport: ClientTransport {
    private let arrivals: AsyncStream<ScriptedExchange>
    private let arrive: AsyncStream<ScriptedExchange>.Continuation

    init() {
        (arrivals, arrive) = AsyncStream.makeStream()
    }

    /// Returns the next request that the client sends.
    ///
    /// - Throws: `CancellationError` if the test has reached its time limit.
    @discardableResult
    func next() async throws -> ScriptedExchange {
        for await exchange in arrivals { return exchange }
        throw CancellationError()
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let exchange = ScriptedExchange(request)
        arrive.yield(exchange)
        defer { exchange.close() }
        for await part in exchange.parts {
            if case .response(let response) = part { return response }
            throw Unreachable()
        }
        throw CancellationError()
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream {
        let exchange = ScriptedExchange(request)
        arrive.yield(exchange)
        for await part in exchange.parts {
            guard case .response(let response) = part else { throw Unreachable() }
            return TransportStream(status: response.status, headers: response.headers) { receive in
                if !response.body.isEmpty { try await receive(response.body) }
                for await part in exchange.parts {
                    switch part {
                    case .bytes(let bytes): try await receive(bytes)
                    case .end: return
                    case .failure, .response: throw Unreachable()
                    }
                }
                throw CancellationError()
            }
        }
        throw CancellationError()
    }

    struct Unreachable: Error {}
}

/// A request of the client. The test answers it.
final class ScriptedExchange: Sendable {
    enum Part {
        case response(TransportResponse)
        case bytes([UInt8])
        case end
        case failure
    }

    let request: TransportRequest
    let parts: AsyncStream<Part>
    private let send: AsyncStream<Part>.Continuation
    private let closed = AsyncStream.makeStream(of: Void.self)

    init(_ request: TransportRequest) {
        self.request = request
        (parts, send) = AsyncStream.makeStream()
    }

    /// The method and the target, such as `GET /screens/letters?q=a`.
    var line: String { "\(request.method) \(request.url.dropFirst("http://test".count))" }

    var body: String { String(decoding: request.body ?? [], as: UTF8.self) }

    func header(_ name: String) -> String? { request.headers.first { $0.name == name }?.value }

    func respond(_ status: Int = 200, _ body: String = "", _ headers: [(name: String, value: String)] = []) {
        send.yield(.response(TransportResponse(status: status, headers: headers, body: Array(body.utf8))))
    }

    /// Responds with the head of an event stream.
    func open() {
        respond(200, "retry: 1000\n\n", [("Content-Type", "text/event-stream")])
    }

    func event(_ type: String, _ data: String) {
        send.yield(.bytes(Array("event: \(type)\ndata: \(data)\n\n".utf8)))
    }

    func fail() {
        send.yield(.failure)
    }

    func end() {
        send.yield(.end)
    }

    func close() {
        closed.continuation.finish()
    }

    /// Returns true as soon as the client has stopped waiting for the response.
    func isCancelled() async -> Bool {
        for await _ in closed.stream {}
        return true
    }
}

/// Waits until a condition on observable values is true, or until the test has reached its time limit.
@MainActor
func whenTrue(_ condition: @MainActor () -> Bool) async {
    while !Task.isCancelled {
        let (changes, changed) = AsyncStream.makeStream(of: Void.self)
        // `onChange` is called before the new value is set. The condition is checked again on the main actor after the value is set.
        if withObservationTracking(condition, onChange: { changed.yield() }) { return }
        for await _ in changes { break }
        await Task.yield()
    }
}

/// Waits until other tasks have made the condition true, or until the test has reached its time limit.
@MainActor
func whenReleased(_ condition: @MainActor () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}

extension Task {
    /// Waits until the task has ended, and returns its value.
    ///
    /// - Throws: The error of the task, or `CancellationError` if the test has reached its time limit. In contrast, `value` ignores it.
    func ended() async throws -> Success {
        let (results, end) = AsyncStream.makeStream(of: Result<Success, Failure>.self)
        Task<Void, Never> { end.yield(await result) }
        for await result in results { return try result.get() }
        cancel()
        throw _Concurrency.CancellationError()
    }
}

extension ScreenClient {
    /// Makes each pause endless, so that only a change of the network ends it. Otherwise a pause could end before a test has seen it.
    func pauseUntilNetworkChanges() {
        sleep = { _ in try await Task.sleep(for: .seconds(86_400)) }
    }
}

/// Functions that return documents of a screen. Each cell of the screen is a letter.
enum Letters {
    static func snapshot(_ version: String, _ letters: String, disabled: Bool = false, screen: String = "letters") -> String {
        let cells = letters.map {
            #"{"id":"\#($0)","type":"letter"\#(disabled ? #","actions":[{"name":"add","title":"Add","disabled":true}]"# : "")}"#
        }
        return #"{"kind":"snapshot","screen":"\#(screen)","version":"\#(version)","layout":"table","#
            + #""sections":[{"id":"s","cells":[\#(cells.joined(separator: ","))]}]}"#
    }

    /// Returns a changeset that inserts a letter at the index `item`.
    static func insert(_ letter: Character, at item: Int, from: String, to version: String, screen: String = "letters") -> String {
        #"{"kind":"changeset","screen":"\#(screen)","from":"\#(from)","version":"\#(version)","#
            + #""stages":[{"insertCells":[{"at":[0,\#(item)],"cells":[{"id":"\#(letter)","type":"letter"}]}]}]}"#
    }

    static func unchanged(_ version: String) -> String {
        #"{"kind":"changeset","screen":"letters","from":"\#(version)","version":"\#(version)","stages":[]}"#
    }
}

extension LiveScreen {
    /// The ids of all cells as one text.
    var letters: String { model.sections.flatMap(\.cells).map(\.id).joined() }
}
