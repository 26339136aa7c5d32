import Dispatch
import RawClient
import Testing

@testable import HTTPServer

/// A client that sends no more is closed when it has its answers. No deadline comes to help, so a test that fails waits
/// for good.
@Suite(.timeLimit(.minutes(1))) struct HalfClosedTests {
    /// Lets all that clients sent come to the only loop in one go.
    private struct Block {
        private let arrival = DispatchSemaphore(value: 0)
        private let release = DispatchSemaphore(value: 0)

        /// Blocks the loop, which tests alone may do.
        func answer(_ request: Request) -> Reply {
            if request.target == "/block" {
                arrival.signal()
                release.wait()
            }
            return echo(request)
        }

        func during(_ address: BoundAddress, _ body: () async throws -> Void) async throws {
            let client = try await RawClient(address, sending: get("/block", "Connection: close"))
            await arrival.isSignalled()
            do { try await body() } catch {
                release.signal()
                throw error
            }
            release.signal()
            _ = try await client.untilClosed()
        }
    }

    @Test(arguments: [0, 1]) func anEndThatComesWithTheRequestClosesBehindTheAnswer(requestsBefore: Int) async throws {
        let block = Block()
        try await serve(handler: block.answer) { address, _ in
            let client = try await RawClient(address)
            for _ in 0..<requestsBefore { #expect(try await client.ask(get("/before")).status == 200) }
            try await block.during(address) { try await client.finish(sending: get("/last")) }
            #expect(try await client.response().text == "GET /last ")
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func anEndThatComesRightBehindTheRequestClosesBehindTheAnswer() async throws {
        try await serve { address, _ in
            for _ in 0..<100 {
                let client = try await RawClient(address)
                try await client.finish(sending: get("/"))
                #expect(try await client.response().text == "GET / ")
                #expect(try await client.untilClosed() == "")
            }
        }
    }

    @Test func allThatCameBeforeTheEndIsAnswered() async throws {
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

    @Test func anEndDuringARequestClosesBehindItsAnswer() async throws {
        let gate = Gate()
        try await serve(handler: { _ in
            .later {
                await gate.pass()
                return .response(text("done"))
            }
        }) { address, _ in
            let client = try await RawClient(address)
            try await client.send(get("/"))
            await gate.arrival()
            try await client.finish()
            gate.open()
            #expect(try await client.response().text == "done")
            #expect(try await client.untilClosed() == "")
        }
    }

    /// Alone on its loop a connection gets its answer by chance: the library looks first at the one that was idle longest.
    @Test(arguments: [[1, 0], [2, 1], [8, 1], [8, 8]]) func noAnswerThatComesLaterIsLostBesideOthers(_ counts: [Int]) async throws {
        let gate = Gate()
        try await serve(handler: { request in
            guard request.target.hasPrefix("/later") else { return echo(request) }
            let answer = Answer.response(text("done"))
            return request.target == "/later" ? .later { await gate.pass(); return answer } : .waiting { await gate.pass(); return answer }
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

    /// Its connection is retired by the drain while it is answered.
    @Test func noAnswerThatComesLaterIsLostWhileTheServerStops() async throws {
        let (block, gate) = (Block(), Gate())
        try await serve(handler: { request in
            guard request.target == "/later" else { return block.answer(request) }
            return .later {
                await gate.pass()
                return .response(text("done"))
            }
        }) { address, server in
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
    func anEndWithinARequestCloses(_ begun: String) async throws {
        let block = Block()
        try await serve(handler: block.answer) { address, _ in
            let client = try await RawClient(address)
            #expect(try await client.ask(get("/before")).status == 200)
            try await block.during(address) { try await client.finish(sending: begun) }
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func anAnswerThatWaitsIsGivenWhatThereIsWhenTheEndCameWithItsRequest() async throws {
        let (block, held) = (Block(), Gate())
        try await serve(handler: { request in
            guard request.target == "/wait" else { return block.answer(request) }
            return .waiting {
                await withTaskCancellationHandler { await held.pass() } onCancel: { held.open() }
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

    @Test func aStreamGoesOnForWhoStillReads() async throws {
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

    @Test func aStreamWhoseClientSendsNoMoreIsSentAHeartbeatAtOnceAndGoesOn() async throws {
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
    func aStreamWhoseClientSendsNoMoreIsSentAHeartbeatEachSecondUntilTheClientCloses(endsWithRequest: Bool) async throws {
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
            // Letting it go closes its socket.
            client = nil
            clock.advance(by: .seconds(1))
            #expect(try await other.ask(get("/")).status == 200)
            await script.over.pass()
        }
    }

    @Test func aStreamEndsAtOnceWhenItsClientCloses() async throws {
        let script = Script(.text("a"))
        try await serve(handler: play(["/stream": script], heartbeat: .seconds(3600))) { address, _ in
            var client: RawClient? = try await RawClient(address)
            _ = try await client?.ask(get("/stream"))
            #expect(try await client?.chunk() == "a")
            await script.paused.pass()
            // Letting it go closes its socket. Nothing is unread in it, so it is not reset.
            client = nil
            await script.over.pass()
        }
        #expect(script.endings == 1)
    }

    @Test func aStreamEndsWhenItsClientIsReset() async throws {
        let script = Script()
        try await serve(handler: play(["/stream": script])) { address, _ in
            var client: RawClient? = try await RawClient(address)
            _ = try await client?.ask(get("/stream"))
            await script.paused.pass()
            try await client?.leave()
            // Letting it go closes its socket, which makes the reset.
            client = nil
            await script.over.pass()
        }
        #expect(script.endings == 1)
    }
}
