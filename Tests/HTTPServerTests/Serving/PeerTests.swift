import HTTPServer
import RawClient
import Testing

@Suite struct PeerTests {
    @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("::", "127.0.0.1")])
    func aRequestBringsTheAddressOfItsPeer(_ host: String, _ destination: String) async throws {
        let handler: HTTPServer.Handler = { request in .response(text("\(request.peer == NetworkAddress(destination))")) }
        try await serve({ $0.host = host }, handler: handler) { address, _ in
            let client = try await RawClient(BoundAddress(host: destination, port: address.port))
            for _ in 0..<2 { #expect(try await client.ask(get("/")).text == "true") }
        }
    }
}
