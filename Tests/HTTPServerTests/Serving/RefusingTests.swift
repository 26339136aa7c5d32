import HTTPServer
import RawClient
import Synchronization
import Testing

@Suite struct RefusingTests {
    @Test func aBodyOverTheLimitIsAnsweredWith413AndTheConnectionStaysOpen() async throws {
        try await serve({ $0.maximumBodyBytes = 10 }) { address, _ in
            let client = try await RawClient(address)
            let answer = try await client.ask("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 11\r\n\r\n01234567890")
            #expect(answer.status == 413)
            #expect(answer.headers["Content-Type"] == "test/problem")
            #expect(try await client.ask(get("/next")).text == "GET /next ")
        }
    }

    @Test(arguments: ["21", "11\r\nExpect: 100-continue", "99999999999999999999"])
    func anOversizedBodyIsNotReadIfItIsHugeOrNotYetSent(_ length: String) async throws {
        try await serve({ $0.maximumBodyBytes = 10 }) { address, _ in
            let client = try await RawClient(address)
            let head = "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: \(length)\r\n\r\n"
            #expect(try await client.ask(head).status == 413)
            _ = try await client.untilClosed()
        }
    }

    @Test func headersOverTheLimitAreAnsweredWith431() async throws {
        try await serve({ $0.maximumHeaderBytes = 4096 }) { address, _ in
            let client = try await RawClient(address)
            let answer = try await client.ask(get("/", "X: \(String(repeating: "x", count: 5000))"))
            #expect(answer.status == 431)
            _ = try await client.untilClosed()
        }
    }

    @Test func tooManyHeadersAreAnsweredWith431() async throws {
        try await serve { address, _ in
            for (count, status) in [(54, 200), (55, 431)] {
                let fields = String(repeating: "X: y\r\n", count: count - 1)
                let client = try await RawClient(address, sending: "GET / HTTP/1.1\r\nHost: test\r\n\(fields)\r\n")
                #expect(try await client.response().status == status)
            }
        }
    }

    /// If the connection were closed while requests are unread, the system would discard bytes that are not sent yet.
    @Test func responsesToEarlierRequestsAreSentBeforeARejectedRequestClosesTheConnection() async throws {
        let body = [UInt8](repeating: 0x78, count: 800_000)
        let handler: HTTPServer.Handler = { request in
            if let refusal = request.refusal { return .response(Response(status: refusal.status)) }
            return .later { .response(Response(body: body)) }
        }
        let refused = "GET /refused HTTP/1.1\r\n\r\n" + String(repeating: get("/behind"), count: 300)
        try await serve(handler: handler) { address, _ in
            for _ in 0..<20 {
                let client = try await RawClient(address, sending: get("/") + refused)
                #expect(try await client.response().body.count == body.count)
                #expect(try await client.response().status == 400)
            }
        }
    }

    @Test func aRequestTargetOverTheLengthLimitIsAnsweredWith414() async throws {
        try await serve({ $0.maximumHeaderBytes = 4096 }) { address, _ in
            let client = try await RawClient(address)
            #expect(try await client.ask(get("/\(String(repeating: "x", count: 5000))")).status == 414)
            _ = try await client.untilClosed()
        }
    }

    @Test func requestsOnConnectionsOverTheLimitReceive503UntilAnotherConnectionCloses() async throws {
        try await serve({ $0.connectionLimit = 1 }) { address, _ in
            let (first, second) = (try await RawClient(address), try await RawClient(address))
            #expect(try await first.ask(get("/")).status == 200)
            #expect(try await second.ask(get("/")).status == 503)
            _ = try await second.untilClosed()
            #expect(try await first.ask(get("/", "Connection: close")).status == 200)
            _ = try await first.untilClosed()
            #expect(try await RawClient(address).ask(get("/")).status == 200)
        }
    }

    @Test func connectionsOverTheLimitOfAnAddressReceive429() async throws {
        try await serve({ $0.connectionsPerCaller = 1 }) { address, _ in
            let (first, second) = (try await RawClient(address), try await RawClient(address))
            let other = try await RawClient(address, from: "127.0.0.2")
            #expect(try await first.ask(get("/")).status == 200)
            #expect(try await second.ask(get("/")).status == 429)
            #expect(try await other.ask(get("/")).status == 200)
            _ = try await second.untilClosed()
            #expect(try await first.ask(get("/", "Connection: close")).status == 200)
            _ = try await first.untilClosed()
            #expect(try await RawClient(address).ask(get("/")).status == 200)
        }
    }

    @Test func oneAddressCannotTakeAllConnections() async throws {
        try await serve({ $0.connectionLimit = 4 }) { address, _ in
            var clients: [RawClient] = []
            for status in [200, 200, 429] {
                clients.append(try await RawClient(address))
                #expect(try await clients.last!.ask(get("/")).status == status)
            }
            #expect(try await RawClient(address, from: "127.0.0.2").ask(get("/")).status == 200)
        }
    }

    @Test func manyConnectionsOverTheLimitOfAnAddressAreClosedAtOnce() async throws {
        try await serve({ $0.connectionsPerCaller = 1 }) { address, _ in
            var clients: [RawClient] = []
            for _ in 0..<9 { clients.append(try await RawClient(address)) }
            #expect(try await clients[8].ask(get("/")).status == 429)
            #expect(try await clients[0].ask(get("/")).status == 200)
            let excess = try await RawClient(address)
            #expect(try await excess.isClosed())
        }
    }

    @Test func theConnectionsOfAProxyAreNotLimited() async throws {
        let configure: (inout HTTPServer.Configuration) -> Void = {
            $0.connectionsPerCaller = 1
            $0.isProxy = { $0 == NetworkAddress("127.0.0.1") }
        }
        try await serve(configure) { address, _ in
            for client in [try await RawClient(address), try await RawClient(address)] {
                #expect(try await client.ask(get("/")).status == 200)
            }
        }
    }

    @Test func aHandlerCanReceiveRejectedRequestsAndTheReasonOfEachRejection() async throws {
        let seen = Mutex<[Request]>([])
        let handler: HTTPServer.Handler = { request in
            seen.withLock { $0.append(request) }
            return .response(request.refusal.map(problem) ?? text("served"))
        }
        try await serveAll({ $0.maximumBodyBytes = 2 }, handler) { address in
            let client = try await RawClient(address)
            let long = "POST /long HTTP/1.1\r\nHost: test\r\nContent-Length: 3\r\n\r\nabc"
            #expect(try await client.ask(long).status == 413)
            #expect(try await client.ask("GET /odd HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").status == 400)
        }
        let length: Headers = ["Host": "test", "Content-Length": "3"]
        let peer = NetworkAddress("127.0.0.1")
        #expect(
            seen.withLock { $0 } == [
                Request(method: "POST", target: "/long", headers: length, refusal: .bodyTooLarge(limit: 2), peer: peer),
                Request(method: "GET", target: "/odd", headers: ["Host": "a", "Host": "b"], refusal: .host(count: 2), peer: peer),
            ])
    }

    /// The connection is closed because the bytes after an invalid head cannot be trusted.
    @Test(arguments: [
        "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    ])
    func aConnectionIsClosedEvenIfTheResponseToItsInvalidHeadIsDeferred(_ request: String) async throws {
        let (gate, ended) = (Gate(), Gate())
        let handler: HTTPServer.Handler = { request in
            .later {
                await gate.pass()
                return .response(request.refusal.map(problem) ?? text("served"))
            }.observed { _ in ended.open() }
        }
        try await serveAll({ _ in }, handler) { address in
            let client = try await RawClient(address)
            try await client.send(request + get("/smuggled"))
            await gate.arrival()
            gate.open()
            #expect(try await client.response().status == 400)
            #expect(try await client.untilClosed() == "")
            await ended.pass()
        }
    }

    /// Runs `body` with a server whose handler also receives rejected requests.
    private func serveAll(
        _ configure: (inout HTTPServer.Configuration) -> Void, _ handler: @escaping HTTPServer.Handler,
        _ body: (BoundAddress) async throws -> Void
    ) async throws {
        try await serve(configure, handler: handler, answersRefusals: false) { address, _ in try await body(address) }
    }
}
