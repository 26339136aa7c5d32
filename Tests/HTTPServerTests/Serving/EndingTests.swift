import HTTPServer
import RawClient
import Synchronization
import Testing

/// Tests of the outcomes that are reported to the observers of responses. If an expected event does not come, a test fails at its time
/// limit.
@Suite(.timeLimit(.minutes(1))) struct EndingTests {
    /// A record of the reported outcomes, in the order of the reports.
    private final class Endings: Sendable {
        private let (stream, continuation) = AsyncStream.makeStream(of: Reply.Ending.self)
        private let count = Atomic(0)

        @Sendable func note(_ ending: Reply.Ending) {
            count.add(1, ordering: .relaxed)
            continuation.yield(ending)
        }

        var next: Reply.Ending? {
            get async { await stream.first { _ in true } }
        }

        var total: Int { count.load(ordering: .relaxed) }
    }

    private func serve(
        _ handler: @escaping HTTPServer.Handler,
        _ body: (BoundAddress, HTTPServer, Endings) async throws -> Void
    ) async throws {
        let endings = Endings()
        try await HTTPServerTests.serve(handler: { handler($0).observed(endings.note) }) { address, server in
            try await body(address, server, endings)
        }
    }

    @Test func eachSentResponseIsReportedToObserversExactlyOnceAndAsComplete() async throws {
        let replies: [String: Reply] = [
            "/now": .response(text("now")), "/prepared": .prepared(PreparedResponse(text("prepared"))),
            "/later": .later { .response(Response(status: 404)) },
            "/stream": .stream(Script(.text("a"), .end).response()),
        ]
        try await serve({ replies[$0.target]! }) { address, server, endings in
            let client = try await RawClient(address)
            for (target, status) in [("/now", 200), ("/prepared", 200), ("/later", 404), ("/stream", 200)] {
                #expect(try await client.ask(get(target)).status == status)
                if target == "/stream" { _ = try await client.chunks() }
                #expect(await endings.next == Reply.Ending(status: status, isComplete: true), "\(target)")
            }
            await server.stop(grace: .zero)
            #expect(endings.total == 4)
        }
    }

    @Test func observersReceiveNoStatusIfTheConnectionIsClosedBeforeTheResponse() async throws {
        let held = Gate()
        try await serve({ _ in held.later(text("late")) }) { address, server, endings in
            let client = try await RawClient(address)
            try await client.send(get("/"))
            await held.arrival()
            await server.stop(grace: .zero)
            #expect(await endings.next == Reply.Ending(status: nil, isComplete: false))
            held.open()
            #expect(endings.total == 1)
        }
    }

    @Test func aResponseToADisconnectedClientIsReportedToObserversAsIncomplete() async throws {
        let held = Gate()
        let long = Response(status: 201, body: [UInt8](repeating: 0, count: 1 << 26))
        try await serve({ _ in held.later(long) }) { address, server, endings in
            let client = try await RawClient(address)
            try await client.send(get("/"))
            await held.arrival()
            try await client.leave()
            held.open()
            #expect(await endings.next == Reply.Ending(status: 201, isComplete: false))
            await server.stop(grace: .zero)
            #expect(endings.total == 1)
        }
    }

    @Test func anInterruptedResponseIsReportedToObserversAsIncomplete() async throws {
        try await serve({ _ in .stream(Script(.text("a")).response()) }) { address, server, endings in
            let client = try await RawClient(address)
            #expect(try await client.ask(get("/")).status == 200)
            await server.stop(grace: .zero)
            #expect(await endings.next == Reply.Ending(status: 200, isComplete: false))
            #expect(endings.total == 1)
        }
    }

    @Test func allObserversOfAResponseAreNotified() async throws {
        let (first, second) = (Endings(), Endings())
        try await HTTPServerTests.serve(handler: { echo($0).observed(first.note).observed(second.note) }) { address, _ in
            _ = try await RawClient(address).ask(get("/"))
            #expect(await first.next == second.next)
        }
    }

    @Test func aClientReceives500WithoutDetailIfTheComputationOfItsResponseFails() async throws {
        struct Secret: Error {}
        try await serve({ _ in .later { throw Secret() } }) { address, _, endings in
            let answer = try await RawClient(address).ask(get("/"))
            #expect(answer.status == 500)
            #expect(answer.text == "Something went wrong here.\n")
            #expect(await endings.next == Reply.Ending(status: 500, isComplete: true))
        }
    }
}
