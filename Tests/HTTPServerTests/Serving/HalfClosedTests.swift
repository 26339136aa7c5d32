import RawClient
import Testing

@testable import HTTPServer

/// Tests of clients that shut down the sending half of their connections. The server closes such a connection after its last
/// response. No deadline applies, so a failing test ends only at its time limit.
@Suite(.timeLimit(.minutes(1))) struct HalfClosedTests {
    @Test(arguments: [0, 1]) func aConnectionIsClosedAfterItsResponseIfAHalfCloseArrivesWithTheRequest(requestsBefore: Int) async throws {
        let block = Block()
        try await serve(handler: block.answer) { address, _ in
            let client = try await RawClient(address)
            for _ in 0..<requestsBefore { #expect(try await client.ask(get("/before")).status == 200) }
            try await block.during(address) { try await client.finish(sending: get("/last")) }
            #expect(try await client.response().text == "GET /last ")
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aConnectionIsClosedAfterItsResponseIfAHalfCloseFollowsTheRequest() async throws {
        try await serve { address, _ in
            for _ in 0..<100 {
                let client = try await RawClient(address)
                try await client.finish(sending: get("/"))
                #expect(try await client.response().text == "GET / ")
                #expect(try await client.untilClosed() == "")
            }
        }
    }

    @Test func allRequestsSentBeforeAHalfCloseAreAnswered() async throws {
        let block = Block()
        try await serve(handler: block.answer) { address, _ in
            let client = try await RawClient(address)
            try await block.during(address) {
                try await client.finish(sending: (0..<500).map { get("/\($0)") }.joined())
            }
            for number in 0..<500 { #expect(try await client.response().text == "GET /\(number) ") }
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aConnectionIsClosedAfterItsResponseIfItIsHalfClosedBeforeTheResponse() async throws {
        let gate = Gate()
        try await serve(handler: { _ in gate.later(text("done")) }) { address, _ in
            let client = try await RawClient(address)
            try await client.send(get("/"))
            await gate.arrival()
            try await client.finish()
            gate.open()
            #expect(try await client.response().text == "done")
            #expect(try await client.untilClosed() == "")
        }
    }

    /// libmicrohttpd first processes the connection that was idle longest. Without the idle connection, one of the tested connections would
    /// be processed first, and a faulty server could pass this test.
    @Test(arguments: [[1, 0], [2, 1], [8, 1], [8, 8]])
    func everyHalfClosedClientReceivesItsDeferredResponseWhileAnotherConnectionIsIdle(_ counts: [Int]) async throws {
        let gate = Gate()
        try await serve(handler: { request in
            guard request.target.hasPrefix("/later") else { return echo(request) }
            let answer = Answer.response(text("done"))
            return request.target == "/later"
                ? .later {
                    await gate.pass(); return answer
                }
                : .waiting {
                    await gate.pass(); return answer
                }
        }) { address, _ in
            let idle = try await RawClient(address)
            #expect(try await idle.ask(get("/")).status == 200)
            var clients: [RawClient] = []
            for number in 0..<counts[0] {
                let client = try await RawClient(address)
                clients.append(client)
                try await client.finish(sending: get(number < counts[1] ? "/later/wait" : "/later"))
                await gate.arrival()
            }
            gate.open()
            for client in clients {
                #expect(try await client.response().text == "done")
                #expect(try await client.untilClosed() == "")
            }
            #expect(try await idle.ask(get("/")).status == 200)
        }
    }

    /// The server stops reading from the connections while their responses are pending.
    @Test func noDeferredResponseIsLostWhileTheServerStops() async throws {
        let (block, gate) = (Block(), Gate())
        let handler: HTTPServer.Handler = { $0.target == "/later" ? gate.later(text("done")) : block.answer($0) }
        try await serve(handler: handler) { address, server in
            var clients: [RawClient] = []
            for _ in 0..<8 {
                let client = try await RawClient(address)
                #expect(try await client.ask(get("/")).status == 200)
                clients.append(client)
            }
            try await block.during(address) {
                for client in clients { try await client.send(get("/later")) }
                server.end(within: .seconds(3600))
            }
            for _ in clients { await gate.arrival() }
            gate.open()
            for client in clients {
                #expect(try await client.response().text == "done")
                #expect(try await client.untilClosed() == "")
            }
        }
    }

    @Test(arguments: ["", "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nabc"])
    func aConnectionIsClosedIfItIsHalfClosedBeforeItsRequestIsComplete(_ begun: String) async throws {
        let block = Block()
        try await serve(handler: block.answer) { address, _ in
            let client = try await RawClient(address)
            #expect(try await client.ask(get("/before")).status == 200)
            try await block.during(address) { try await client.finish(sending: begun) }
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aWaitingRequestIsAnsweredImmediatelyIfAHalfCloseArrivesWithIt() async throws {
        let (block, held) = (Block(), Gate())
        try await serve(handler: { request in
            guard request.target == "/wait" else { return block.answer(request) }
            return .waiting {
                await held.passWhenCancelled()
                return .response(text("so far"))
            }
        }) { address, _ in
            let client = try await RawClient(address)
            #expect(try await client.ask(get("/before")).status == 200)
            try await block.during(address) { try await client.finish(sending: get("/before") + get("/wait")) }
            #expect(try await client.response().status == 200)
            #expect(try await client.response().text == "so far")
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aStreamContinuesForAHalfClosedClient() async throws {
        let script = Script(.text("a"))
        try await serve(handler: play(["/stream": script])) { address, _ in
            let client = try await RawClient(address)
            try await client.finish(sending: get("/stream"))
            _ = try await client.response()
            #expect(try await client.chunk() == "a")
            await script.paused.pass()
            script.give(.text("b"), .end)
            #expect(try await client.chunks() == Array("b".utf8))
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aStreamSendsAHeartbeatWhenItsClientHalfClosesTheConnection() async throws {
        let script = Script()
        try await serve(handler: play(["/stream": script], heartbeat: .seconds(3600))) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/stream"))
            await script.paused.pass()
            try await client.finish()
            #expect(try await client.chunk() == ":\n\n")
            script.give(.text("more"), .end)
            #expect(try await client.chunks() == Array("more".utf8))
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test(arguments: [false, true])
    func aStreamSendsAHeartbeatEachSecondWhileItsConnectionIsHalfClosed(endsWithRequest: Bool) async throws {
        let (script, clock) = (Script(.text("a")), ManualClock())
        try await serve(handler: play(["/stream": script], heartbeat: .seconds(3600)), now: clock.now) { address, _ in
            let other = try await RawClient(address)
            var client: RawClient? = try await RawClient(address)
            if endsWithRequest { try await client?.finish(sending: get("/stream")) } else { try await client?.send(get("/stream")) }
            _ = try await client?.response()
            #expect(try await client?.chunk() == "a")
            await script.paused.pass()
            if !endsWithRequest {
                try await client?.finish()
                #expect(try await client?.chunk() == ":\n\n")
            }
            for _ in 0..<3 {
                clock.advance(by: .seconds(1))
                #expect(try await other.ask(get("/")).status == 200)
                #expect(try await client?.chunk() == ":\n\n")
            }
            // Releasing the client closes its socket.
            client = nil
            clock.advance(by: .seconds(1))
            #expect(try await other.ask(get("/")).status == 200)
            await script.over.pass()
        }
    }

    @Test func aStreamEndsImmediatelyWhenItsClientClosesTheConnection() async throws {
        let script = Script(.text("a"))
        try await serve(handler: play(["/stream": script], heartbeat: .seconds(3600))) { address, _ in
            var client: RawClient? = try await RawClient(address)
            _ = try await client?.ask(get("/stream"))
            #expect(try await client?.chunk() == "a")
            await script.paused.pass()
            // Releasing the client closes its socket. The socket has no unread bytes, so the connection is not reset.
            client = nil
            await script.over.pass()
        }
        #expect(script.endings == 1)
    }

    @Test func aStreamEndsWhenItsClientResetsTheConnection() async throws {
        let script = Script()
        try await serve(handler: play(["/stream": script])) { address, _ in
            var client: RawClient? = try await RawClient(address)
            _ = try await client?.ask(get("/stream"))
            await script.paused.pass()
            try await client?.leave()
            // Releasing the client closes its socket. Because `leave()` was called, closing the socket resets the connection.
            client = nil
            await script.over.pass()
        }
        #expect(script.endings == 1)
    }
}
