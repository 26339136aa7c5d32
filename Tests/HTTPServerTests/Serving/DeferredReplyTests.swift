import HTTPServer
import RawClient
import Synchronization
import Testing

/// Tests of deferred replies. If an expected event does not come, a test fails at its time limit.
@Suite(.timeLimit(.minutes(1))) struct DeferredReplyTests {
    private static let replies: [String: @Sendable () -> Reply] = [
        "/now": { .response(text("now")) }, "/prepared": { .prepared(PreparedResponse(text("prepared"))) },
        "/later": { .later { .response(text("later")) } }, "/waiting": { .waiting { .response(text("waiting")) } },
        "/twice": { .deferred { .deferred { .later { .response(text("twice")) } } } },
    ]

    @Test func aDeferredReplyHasTheSameEffectAsAnImmediateReply() async throws {
        let handler: HTTPServer.Handler = { request in
            .deferred {
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

    @Test func aDeferredStreamIsSent() async throws {
        try await serve(handler: { _ in .deferred { .stream(Script(.text("a"), .text("b"), .end).response()) } }) { address, _ in
            let client = try await RawClient(address)
            try await client.send(get("/"))
            _ = try await client.response()
            #expect(String(decoding: try await client.chunks(), as: UTF8.self) == "ab")
        }
    }

    @Test func theInnerAndOuterObserversOfADeferredReplyAreEachNotifiedOnce() async throws {
        let (endings, note) = AsyncStream.makeStream(of: String.self)
        let handler: HTTPServer.Handler = { request in
            let found = Self.replies[request.target]!
            return Reply.deferred { found().observed { _ in note.yield("within") } }
                .marked("a")
                .observed { note.yield("around \($0.status ?? 0)") }
        }
        try await serve(handler: handler) { address, server in
            let client = try await RawClient(address)
            for target in Self.replies.keys { #expect(try await client.ask(get(target)).headers["Mark"] == "a") }
            await server.stop(grace: .zero)
        }
        note.finish()
        let received = await endings.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        // The outer observer is called once for each request, even if a deferred reply returns another deferred reply.
        #expect(received == ["within": Self.replies.count, "around 200": Self.replies.count])
    }

    @Test func aHalfCloseCancelsAWaitingReplyReturnedByADeferredReply() async throws {
        let (first, held, ended) = (Gate(), Gate(), Gate())
        let handler: HTTPServer.Handler = { _ in
            .deferred {
                await first.pass()
                return .waiting {
                    await held.passWhenCancelled()
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

    @Test(arguments: [get("/"), "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nabc"])
    func aStoppingServerDoesNotWaitForDeferredReplies(_ request: String) async throws {
        let held = Gate()
        try await serve(handler: { _ in
            .deferred {
                await held.passWhenCancelled()
                return .response(text("late"))
            }
        }) { address, server in
            let client = try await RawClient(address)
            try await client.send(request)
            await held.arrival()
            await server.stop(grace: .zero)
            #expect(try await client.untilClosed() == "")
        }
    }
}
