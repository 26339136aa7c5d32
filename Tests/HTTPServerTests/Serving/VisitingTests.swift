import RawClient
import Synchronization
import Testing

@testable import HTTPServer

/// Tests of the number of times that an event loop checks its connections. Only tests advance the clock.
@Suite(.timeLimit(.minutes(1))) struct VisitingTests {
    private let clock = ManualClock()

    private func visits(_ server: HTTPServer) -> Int {
        server.loops.reduce(0) { $0 + $1.connectionVisits.load(ordering: .relaxed) }
    }

    @Test func connectionsWithNearlyEqualDeadlinesAreCheckedTogether() async throws {
        let count = 50
        try await serve({ $0.headerDeadline = .seconds(10) }, now: clock.now) { address, server in
            let turning = try await RawClient(address)
            var silent: [RawClient] = []
            for _ in 0..<count {
                clock.advance(by: .milliseconds(1))
                silent.append(try await RawClient(address))
                #expect(try await turning.ask(get("/")).status == 200)
            }
            clock.advance(by: .seconds(10) - .milliseconds(count))
            for _ in 0...count {
                for _ in 0..<2 { #expect(try await turning.ask(get("/")).status == 200) }
                clock.advance(by: .milliseconds(1))
            }
            clock.advance(by: .milliseconds(100))
            for _ in 0..<2 { #expect(try await turning.ask(get("/")).status == 200) }
            for client in silent { #expect(try await client.untilClosed() == "") }
            #expect(visits(server) <= 3 * (count + 1))
        }
    }

    @Test func theEventLoopOfAStoppingServerChecksEachConnectionOnce() async throws {
        let (count, gate, script) = (30, Gate(), Script())
        let handler: HTTPServer.Handler = { $0.target == "/stream" ? .stream(script.response()) : gate.later(text("late")) }
        try await serve(handler: handler, now: clock.now) { address, server in
            var held: [RawClient] = []
            for _ in 0..<count { held.append(try await RawClient(address, sending: get("/held"))) }
            let streaming = try await RawClient(address)
            _ = try await streaming.ask(get("/stream"))
            await script.paused.pass()
            server.end(within: .seconds(3600))
            for _ in 0..<count {
                script.give(.text("a"))
                #expect(try await streaming.chunk() == "a")
            }
            #expect(visits(server) <= 2 * (count + 1))
            gate.open()
            for client in held { #expect(try await client.response().text == "late") }
            script.give(.end)
            #expect(try await streaming.chunk() == "")
        }
    }
}
