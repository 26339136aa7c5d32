import RawServer
import Testing

@testable import ScreenClient

/// Tests of the transport of Linux over real connections.
@Suite(.timeLimit(.minutes(1)))
struct CurlTransportTests {
    private func request(to server: RawServer, bodyLimit: Int = 4) -> TransportRequest {
        TransportRequest(
            method: "POST", url: "\(server.url)/a?b=c", headers: [("Relist-Position", "p")], body: [1, 2], bodyLimit: bodyLimit)
    }

    @Test func aCompleteResponseHasItsStatusHeadersAndBody() async throws {
        let server = RawServer(.response(422, "Relist-Position: q", body: "four"))
        defer { server.stop() }
        let response = try await CurlTransport().send(request(to: server))
        #expect(response.status == 422 && response.header("relist-position") == "q" && response.body == Array("four".utf8))
        #expect(server.heads.first?.hasPrefix("POST /a?b=c ") == true && server.heads.first?.contains("Relist-Position: p") == true)
        #expect(server.bodies == [[1, 2]])
    }

    @Test func aResponseThatNeverEndsIsNotReadBeyondItsLimit() async {
        let server = RawServer(.endless(head: "HTTP/1.1 200 OK\r\n\r\n"))
        defer { server.stop() }
        await #expect(throws: IncompleteResponse.tooLarge) { try await CurlTransport().send(request(to: server)) }
    }
}
