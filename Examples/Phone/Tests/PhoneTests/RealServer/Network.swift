import ScreenClient

/// The network of a phone. A test can cut it off.
actor Network: ClientTransport {
    private let transport: any ClientTransport = .standard
    private var isCutOff = false
    private var losesResponses = false
    private let losses = AsyncStream.makeStream(of: Void.self)

    struct CutOff: Error {}

    /// Makes all requests fail. Open streams stay open, but no more bytes arrive.
    func cutOff() {
        isCutOff = true
    }

    func restore() {
        (isCutOff, losesResponses) = (false, false)
    }

    /// Discards the responses to actions. The requests still reach the server.
    func loseResponses() {
        losesResponses = true
    }

    /// Waits until the response to an action has been discarded.
    nonisolated func responseLost() async {
        for await _ in losses.stream { return }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if isCutOff { throw CutOff() }
        let response = try await transport.send(request)
        if isCutOff { throw CutOff() }
        if losesResponses, request.url.contains("/actions/") {
            losses.continuation.yield()
            throw CutOff()
        }
        return response
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream {
        if isCutOff { throw CutOff() }
        let stream = try await transport.stream(request)
        return TransportStream(status: stream.status, headers: stream.headers) { receive in
            try await stream.readBody { bytes in
                if await self.isCutOff { throw CutOff() }
                try await receive(bytes)
            }
        }
    }
}
