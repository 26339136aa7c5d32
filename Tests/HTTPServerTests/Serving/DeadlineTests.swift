import RawClient
import Testing

@testable import HTTPServer

/// Tests of deadlines with a clock that only tests advance. If an expected event does not come, a test fails at its time limit.
@Suite(.timeLimit(.minutes(1))) struct DeadlineTests {
    /// A server with a clock that the test advances.
    private struct Timed {
        let address: BoundAddress
        let server: HTTPServer
        let clock: ManualClock

        /// Waits until the server has processed everything that clients have sent so far.
        func settle() async throws {
            #expect(try await RawClient(address).ask(get("/", "Connection: close")).status == 200)
        }

        /// Advances the clock, and waits until the server has checked its deadlines.
        func pass(_ duration: Duration) async throws {
            try await settle()
            clock.advance(by: duration)
            try await settle()
        }
    }

    /// Runs `body` with a server on which the given deadline is ten seconds. The other deadlines are never reached.
    private func serve(
        _ deadline: WritableKeyPath<HTTPServer.Configuration, Duration>? = nil,
        handler: @escaping HTTPServer.Handler = echo,
        _ body: (Timed) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        try await HTTPServerTests.serve(
            { configuration in
                if let deadline { configuration[keyPath: deadline] = .seconds(10) }
            }, handler: handler, now: clock.now
        ) { address, server in
            try await body(Timed(address: address, server: server, clock: clock))
        }
    }

    private static let post = "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\n"

    @Test(arguments: ["", "\r\n", "GET", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: test\r\nX"])
    func aNewConnectionWithAnIncompleteHeadIsClosedAtTheHeaderDeadline(_ head: String) async throws {
        try await serve(\.headerDeadline) { timed in
            let (quick, slow) = (try await RawClient(timed.address), try await RawClient(timed.address, sending: head))
            try await timed.pass(.seconds(9))
            #expect(try await quick.ask(get("/")).status == 200)
            try await timed.pass(.seconds(1))
            #expect(try await slow.untilClosed() == "")
            #expect(try await quick.ask(get("/")).status == 200)
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: test\r\n"])
    func aConnectionWithAnIncompleteSecondHeadIsClosedAtTheHeaderDeadline(_ head: String) async throws {
        try await serve(\.headerDeadline) { timed in
            let (quick, slow) = (try await RawClient(timed.address), try await RawClient(timed.address))
            for client in [quick, slow] { #expect(try await client.ask(get("/")).status == 200) }
            // No deadline applies between a response and the first byte of the next head.
            try await timed.pass(.seconds(100))
            for client in [quick, slow] { #expect(try await client.ask(get("/") + head).status == 200) }
            try await timed.pass(.seconds(9))
            #expect(try await quick.ask("X: y\r\nHost: test\r\n\r\n").status < 500)
            try await timed.pass(.seconds(1))
            #expect(try await slow.untilClosed() == "")
        }
    }

    @Test func aConnectionWithAnIncompleteBodyIsClosedAtTheBodyDeadline() async throws {
        try await serve(\.bodyDeadline) { timed in
            let quick = try await RawClient(timed.address, sending: Self.post + "abc")
            let slow = try await RawClient(timed.address, sending: Self.post + "abc")
            try await timed.pass(.seconds(9))
            #expect(try await quick.ask("de").text == "POST / abcde")
            try await timed.pass(.seconds(1))
            #expect(try await slow.untilClosed() == "")
        }
    }

    @Test func anIdleConnectionIsClosedAfterTheIdleTimeout() async throws {
        try await serve(\.idleTimeout) { timed in
            let (used, idle) = (try await RawClient(timed.address), try await RawClient(timed.address))
            for client in [used, idle] { #expect(try await client.ask(get("/")).status == 200) }
            try await timed.pass(.seconds(9))
            #expect(try await used.ask(get("/")).status == 200)
            try await timed.pass(.seconds(1))
            #expect(try await idle.untilClosed() == "")
            #expect(try await used.ask(get("/")).status == 200)
        }
    }

    /// Beyond the connection limit, only a few more connections can be open. The server closes them soon, so that it can answer later
    /// connections with 503.
    @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: test\r\nX"])
    func aConnectionOverTheConnectionLimitHasAShortHeaderDeadline(_ head: String) async throws {
        let clock = ManualClock()
        try await HTTPServerTests.serve({ $0.connectionLimit = 1 }, now: clock.now) { address, _ in
            let first = try await RawClient(address)
            #expect(try await first.ask(get("/")).status == 200)
            let second = try await RawClient(address, sending: head)
            #expect(try await first.ask(get("/")).status == 200)
            clock.advance(by: Timeouts.brief)
            #expect(try await first.ask(get("/")).status == 200)
            #expect(try await second.untilClosed() == "")
            #expect(try await first.ask(get("/")).status == 200)
        }
    }

    /// libmicrohttpd reads a long head in several steps. If the client shuts down its sending half after the last step, libmicrohttpd does
    /// not notice the shutdown.
    @Test(arguments: [0, 1]) func aHalfCloseAfterALongIncompleteHeadClosesTheConnectionSoon(requestsBefore: Int) async throws {
        try await serve { timed in
            let client = try await RawClient(timed.address)
            for _ in 0..<requestsBefore { #expect(try await client.ask(get("/")).status == 200) }
            try await client.finish(sending: "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 6000))
            // After `settle()`, the server has received the head, but it may not have received the end of the input yet.
            for _ in 0..<3 { try await timed.settle() }
            try await timed.pass(Timeouts.brief)
            #expect(try await client.untilClosed() == "")
        }
    }

    /// libmicrohttpd does not notice the end of the input if unread bytes, such as an incomplete request line, precede the end.
    @Test func aConnectionWithAnIncompleteRequestLineIsClosedWhileTheServerStops() async throws {
        let block = Block()
        let turns = [Gate(), Gate()]
        let handler: HTTPServer.Handler = { request in
            Int(request.target.dropFirst()).map { turns[$0].later(text("turn")) } ?? block.answer(request)
        }
        try await serve(\.headerDeadline, handler: handler) { timed in
            let half = try await RawClient(timed.address)
            #expect(try await half.ask(get("/")).status == 200)
            var turning: [RawClient] = []
            for turn in turns.indices {
                turning.append(try await RawClient(timed.address, sending: get("/\(turn)")))
                await turns[turn].arrival()
            }
            let blocking = try await RawClient(timed.address, sending: get("/block"))
            await block.hasBegun()
            try await half.send("GET /x")
            timed.server.end(within: .seconds(3600))
            block.end()
            #expect(try await blocking.response().status == 200)
            turns[0].open()
            #expect(try await turning[0].response().status == 200)
            timed.clock.advance(by: .seconds(10))
            turns[1].open()
            #expect(try await turning[1].response().status == 200)
            #expect(try await half.untilClosed() == "")
        }
    }

    @Test func noDeadlineAppliesToAPendingResponse() async throws {
        let gate = Gate()
        let handler: HTTPServer.Handler = { $0.target == "/slow" ? gate.later(text("late")) : echo($0) }
        try await serve(\.idleTimeout, handler: handler) { timed in
            defer { gate.open() }
            let slow = try await RawClient(timed.address, sending: get("/slow"))
            await gate.arrival()
            try await timed.pass(.seconds(10_000))
            gate.open()
            #expect(try await slow.response().text == "late")
        }
    }
}
