import Glibc
import Logging
import RawClient
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct StoppingTests {
    @Test func aPendingRequestIsAnsweredBeforeTheServerStops() async throws {
        let gate = Gate()
        try await serve(handler: { _ in gate.later(text("late")) }) { address, server in
            let (idle, busy) = (try await RawClient(address), try await RawClient(address))
            try await busy.send(get("/"))
            await gate.arrival()
            async let stop: Void = server.stop(grace: .seconds(1000))
            // The server closes the idle connection after it has stopped accepting connections.
            #expect(try await idle.untilClosed() == "")
            await Self.expectRefused(address)
            gate.open()
            let answer = try await busy.response()
            #expect(answer.text == "late")
            #expect(answer.headers["Connection"] == "close")
            #expect(try await busy.untilClosed() == "")
            await stop
        }
    }

    @Test func aStoppingServerReadsTheRestOfAnIncompleteRequest() async throws {
        try await serve { address, server in
            let (idle, busy) = (try await RawClient(address), try await RawClient(address))
            try await busy.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await busy.response().status == 100)
            async let stop: Void = server.stop(grace: .seconds(1000))
            _ = try await idle.untilClosed()
            #expect(try await busy.ask("body").text == "POST / body")
            await stop
        }
    }

    /// A request may already be in the socket when the server decides to close the connection.
    @Test func aStoppingServerAnswersARequestAlreadyInTheSocketOfAnIdleConnection() async throws {
        let block = Block()
        try await serve(handler: block.answer) { address, server in
            let idle = try await RawClient(address)
            #expect(try await idle.ask(get("/")).status == 200)
            try await block.during(address) {
                try await idle.send(get("/last"))
                server.end(within: .seconds(1000))
            }
            let answer = try await idle.response()
            #expect(answer.text == "GET /last ")
            #expect(answer.headers["Connection"] == "close")
            #expect(try await idle.untilClosed() == "")
        }
    }

    @Test func aRequestOnAConnectionThatTheServerHasClosedIsNotPerformed() async throws {
        let block = Block()
        let performed = Mutex<[String]>([])
        let handler: HTTPServer.Handler = { request in
            performed.withLock { $0.append(request.target) }
            return block.answer(request)
        }
        try await serve(handler: handler) { address, server in
            let idle = try await RawClient(address)
            #expect(try await idle.ask(get("/first")).status == 200)
            try await block.during(address) {
                try await idle.send(get("/last"))
                server.end(within: .zero)
            }
            #expect(try await idle.untilClosed() == "")
            await server.stop(grace: .zero)
            #expect(performed.withLock { $0 } == ["/first", "/block"])
        }
    }

    @Test func aDrainingServerClosesEachConnectionAfterItsResponse() async throws {
        let prepared = PreparedResponse(text("prepared"))
        let handler: HTTPServer.Handler = { $0.target == "/prepared" ? .prepared(prepared) : echo($0) }
        try await serve({ $0.maximumBodyBytes = 2 }, handler: handler) { address, server in
            let known = try await RawClient(address)
            #expect(try await known.ask(get("/")).headers["Connection"] == nil)
            server.drain()
            for client in [known, try await RawClient(address)] {
                let answer = try await client.ask(get("/still"))
                #expect(answer.text == "GET /still ")
                #expect(answer.headers["Connection"] == "close")
                #expect(try await client.untilClosed() == "")
            }
            let last = try await RawClient(address).ask(get("/prepared"))
            #expect(last.text == "prepared")
            #expect(last.headers["Connection"] == "close")
            let rejected = try await RawClient(address).ask("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 3\r\n\r\nabc")
            #expect(rejected.status == 413)
            #expect(rejected.headers["Connection"] == "close")
        }
    }

    @Test func anIdleConnectionDoesNotDelayTheStopOfAServer() async throws {
        try await serve { address, server in
            let client = try await RawClient(address)
            #expect(try await client.ask(get("/")).status == 200)
            await server.stop(grace: .seconds(1000))
            #expect(try await client.untilClosed() == "")
            await Self.expectRefused(address)
        }
    }

    @Test func pendingRequestsAreCancelledAndConnectionsAreClosedAfterTheGracePeriod() async throws {
        let arrival = Gate()
        let handler: HTTPServer.Handler = { request in
            if request.target == "/large" { return .response(Response(body: [UInt8](repeating: 0, count: 1 << 26))) }
            return .later {
                await arrival.passWhenCancelled()
                return .response(text("too late"))
            }
        }
        try await serve(handler: handler) { address, server in
            let waiting = try await RawClient(address)
            try await waiting.send(get("/"))
            await arrival.arrival()
            let reading = try await RawClient(address)
            try await reading.send("GET / HTTP/1.1\r\nHost")
            let tooSlow = try await RawClient(address)
            try await tooSlow.send(get("/large"))
            await server.stop(grace: .milliseconds(50))
            #expect(try await waiting.untilClosed() == "")
            #expect(try await tooSlow.untilClosed().utf8.count < 1 << 26)
            #expect(try await reading.untilClosed() == "")
        }
    }

    @Test func aDeallocatedServerStops() async throws {
        var configuration = HTTPServer.Configuration()
        configuration.port = 0
        var server: HTTPServer? = HTTPServer(configuration: configuration, logger: Logger(label: "test"), handler: echo)
        let client = try await RawClient(try #require(server).start())
        #expect(try await client.ask(get("/")).status == 200)
        server = nil
        #expect(try await client.untilClosed() == "")
    }

    private static func expectRefused(_ address: BoundAddress) async {
        do {
            _ = try await RawClient(address)
            Issue.record("the server still accepts")
        } catch RawClient.Failure.cannotConnect(let code) {
            #expect(code == ECONNREFUSED)
        } catch {
            Issue.record(error)
        }
    }
}
