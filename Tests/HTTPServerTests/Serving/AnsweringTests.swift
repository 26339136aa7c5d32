import HTTPServer
import RawClient
import Testing

@Suite struct AnsweringTests {
    @Test func onePreparedResponseCanBeSentOnManyConnections() async throws {
        let body = String(repeating: "prepared ", count: 1000)
        let prepared = PreparedResponse(Response(headers: ["ETag": "\"1\""], body: Array(body.utf8)))
        try await serve({ $0.loops = 2 }, handler: { _ in .prepared(prepared) }) { address, _ in
            try await withThrowingTaskGroup { group in
                for _ in 0..<16 {
                    group.addTask {
                        let client = try await RawClient(address)
                        for _ in 0..<20 {
                            let answer = try await client.ask(get("/"))
                            #expect(answer.text == body)
                            #expect(answer.headers["ETag"] == "\"1\"")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func eachOfManyPendingResponsesIsSentOnTheConnectionOfItsRequest() async throws {
        let handler: HTTPServer.Handler = { request in
            .later {
                await Task.yield()
                return .response(text(request.target))
            }
        }
        try await serve({ $0.loops = 2 }, handler: handler) { address, _ in
            try await withThrowingTaskGroup { group in
                for number in 0..<16 {
                    group.addTask {
                        let client = try await RawClient(address)
                        for turn in 0..<20 {
                            #expect(try await client.ask(get("/\(number)/\(turn)")).text == "/\(number)/\(turn)")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func aPendingResponseDoesNotDelayOtherResponses() async throws {
        let gate = Gate()
        let handler: HTTPServer.Handler = { $0.target == "/held" ? gate.later(text("released")) : echo($0) }
        try await serve(handler: handler) { address, _ in
            let (held, other) = (try await RawClient(address), try await RawClient(address))
            try await held.send(get("/held"))
            await gate.arrival()
            #expect(try await other.ask(get("/")).text == "GET / ")
            gate.open()
            #expect(try await held.response().text == "released")
            #expect(try await held.ask(get("/next")).text == "GET /next ")
        }
    }

    @Test func allResponseFieldsWithTheSameNameAreSent() async throws {
        let handler: HTTPServer.Handler = { _ in
            .response(Response(headers: ["Vary": "Accept", "vary": "Accept-Language"]))
        }
        try await serve(handler: handler) { address, _ in
            let answer = try await RawClient(address).ask(get("/"))
            #expect(answer.headers.values(of: "Vary") == ["Accept", "Accept-Language"])
        }
    }

    @Test(arguments: ["a\r\nInjected: b", "a\0b", "\0"]) func aResponseFieldWithAnInvalidValueIsOmitted(_ value: String) async throws {
        let handler: HTTPServer.Handler = { _ in
            .response(Response(headers: ["X": value, "Y\0": "b", "Z": "c"]))
        }
        try await serve(handler: handler) { address, _ in
            let answer = try await RawClient(address).ask(get("/"))
            #expect(answer.headers["X"] == nil)
            #expect(answer.headers["Injected"] == nil)
            #expect(answer.headers["Y"] == nil)
            #expect(answer.headers["Z"] == "c")
        }
    }

    @Test(arguments: [0, 99, 1000, -1]) func aResponseWithAnInvalidStatusIsSentWithStatus500(_ status: Int) async throws {
        try await serve(handler: { _ in .response(Response(status: status)) }) { address, _ in
            let answer = try await RawClient(address).ask(get("/"))
            #expect(answer.status == 500)
            #expect(answer.text == "Something went wrong here.\n")
        }
    }
}
