import HTTPServer
import RawClient
import Synchronization
import Testing

/// Tests of clients that disconnect before they receive their responses. A test waits until the task of the response is
/// cancelled, so a failing test ends only at its time limit.
@Suite(.timeLimit(.minutes(1))) struct LeavingTests {
    private func serve(_ handler: @escaping HTTPServer.Handler, _ body: (BoundAddress) async throws -> Void) async throws {
        try await HTTPServerTests.serve(handler: handler) { address, _ in try await body(address) }
    }

    /// Returns a reply that waits until its task is cancelled or the gate `held` is opened. The reply then opens the gate `ended`.
    private static func wait(_ held: Gate, _ ended: Gate) -> Reply {
        .waiting {
            await held.passWhenCancelled()
            ended.open()
            return .response(text("so far"))
        }
    }

    @Test func aWaitingRequestIsCancelledWhenItsClientDisconnects() async throws {
        let (held, ended) = (Gate(), Gate())
        try await serve({ _ in Self.wait(held, ended) }) { address in
            let client = try await RawClient(address)
            try await client.send(get("/"))
            await held.arrival()
            try await client.leave()
            await ended.pass()
        }
    }

    @Test func aWaitingRequestOfAHalfClosedClientIsAnsweredAndItsConnectionIsClosed() async throws {
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

    @Test func aWaitingRequestIsAnsweredEvenIfAnotherClientDisconnects() async throws {
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

    @Test func aDisconnectIsDetectedWhileOtherConnectionsAreServed() async throws {
        let (held, ended, block) = (Gate(), Gate(), Block())
        try await serve({ $0.target == "/waits" ? Self.wait(held, ended) : block.answer($0) }) { address in
            var others: [RawClient] = []
            for _ in 0..<3 {
                others.append(try await RawClient(address))
                #expect(try await others.last!.ask(get("/")).status == 200)
            }
            let leaves = try await RawClient(address, sending: get("/waits"))
            await held.arrival()
            try await others[0].send(get("/block"))
            await block.hasBegun()
            try await leaves.leave()
            for other in others[1...] { try await other.send(get("/")) }
            block.end()
            for other in others { #expect(try await other.response().status == 200) }
            await ended.pass()
        }
    }

    @Test func theTaskThatComputesAResponseIsNotCancelledWhenTheClientDisconnects() async throws {
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
