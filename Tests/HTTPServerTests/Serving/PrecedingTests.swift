import HTTPServer
import RawClient
import Synchronization
import Testing

/// Replies that are found by work that comes first. A test that fails waits for good.
@Suite(.timeLimit(.minutes(1))) struct PrecedingTests {
    private static let replies: [String: @Sendable () -> Reply] = [
        "/now": { .response(text("now")) }, "/prepared": { .prepared(PreparedResponse(text("prepared"))) },
        "/later": { .later { .response(text("later")) } }, "/waiting": { .waiting { .response(text("waiting")) } },
        "/twice": { .preceded { .preceded { .later { .response(text("twice")) } } } },
    ]

    @Test func whatIsFoundIsAnsweredAsIfItHadBeenReturnedAtOnce() async throws {
        let handler: HTTPServer.Handler = { request in
            .preceded {
                await Task.yield()
                return Self.replies[request.target]!()
            }
        }
        try await serve({ $0.loops = 2 }, handler: handler) { address, _ in
            try await withThrowingTaskGroup { group in
                for _ in 0..<16 {
                    group.addTask {
                        let client = try await RawClient(address)
                        for target in Self.replies.keys {
                            #expect(try await client.ask(get(target)).text == target.dropFirst())
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func aStreamThatIsFoundIsSent() async throws {
        try await serve(handler: { _ in .preceded { .stream(Script(.text("a"), .text("b"), .end).response()) } }) { address, _ in
            let client = try await RawClient(address)
            try await client.send(get("/"))
            _ = try await client.response()
            #expect(String(decoding: try await client.chunks(), as: UTF8.self) == "ab")
        }
    }

    @Test func whoObservesHearsOfTheEndOnceWhetherItCameFirstOrLater() async throws {
        let (endings, note) = AsyncStream.makeStream(of: String.self)
        let handler: HTTPServer.Handler = { request in
            let found = Self.replies[request.target]!
            return Reply.preceded { found().observed { _ in note.yield("within") } }
                .map { answer in
                    var answer = answer
                    answer.headers.append("Mark", "a")
                    return answer
                }
                .observed { note.yield("around \($0.status ?? 0)") }
        }
        try await serve(handler: handler) { address, server in
            let client = try await RawClient(address)
            for target in Self.replies.keys { #expect(try await client.ask(get(target)).headers["Mark"] == "a") }
            await server.stop(grace: .zero)
        }
        note.finish()
        let heard = await endings.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        // Of two that follow each other, the outer is told of once, too.
        #expect(heard == ["within": Self.replies.count, "around 200": Self.replies.count])
    }

    @Test func whatIsFoundForAClientThatHasLeftIsNotWaitedFor() async throws {
        let (first, held, ended) = (Gate(), Gate(), Gate())
        let handler: HTTPServer.Handler = { _ in
            .preceded {
                await first.pass()
                return .waiting {
                    await withTaskCancellationHandler { await held.pass() } onCancel: { held.open() }
                    ended.open()
                    return .response(text("so far"))
                }
            }
        }
        try await serve(handler: handler) { address, _ in
            let client = try await RawClient(address)
            try await client.send(get("/"))
            await first.arrival()
            try await client.finish()
            first.open()
            #expect(try await client.response().text == "so far")
            await ended.pass()
        }
    }

    @Test func aServerThatStopsDoesNotWaitForWhatComesFirst() async throws {
        let held = Gate()
        try await serve(handler: { _ in
            .preceded {
                await withTaskCancellationHandler { await held.pass() } onCancel: { held.open() }
                return .response(text("late"))
            }
        }) { address, server in
            let client = try await RawClient(address)
            try await client.send(get("/"))
            await held.arrival()
            await server.stop(grace: .zero)
            #expect(try await client.untilClosed() == "")
        }
    }
}
