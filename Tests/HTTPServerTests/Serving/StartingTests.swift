import Glibc
import HTTPServer
import Logging
import RawClient
import Testing

@Suite struct StartingTests {
    @Test(arguments: ["127.0.0.1", "localhost", "0.0.0.0", "::1", "::"])
    func aServerListensOnTheConfiguredHost(_ host: String) async throws {
        try await serve({ $0.host = host }) { address, _ in
            #expect(address.port != 0)
            let answer = try await RawClient(address).ask(get("/"))
            #expect(answer.status == 200)
        }
    }

    @Test func theDescriptionOfAnAddressHasTheFormThatURLsUse() {
        #expect("\(BoundAddress(host: "127.0.0.1", port: 80))" == "127.0.0.1:80")
        #expect("\(BoundAddress(host: "::1", port: 80))" == "[::1]:80")
    }

    @Test func startingOnAnAddressInUseThrowsAnError() async throws {
        try await serve { address, _ in
            let (host, port) = (address.host, address.port)
            #expect(throws: HTTPServer.StartError.cannotListen(host: host, port: port, code: EADDRINUSE)) {
                try Self.server { $0.port = port }.start()
            }
        }
    }

    @Test func startingOnAnUnknownHostThrowsAnError() {
        #expect(throws: HTTPServer.StartError.hostNotFound(host: "no such host", code: EAI_NONAME)) {
            try Self.server { $0.host = "no such host" }.start()
        }
    }

    @Test func aServerWithAConnectionLimitOfZeroDoesNotStart() {
        #expect(throws: HTTPServer.StartError.noConnections) {
            try Self.server { $0.connectionLimit = 0 }.start()
        }
    }

    @Test(arguments: [
        (20, 0), (96, 0), (97, 1), (128, 32), (192, 96), (256, 128), (511, 256), (512, 256), (1024, 768), (1 << 20, (1 << 20) - 256),
    ])
    func theConnectionLimitIsLessThanTheLimitOfOpenFiles(_ openFiles: Int, _ connections: Int) {
        #expect(HTTPServer.Configuration.connectionLimit(openFiles: openFiles) == connections)
    }

    @Test func startingAServerTwiceThrowsAnError() async throws {
        try await serve { _, server in
            #expect(throws: HTTPServer.StartError.alreadyStarted) { try server.start() }
        }
    }

    private static func server(_ configure: (inout HTTPServer.Configuration) -> Void) -> HTTPServer {
        var configuration = HTTPServer.Configuration()
        configure(&configuration)
        return HTTPServer(configuration: configuration, logger: Logger(label: "test"), handler: echo)
    }
}
