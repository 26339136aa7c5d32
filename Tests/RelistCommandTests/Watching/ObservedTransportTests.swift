import ScreenClient
import Testing

@testable import RelistCommand

@Suite("The observed transport of relist watch") struct ObservedTransportTests {
    /// A transport whose responses have these bodies. A request for `fail` throws an error.
    private struct Responses: ClientTransport {
        var type = "text/html"
        var pieces: [String] = []

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            if request.url == "fail" { throw CancellationError() }
            return TransportResponse(status: 200, headers: [("Content-Type", type)])
        }

        func stream(_ request: TransportRequest) async throws -> TransportStream {
            TransportStream(status: 200, headers: [("Content-Type", type)]) { [pieces] receive in
                for piece in pieces { try await receive(Array(piece.utf8)) }
            }
        }
    }

    private let view = TransportRequest(method: "GET", url: "view")
    private let action = TransportRequest(method: "POST", url: "fail", headers: [("Idempotency-Key", "1")])

    @Test func theCausesOfViewsAndActionsAreSeparate() async throws {
        let transport = ObservedTransport(Responses())
        _ = try await transport.send(view)
        _ = try? await transport.send(action)
        #expect(transport.viewCause == "it responded with status 200 and the type text/html, so it is not a Relist server")
        #expect(transport.actionCause == "its response cannot be read")
    }

    @Test func aStreamOfEventsIsNoCause() async throws {
        let transport = ObservedTransport(Responses(type: "text/event-stream"))
        _ = try await transport.stream(view)
        #expect(transport.viewCause == nil)
    }

    @Test func onlyTheCommentsOfAStreamAreNotCounted() async throws {
        let transport = ObservedTransport(Responses(pieces: [":\n\n", ": a\n: b\n\n", ":\n\ndata: x\n\n", "data: y\n\n"]))
        try await transport.stream(view).readBody { _ in }
        #expect(transport.takeCount() == 21 && transport.takeCount() == 0)
    }
}
