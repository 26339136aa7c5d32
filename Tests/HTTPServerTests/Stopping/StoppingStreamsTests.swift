import HTTPServer
import RawClient
import Testing

@Suite struct StoppingStreamsTests {
    @Test func aStreamThatEndsWithinTheGracePeriodIsSentCompletely() async throws {
        let script = Script()
        let lastPart = [UInt8](repeating: UInt8(ascii: "!"), count: 1 << 20)
        try await serve(handler: play(["/stream": script])) { address, server in
            let (streaming, idle) = (try await RawClient(address), try await RawClient(address))
            _ = try await streaming.ask(get("/stream"))
            await script.paused.pass()
            _ = try await idle.ask(get("/"))
            async let stop: Void = server.stop(grace: .seconds(1000))
            #expect(try await idle.untilClosed() == "")
            script.give(.bytes(lastPart), .end)
            #expect(try await streaming.chunks() == lastPart)
            #expect(try await streaming.untilClosed() == "")
            await stop
        }
        #expect(script.endings == 1)
    }

    @Test func streamsAreInterruptedAfterTheGracePeriod() async throws {
        let paused = Script()
        let stuck = Script(.bytes([UInt8](repeating: 0, count: 1 << 26)))
        try await serve(handler: play(["/paused": paused, "/stuck": stuck])) { address, server in
            let (first, second) = (try await RawClient(address), try await RawClient(address))
            _ = try await first.ask(get("/paused"))
            await paused.paused.pass()
            _ = try await second.ask(get("/stuck"))
            await server.stop(grace: .milliseconds(50))
            #expect(try await first.untilClosed() == "")
            #expect(try await second.rest().count < 1 << 26)
        }
        for script in [paused, stuck] {
            #expect(script.endings == 1)
            script.wake()
        }
    }

    @Test func aStreamThatBeginsWhileTheServerStopsIsTheLastOnItsConnection() async throws {
        let (gate, script) = (Gate(), Script(.text("late"), .end))
        let handler: HTTPServer.Handler = { request in
            guard request.target == "/stream" else { return echo(request) }
            return .later {
                await gate.pass()
                return .stream(script.response())
            }
        }
        try await serve(handler: handler) { address, server in
            let (streaming, idle) = (try await RawClient(address), try await RawClient(address))
            try await streaming.send(get("/stream"))
            await gate.arrival()
            _ = try await idle.ask(get("/"))
            async let stop: Void = server.stop(grace: .seconds(1000))
            #expect(try await idle.untilClosed() == "")
            gate.open()
            #expect(try await streaming.response().headers["Connection"] == "close")
            #expect(try await streaming.chunks() == Array("late".utf8))
            #expect(try await streaming.untilClosed() == "")
            await stop
        }
    }

    @Test func aStreamThatIsReadyAfterTheServerHasStoppedIsNotStarted() async throws {
        let (gate, script) = (Gate(), Script())
        let handler: HTTPServer.Handler = { _ in
            .later {
                await gate.pass()
                return .stream(script.response())
            }
        }
        try await serve(handler: handler) { address, server in
            let client = try await RawClient(address)
            try await client.send(get("/stream"))
            await gate.arrival()
            await server.stop(grace: .zero)
            #expect(try await client.untilClosed() == "")
            gate.open()
        }
        #expect(script.questions == 0)
        #expect(script.endings == 0)
    }
}
