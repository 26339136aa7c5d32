import Dispatch
import RawClient
import Testing

@testable import HTTPServer

/// The clock stands still unless a test lets time pass. A test that fails waits for a close that does not come.
@Suite(.timeLimit(.minutes(1))) struct DeadlineTests {
    /// A server with a clock of its own.
    private struct Timed {
        let address: BoundAddress
        let server: HTTPServer
        let clock: ManualClock

        /// Returns when the server has seen everything that was sent to it before.
        func settle() async throws {
            #expect(try await RawClient(address).ask(get("/", "Connection: close")).status == 200)
        }

        /// Returns when the server has seen that so much time has passed.
        func pass(_ duration: Duration) async throws {
            try await settle()
            clock.advance(by: duration)
            try await settle()
        }
    }

    /// Of ten seconds is the deadline under test alone; the others are not met.
    private func serve(
        _ deadline: WritableKeyPath<HTTPServer.Configuration, Duration>? = nil,
        handler: @escaping HTTPServer.Handler = echo,
        _ body: (Timed) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        try await HTTPServerTests.serve({ configuration in
            if let deadline { configuration[keyPath: deadline] = .seconds(10) }
        }, handler: handler, now: clock.now) { address, server in
            try await body(Timed(address: address, server: server, clock: clock))
        }
    }

    private static let post = "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\n"

    @Test(arguments: ["", "\r\n", "GET", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: test\r\nX"])
    func aHeadThatDoesNotEndIsCut(_ head: String) async throws {
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
    func aHeadThatDoesNotEndIsCutOnAConnectionThatWasUsedBefore(_ head: String) async throws {
        try await serve(\.headerDeadline) { timed in
            let (quick, slow) = (try await RawClient(timed.address), try await RawClient(timed.address))
            for client in [quick, slow] { #expect(try await client.ask(get("/")).status == 200) }
            // Before a head nothing is due.
            try await timed.pass(.seconds(100))
            for client in [quick, slow] { #expect(try await client.ask(get("/") + head).status == 200) }
            try await timed.pass(.seconds(9))
            #expect(try await quick.ask("X: y\r\nHost: test\r\n\r\n").status < 500)
            try await timed.pass(.seconds(1))
            #expect(try await slow.untilClosed() == "")
        }
    }

    @Test func aBodyThatDoesNotEndIsCut() async throws {
        try await serve(\.bodyDeadline) { timed in
            let quick = try await RawClient(timed.address, sending: Self.post + "abc")
            let slow = try await RawClient(timed.address, sending: Self.post + "abc")
            try await timed.pass(.seconds(9))
            #expect(try await quick.ask("de").text == "POST / abcde")
            try await timed.pass(.seconds(1))
            #expect(try await slow.untilClosed() == "")
        }
    }

    @Test func aConnectionThatLiesIdleIsClosed() async throws {
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

    /// It would keep all who come after it from being told that there is no room.
    @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: test\r\nX"])
    func oneConnectionTooManyHasNoTimeForItsHead(_ head: String) async throws {
        let clock = ManualClock()
        try await HTTPServerTests.serve({ $0.connectionLimit = 1 }, now: clock.now) { address, _ in
            let first = try await RawClient(address)
            #expect(try await first.ask(get("/")).status == 200)
            let second = try await RawClient(address, sending: head)
            #expect(try await first.ask(get("/")).status == 200)
            clock.advance(by: Patience.brief)
            #expect(try await first.ask(get("/")).status == 200)
            #expect(try await second.untilClosed() == "")
            #expect(try await first.ask(get("/")).status == 200)
        }
    }

    /// The library reads it in several steps, and misses the end behind the last.
    @Test(arguments: [0, 1]) func longHalfOfAHeadIsCutSoonWhereNothingMoreWillCome(requestsBefore: Int) async throws {
        try await serve { timed in
            let client = try await RawClient(timed.address)
            for _ in 0..<requestsBefore { #expect(try await client.ask(get("/")).status == 200) }
            try await client.finish(sending: "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 6000))
            // It is there before what others send behind it, but not the event of its end.
            for _ in 0..<3 { try await timed.settle() }
            try await timed.pass(Patience.brief)
            #expect(try await client.untilClosed() == "")
        }
    }

    /// What came before reading ended hides the end from the library, which reads until there is less than it asks for.
    @Test func halfALineOnAConnectionThatIsToCloseIsCut() async throws {
        let (arrival, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let turns = [Gate(), Gate()]
        let handler: HTTPServer.Handler = { request in
            if request.target == "/block" {
                arrival.signal()
                // Blocks the only loop, which tests alone may do.
                release.wait()
            }
            guard let turn = Int(request.target.dropFirst()) else { return echo(request) }
            return .later {
                await turns[turn].pass()
                return .response(text("turn"))
            }
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
            await arrival.isSignalled()
            try await half.send("GET /x")
            timed.server.end(within: .seconds(3600))
            release.signal()
            #expect(try await blocking.response().status == 200)
            turns[0].open()
            #expect(try await turning[0].response().status == 200)
            timed.clock.advance(by: .seconds(10))
            turns[1].open()
            #expect(try await turning[1].response().status == 200)
            #expect(try await half.untilClosed() == "")
        }
    }

    @Test func noDeadlineHoldsForAnAnswerThatTakesLong() async throws {
        let gate = Gate()
        let handler: HTTPServer.Handler = { request in
            guard request.target == "/slow" else { return echo(request) }
            return .later {
                await gate.pass()
                return .response(text("late"))
            }
        }
        try await serve(\.idleTimeout, handler: handler) { timed in
            defer { gate.open() }
            let slow = try await RawClient(timed.address, sending: get("/slow"))
            await gate.arrival()
            try await timed.pass(.seconds(10_000))
            gate.open()
            #expect(try await slow.response().text == "late")
        }
    }

    @Test func whatIsLeftAfterTheGraceIsCut() async throws {
        try await serve { timed in
            let client = try await RawClient(timed.address, sending: Self.post)
            try await timed.settle()
            timed.server.end(within: .zero)
            #expect(try await client.untilClosed() == "")
        }
    }
}
