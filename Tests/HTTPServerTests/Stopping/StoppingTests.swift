import Dispatch
import Glibc
import Logging
import RawClient
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct StoppingTests {
    @Test func aRequestUnderWayIsAnsweredBeforeTheServerStops() async throws {
        let gate = Gate()
        try await serve(handler: Self.answersBehind(gate)) { address, server in
            let (idle, busy) = (try await RawClient(address), try await RawClient(address))
            try await busy.send(get("/"))
            await gate.arrival()
            async let stop: Void = server.stop(grace: .seconds(1000))
            // The idle connection is closed once the server no longer accepts.
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

    @Test func aPreparedAnswerAlsoSaysThatTheConnectionCloses() async throws {
        let gate = Gate()
        let prepared = PreparedResponse(text("prepared"))
        let handler: HTTPServer.Handler = { _ in
            .later {
                await gate.pass()
                return .prepared(prepared)
            }
        }
        try await serve(handler: handler) { address, server in
            let (idle, busy) = (try await RawClient(address), try await RawClient(address))
            try await busy.send(get("/"))
            await gate.arrival()
            async let stop: Void = server.stop(grace: .seconds(1000))
            _ = try await idle.untilClosed()
            gate.open()
            let answer = try await busy.response()
            #expect(answer.text == "prepared")
            #expect(answer.headers["Connection"] == "close")
            await stop
        }
    }

    @Test func aRequestThatHasBegunIsReadToItsEnd() async throws {
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

    /// A request that lies in the socket when the server decides to close is read all the same.
    @Test func aRequestThatHasArrivedAtAnIdleConnectionIsAnsweredOrNotPerformed() async throws {
        let (arrival, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let handler: HTTPServer.Handler = { request in
            guard request.target == "/block" else { return echo(request) }
            arrival.signal()
            // Blocks the only loop, which tests alone may do.
            release.wait()
            return echo(request)
        }
        try await serve(handler: handler) { address, server in
            let (blocking, idle) = (try await RawClient(address), try await RawClient(address))
            #expect(try await idle.ask(get("/")).status == 200)
            try await blocking.send(get("/block"))
            await arrival.isSignalled()
            try await idle.send(get("/last"))
            server.end(within: .seconds(1000))
            release.signal()
            let answer = try await idle.response()
            #expect(answer.text == "GET /last ")
            #expect(answer.headers["Connection"] == "close")
            #expect(try await idle.untilClosed() == "")
            #expect(try await blocking.response().text == "GET /block ")
        }
    }

    @Test func aRequestThatArrivesAtAConnectionThatIsCutIsNotPerformed() async throws {
        let (arrival, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let performed = Mutex<[String]>([])
        let handler: HTTPServer.Handler = { request in
            performed.withLock { $0.append(request.target) }
            if request.target == "/block" {
                arrival.signal()
                // Blocks the only loop, which tests alone may do.
                release.wait()
            }
            return echo(request)
        }
        try await serve(handler: handler) { address, server in
            let idle = try await RawClient(address)
            #expect(try await idle.ask(get("/first")).status == 200)
            let blocking = try await RawClient(address, sending: get("/block"))
            await arrival.isSignalled()
            try await idle.send(get("/last"))
            server.end(within: .zero)
            release.signal()
            #expect(try await idle.untilClosed() == "")
            _ = try? await blocking.rest()
            await server.stop(grace: .zero)
            #expect(performed.withLock { $0 } == ["/first", "/block"])
        }
    }

    @Test func aServerThatDrainsServesOnAndEndsEachConnectionWithItsAnswer() async throws {
        let prepared = PreparedResponse(text("prepared"))
        try await serve(handler: { $0.target == "/prepared" ? .prepared(prepared) : echo($0) }) { address, server in
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
        }
    }

    @Test func aRefusalWhileTheServerDrainsAlsoEndsItsConnection() async throws {
        try await serve({ $0.maximumBodyBytes = 2 }) { address, server in
            let client = try await RawClient(address)
            #expect(try await client.ask(get("/")).status == 200)
            server.drain()
            let answer = try await client.ask("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 3\r\n\r\nabc")
            #expect(answer.status == 413)
            #expect(answer.headers["Connection"] == "close")
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func anIdleConnectionDoesNotDelayTheStop() async throws {
        try await serve { address, server in
            let client = try await RawClient(address)
            #expect(try await client.ask(get("/")).status == 200)
            await server.stop(grace: .seconds(1000))
            #expect(try await client.untilClosed() == "")
            await Self.expectRefused(address)
        }
    }

    @Test func whatIsLeftAfterTheGraceIsCutAndCancelled() async throws {
        let arrival = Gate()
        let handler: HTTPServer.Handler = { request in
            if request.target == "/large" { return .response(Response(body: [UInt8](repeating: 0, count: 1 << 26))) }
            return .later {
                await withTaskCancellationHandler {
                    // Only cancelling it ends this wait.
                    await arrival.pass()
                } onCancel: {
                    arrival.open()
                }
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

    @Test func anAnswerThatComesAfterTheStopDoesNoHarm() async throws {
        let gate = Gate()
        try await serve(handler: Self.answersBehind(gate)) { address, server in
            let client = try await RawClient(address)
            try await client.send(get("/"))
            await gate.arrival()
            await server.stop(grace: .zero)
            #expect(try await client.untilClosed() == "")
            gate.open()
        }
    }

    @Test func aServerThatIsForgottenStops() async throws {
        var configuration = HTTPServer.Configuration()
        configuration.port = 0
        var server: HTTPServer? = HTTPServer(configuration: configuration, logger: Logger(label: "test"), handler: echo)
        let client = try await RawClient(try #require(server).start())
        #expect(try await client.ask(get("/")).status == 200)
        server = nil
        #expect(try await client.untilClosed() == "")
    }

    private static func answersBehind(_ gate: Gate) -> HTTPServer.Handler {
        { _ in
            .later {
                await gate.pass()
                return .response(text("late"))
            }
        }
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
