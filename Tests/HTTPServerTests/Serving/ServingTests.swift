import HTTPServer
import RawClient
import Testing

@Suite struct ServingTests {
    @Test func aGETRequestIsAnsweredWithStatusHeadersAndBody() async throws {
        try await serve { address, _ in
            let answer = try await RawClient(address).ask(get("/a?b=c"))
            #expect(answer.status == 200)
            #expect(answer.headers["Content-Type"] == "text/plain")
            #expect(answer.headers["Date"] != nil)
            #expect(answer.text == "GET /a?b=c ")
        }
    }

    @Test func percentEscapesInATargetAreNotDecoded() async throws {
        try await serve { address, _ in
            let target = "/%2f..//a%00b/../%zz?x=%41+&y=%"
            let answer = try await RawClient(address).ask(get(target))
            #expect(answer.text == "GET \(target) ")
        }
    }

    @Test(arguments: ["a b", " a b", "\ta b", "a b \t ", "a b\t"])
    func blanksAroundAFieldValueAreRemoved(_ value: String) async throws {
        let handler: @Sendable (Request) -> Reply = {
            .response(Response(status: 200, body: Array("<\($0.headers["X-Word"] ?? "")>".utf8)))
        }
        try await serve(handler: handler) { address, _ in
            let client = try await RawClient(address)
            #expect(try await client.ask("GET / HTTP/1.1\r\nHost: test\r\nX-Word:\(value)\r\n\r\n").text == "<a b>")
            #expect(try await client.ask("GET / HTTP/1.1\r\nHost: test\r\nX-Word: \t\r\n\r\n").text == "<>")
        }
    }

    @Test func aHEADRequestIsAnsweredWithTheLengthOfTheBodyAndWithoutTheBody() async throws {
        try await serve { address, _ in
            let client = try await RawClient(address)
            let answer = try await client.ask("HEAD /abc HTTP/1.1\r\nHost: test\r\n\r\n")
            #expect(answer.headers["Content-Length"] == String("HEAD /abc ".utf8.count))
            #expect(try await client.ask(get("/next")).text == "GET /next ")
        }
    }

    @Test(arguments: [204, 304]) func noBodyIsSentWithStatus204Or304(_ status: Int) async throws {
        try await serve(handler: { _ in .response(Response(status: status, body: [1, 2, 3])) }) { address, _ in
            let client = try await RawClient(address)
            try await client.send(get("/") + get("/"))
            #expect(try await client.response(hasBody: false).status == status)
            #expect(try await client.response(hasBody: false).status == status)
        }
    }

    @Test func pipelinedRequestsAreServed() async throws {
        try await serve { address, _ in
            let client = try await RawClient(address)
            let post = "POST /2 HTTP/1.1\r\nHost: test\r\nContent-Length: 1\r\n\r\nx"
            try await client.send(get("/1") + post + get("/3"))
            for body in ["GET /1 ", "POST /2 x", "GET /3 "] {
                #expect(try await client.response().text == body)
            }
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let gate = Gate()
        let handler: HTTPServer.Handler = { $0.target == "/1" ? gate.later(text("late")) : echo($0) }
        try await serve(handler: handler) { address, _ in
            let client = try await RawClient(address)
            try await client.send(get("/1") + get("/2"))
            await gate.arrival()
            gate.open()
            #expect(try await client.response().text == "late")
            #expect(try await client.response().text == "GET /2 ")
        }
    }

    @Test func aRequestHasNoHeadersOfThePreviousRequest() async throws {
        let handler: HTTPServer.Handler = { .response(text($0.headers["x-first"] ?? "none")) }
        try await serve(handler: handler) { address, _ in
            let client = try await RawClient(address)
            #expect(try await client.ask(get("/", "X-First: 1")).text == "1")
            #expect(try await client.ask(get("/")).text == "none")
        }
    }

    @Test func aRequestKeepsItsHeadersWhileLaterRequestsAreRead() async throws {
        let gate = Gate()
        let handler: HTTPServer.Handler = { request in
            .later {
                if request.target == "/held" { await gate.pass() }
                return .response(text("\(request.target) \(request.headers["x"] ?? "")"))
            }
        }
        try await serve(handler: handler) { address, _ in
            let (first, second) = (try await RawClient(address), try await RawClient(address))
            try await first.send(get("/held", "X: kept"))
            await gate.arrival()
            #expect(try await second.ask(get("/other", "X: \(String(repeating: "y", count: 500))")).status == 200)
            gate.open()
            #expect(try await first.response().text == "/held kept")
        }
    }

    @Test func aConnectionIsClosedAfterTheResponseToARequestInHTTP10() async throws {
        try await serve { address, _ in
            let client = try await RawClient(address)
            try await client.send("GET /old HTTP/1.0\r\n\r\n")
            #expect(try await client.untilClosed().hasSuffix("\r\n\r\nGET /old "))
        }
    }

    @Test func aRequestCanDemandThatItsConnectionIsClosedAfterTheResponse() async throws {
        try await serve { address, _ in
            let client = try await RawClient(address)
            #expect(try await client.ask(get("/", "Connection: close")).headers["Connection"] == "close")
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("::", "127.0.0.1")])
    func aRequestHasTheAddressOfItsClient(_ host: String, _ destination: String) async throws {
        let handler: HTTPServer.Handler = { request in .response(text("\(request.peer == NetworkAddress(destination))")) }
        try await serve({ $0.host = host }, handler: handler) { address, _ in
            let client = try await RawClient(BoundAddress(host: destination, port: address.port))
            for _ in 0..<2 { #expect(try await client.ask(get("/")).text == "true") }
        }
    }
}
