import Dispatch
import HTTPServer
import RawClient
import Synchronization
import Testing

/// A client leaves before it has its answer. What shows that the server looked for it is a waiting answer
/// that is cancelled, so a test that fails waits for good.
@Suite(.timeLimit(.minutes(1))) struct LeavingTests {
    private func serve(_ handler: @escaping HTTPServer.Handler, _ body: (BoundAddress) async throws -> Void) async throws {
        try await HTTPServerTests.serve(handler: handler) { address, _ in try await body(address) }
    }

    /// Waits at `held` until the client leaves, and tells `ended`.
    private static func wait(_ held: Gate, _ ended: Gate) -> Reply {
        .waiting {
            await withTaskCancellationHandler {
                // Only cancelling it ends this wait.
                await held.pass()
            } onCancel: {
                held.open()
            }
            ended.open()
            return .response(text("so far"))
        }
    }

    @Test func anAnswerThatNobodyMissesIsCancelledWhenItsClientHasLeft() async throws {
        let (held, ended) = (Gate(), Gate())
        try await serve({ _ in Self.wait(held, ended) }) { address in
            let client = try await RawClient(address)
            try await client.send(get("/"))
            await held.arrival()
            try await client.leave()
            await ended.pass()
        }
    }

    @Test func aClientThatClosesItsHalfIsAnsweredAtOnceThenClosed() async throws {
        let (held, ended) = (Gate(), Gate())
        try await serve({ _ in Self.wait(held, ended) }) { address in
            let client = try await RawClient(address)
            try await client.send(get("/"))
            await held.arrival()
            try await client.finish()
            #expect(try await client.response().text == "so far")
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aClientThatClosesItsHalfWithItsRequestIsAnsweredAtOnce() async throws {
        let (held, ended) = (Gate(), Gate())
        try await serve({ _ in Self.wait(held, ended) }) { address in
            let client = try await RawClient(address)
            try await client.send(get("/"))
            try await client.finish()
            #expect(try await client.response().text == "so far")
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aClientThatClosesItsHalfBeforeWorkThatOthersNeedIsAnswered() async throws {
        let gate = Gate()
        try await serve({ _ in
            .later {
                await gate.pass()
                return .response(text("done"))
            }
        }) { address in
            let client = try await RawClient(address)
            try await client.send(get("/"))
            await gate.arrival()
            try await client.finish()
            gate.open()
            #expect(try await client.response().text == "done")
        }
    }

    @Test func whoStaysIsAnsweredThoughOthersLeave() async throws {
        let (held, ended, answer) = (Gate(), Gate(), Gate())
        try await serve({ request in
            guard request.target == "/stays" else { return Self.wait(held, ended) }
            return .waiting {
                await answer.pass()
                return .response(text("here it is"))
            }
        }) { address in
            let (stays, leaves) = (try await RawClient(address), try await RawClient(address))
            try await stays.send(get("/stays"))
            await answer.arrival()
            try await leaves.send(get("/leaves"))
            await held.arrival()
            try await leaves.leave()
            await ended.pass()
            answer.open()
            #expect(try await stays.response().text == "here it is")
        }
    }

    @Test func whoLeavesWhileOthersAskIsMissedThoughNothingComesAfterwards() async throws {
        let (held, ended) = (Gate(), Gate())
        let (arrival, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try await serve({ request in
            if request.target == "/waits" { return Self.wait(held, ended) }
            if request.target == "/block" {
                arrival.signal()
                // Blocks the only loop, which tests alone may do.
                release.wait()
            }
            return .response(text("here it is"))
        }) { address in
            var others: [RawClient] = []
            for _ in 0..<3 {
                others.append(try await RawClient(address))
                #expect(try await others.last!.ask(get("/")).status == 200)
            }
            let leaves = try await RawClient(address, sending: get("/waits"))
            await held.arrival()
            try await others[0].send(get("/block"))
            await arrival.isSignalled()
            try await leaves.leave()
            for other in others[1...] { try await other.send(get("/")) }
            release.signal()
            for other in others { #expect(try await other.response().status == 200) }
            await ended.pass()
        }
    }

    @Test func whatOthersMayNeedGoesOnWithoutItsClient() async throws {
        let (held, ended, answer, done) = (Gate(), Gate(), Gate(), Gate())
        let wasCancelled = Atomic(false)
        try await serve({ request in
            guard request.target == "/done" else { return Self.wait(held, ended) }
            return .later {
                await answer.pass()
                wasCancelled.store(Task.isCancelled, ordering: .relaxed)
                done.open()
                return .response(text("done"))
            }
        }) { address in
            let (first, second) = (try await RawClient(address), try await RawClient(address))
            try await first.send(get("/done"))
            await answer.arrival()
            try await first.leave()
            try await second.send(get("/waits"))
            await held.arrival()
            try await second.leave()
            await ended.pass()
            answer.open()
            await done.pass()
            let isCancelled = wasCancelled.load(ordering: .relaxed)
            #expect(!isCancelled)
        }
    }
}
