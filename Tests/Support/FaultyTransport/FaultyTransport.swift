public import ScreenClient
import Synchronization

/// A transport with network faults that a test can switch on and off.
public final class FaultyTransport: ClientTransport {
    public enum Fault: Sendable {
        /// The request does not reach the server.
        case unreachable
        /// The server handles the request, but the response does not reach the client.
        case responseLost
    }

    /// A function that returns the fault of a request, or `nil` if the request has no fault.
    public typealias Choose = @Sendable (TransportRequest) -> Fault?

    private struct State {
        var choose: Choose
        var lastID = 0
        var cuts: [Int: @Sendable () -> Void] = [:]
    }

    private let network: any ClientTransport
    private let state: Mutex<State>

    public init(_ network: any ClientTransport, _ choose: @escaping Choose = { _ in nil }) {
        self.network = network
        state = Mutex(State(choose: choose))
    }

    /// Replaces the function that chooses the fault of each request. Requests in progress are not affected.
    public func choose(_ choose: @escaping Choose) {
        state.withLock { $0.choose = choose }
    }

    /// Makes all later requests fail as unreachable, and makes all open streams fail.
    public func disconnect() {
        choose { _ in .unreachable }
        cutStreams()
    }

    /// Removes all faults. Later requests reach the server, and their responses reach the client.
    public func connect() {
        choose { _ in nil }
    }

    /// Makes all open streams fail.
    public func cutStreams() {
        for cut in state.withLock({ Array($0.cuts.values) }) { cut() }
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let fault = fault(of: request)
        if fault == .unreachable { throw Faulty() }
        let response = try await network.send(request)
        if fault == .responseLost { throw Faulty() }
        return response
    }

    public func stream(_ request: TransportRequest) async throws -> TransportStream {
        let fault = fault(of: request)
        if fault == .unreachable { throw Faulty() }
        let stream = try await network.stream(request)
        if fault == .responseLost { throw Faulty() }
        return TransportStream(status: stream.status, headers: stream.headers) { [self] receive in
            try await read(stream, receive)
        }
    }

    private func fault(of request: TransportRequest) -> Fault? {
        state.withLock { $0.choose }(request)
    }

    private func read(_ stream: TransportStream, _ receive: ([UInt8]) async throws -> Void) async throws {
        let (pieces, piece) = AsyncThrowingStream.makeStream(of: [UInt8].self)
        let reading = Task {
            do {
                try await stream.readBody { piece.yield($0) }
                piece.finish()
            } catch {
                piece.finish(throwing: error)
            }
        }
        let id = state.withLock { state in
            state.lastID += 1
            state.cuts[state.lastID] = { piece.finish(throwing: Faulty()) }
            return state.lastID
        }
        defer {
            _ = state.withLock { $0.cuts.removeValue(forKey: id) }
            reading.cancel()
        }
        for try await bytes in pieces { try await receive(bytes) }
        try Task.checkCancellation()
    }

    public struct Faulty: Error {}
}
