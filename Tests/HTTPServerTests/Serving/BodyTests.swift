import RawClient
import Synchronization
import Testing

@testable import HTTPServer

/// Tests of request bodies, which the server reads only after the handler has requested them. If an expected event does not come,
/// a test fails at its time limit.
@Suite(.timeLimit(.minutes(1))) struct BodyTests {
    private let metrics = HTTPServer.Metrics()

    /// Limits the memory of all bodies to ten bytes.
    private static func tenBytes(_ configuration: inout HTTPServer.Configuration) {
        configuration.maximumBodyBytesInAll = 10
        configuration.admittedBodyBytes = 0
    }

    private func post(_ length: Int, to target: String = "/", _ fields: String...) -> String {
        let more = fields.map { "\($0)\r\n" }.joined()
        return "POST \(target) HTTP/1.1\r\nHost: test\r\nContent-Length: \(length)\r\n\(more)\r\n"
    }

    /// Waits until all bodies together use at least this number of bytes.
    private func waitUntilBodiesUse(_ bytes: Int) async {
        while metrics.current.bodyBytes < bytes { await Task.yield() }
    }

    private func waitUntilBodiesUseNothing() async {
        while metrics.current.bodyBytes > 0 { await Task.yield() }
    }

    @Test func theHandlerIsCalledOnlyOnceAndBeforeTheWholeBodyHasArrived() async throws {
        let gate = Gate()
        let calls = Mutex(0)
        let handler: HTTPServer.Handler = { request in
            calls.withLock { $0 += 1 }
            gate.open()
            return echo(request)
        }
        try await serve(handler: handler) { address, _ in
            let client = try await RawClient(address, sending: post(5) + "ab")
            await gate.pass()
            #expect(try await client.ask("cde").text == "POST / abcde")
            #expect(calls.withLock { $0 } == 1)
        }
    }

    @Test(arguments: ["GET", "POST", "HEAD"], [false, true])
    func anUnreadBodyUsesNoMemoryAndItsConnectionStaysOpen(_ method: String, isLater: Bool) async throws {
        let handler: HTTPServer.Handler = { request in
            if request.target == "/next" { return echo(request) }
            return isLater ? .later { .response(text("here")) } : .response(text("here"))
        }
        try await serve(metrics: metrics, handler: handler) { address, _ in
            let (client, other) = (try await RawClient(address), try await RawClient(address))
            let body = String(repeating: "b", count: 100_000)
            try await client.send("\(method) / HTTP/1.1\r\nHost: test\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body.dropLast())
            for _ in 0..<100 {
                #expect(try await other.ask(get("/next")).status == 200)
                #expect(metrics.current.bodyBytes == 0)
            }
            try await client.send("b")
            #expect(try await client.response(hasBody: method != "HEAD").status == 200)
            #expect(try await client.ask(get("/next")).text == "GET /next ")
        }
    }

    @Test func theMemoryUsedByABodyGrowsAsItsBytesAreReceived() async throws {
        try await serve(metrics: metrics) { address, _ in
            let (client, other) = (try await RawClient(address, sending: post(1 << 20)), try await RawClient(address))
            #expect(try await other.ask(get("/")).status == 200)
            #expect(metrics.current.bodyBytes == 0)
            var sent = 0
            for count in [1, 999, 99_000, 1 << 20 - 100_000] {
                try await client.send(String(repeating: "b", count: count))
                sent += count
                if sent == 1 << 20 { break }
                await waitUntilBodiesUse(sent)
                #expect(metrics.current.bodyBytes <= min(2 * sent, sent + 64 << 10))
            }
            #expect(try await client.response().body.count == "POST / ".utf8.count + 1 << 20)
            #expect(metrics.current == HTTPServer.Metrics.Counts())
        }
    }

    @Test func aBodyLargerThanTheRemainingMemoryIsRejectedAndTheConnectionStaysOpen() async throws {
        let performed = Mutex<[String]>([])
        let handler: HTTPServer.Handler = { request in
            Reply.reading { body in
                let text = String(decoding: try body.get(), as: UTF8.self)
                performed.withLock { $0.append(text) }
                return .response(HTTPServerTests.text(text))
            }
            .marked("a")
            .recovering { .response(($0 as? Refusal).map(problem) ?? .unforeseen) }
            .marked("b")
        }
        try await serve(Self.tenBytes, metrics: metrics, handler: handler) { address, _ in
            let first = try await RawClient(address, sending: post(8) + "abcdef")
            await waitUntilBodiesUse(6)
            let second = try await RawClient(address)
            for pieces in [["ghijklm"], ["ghi", "jklm"]] {
                try await second.send(post(7))
                for piece in pieces { try await second.send(piece) }
                let answer = try await second.response()
                #expect(answer.status == 503)
                #expect(answer.headers.values(of: "Mark") == ["b"])
                #expect(try await second.ask(get("/")).status == 200)
            }
            #expect(metrics.current.rejectedBodies == 2)
            #expect(try await first.ask("gh").text == "abcdefgh")
            #expect(try await second.ask(post(7) + "ghijklm").text == "ghijklm")
            #expect(performed.withLock { $0 } == ["", "", "abcdefgh", "ghijklm"])
        }
    }

    /// The limit of each caller is 8 bytes, which is also the maximum length of a body.
    @Test func aCallerAtItsBodyLimitDoesNotPreventOtherCallersFromSendingBodies() async throws {
        let handler: HTTPServer.Handler = { request in
            .reading(countedFor: request.target) { .response(HTTPServerTests.text(String(decoding: try $0.get(), as: UTF8.self))) }
                .recovering { .response(($0 as? Refusal).map(problem) ?? .unforeseen) }
        }
        let configure = { (configuration: inout HTTPServer.Configuration) in
            configuration.maximumBodyBytes = 8
            configuration.maximumBodyBytesInAll = 16
            configuration.admittedBodyBytes = 2
        }
        try await serve(configure, metrics: metrics, handler: handler) { address, _ in
            let held = try await RawClient(address, sending: post(8, to: "/a") + "abcdef")
            await waitUntilBodiesUse(6)
            let client = try await RawClient(address)
            #expect(try await client.ask(post(7, to: "/a") + "ghijklm").status == 429)
            #expect(try await client.ask(post(2, to: "/a") + "gh").text == "gh")
            #expect(try await client.ask(post(8, to: "/b") + "ghijklmn").text == "ghijklmn")
            let other = try await RawClient(address, sending: post(8, to: "/b") + "ghijklm")
            await waitUntilBodiesUse(13)
            let third = try await RawClient(address, sending: post(8, to: "/c") + "abcdef")
            await waitUntilBodiesUse(19)
            #expect(try await client.ask(post(8, to: "/d") + "ghijklmn").status == 503)
            #expect(try await client.ask(post(2, to: "/d") + "gh").text == "gh")
            #expect(metrics.current.rejectedBodies == 2)
            #expect(try await held.ask("gh").text == "abcdefgh")
            #expect(try await other.ask("n").text == "ghijklmn")
            #expect(try await third.ask("gh").text == "abcdefgh")
            #expect(try await client.ask(post(8, to: "/a") + "ghijklmn").text == "ghijklmn")
            await waitUntilBodiesUseNothing()
        }
    }

    @Test(arguments: [false, true]) func aBodyOverTheLimitSetByTheHandlerIsRejectedBeforeItIsReceived(isDeferred: Bool) async throws {
        let handler: HTTPServer.Handler = { request in
            let reply = Reply.reading(limit: 5) { .response(HTTPServerTests.text(String(decoding: try $0.get(), as: UTF8.self))) }
                .recovering { .response(($0 as? Refusal).map(problem) ?? .unforeseen) }
            return isDeferred ? .deferred { reply } : reply
        }
        try await serve(metrics: metrics, handler: handler) { address, _ in
            let client = try await RawClient(address)
            #expect(try await client.ask(post(5) + "abcde").text == "abcde")
            #expect(try await client.ask(post(6) + "abcdef").status == 413)
            #expect(try await client.ask(post(5) + "abcde").text == "abcde")
            let waiting = try await RawClient(address, sending: post(6, "Expect: 100-continue"))
            #expect(try await waiting.response().status == 413)
            #expect(try await waiting.untilClosed() == "")
            #expect(metrics.current == HTTPServer.Metrics.Counts())
        }
    }

    @Test func aBodyUsesMemoryUntilItsResponseIsReady() async throws {
        let gate = Gate()
        let handler: HTTPServer.Handler = { request in
            guard request.target == "/held" else {
                return echo(request).recovering { .response(($0 as? Refusal).map(problem) ?? .unforeseen) }
            }
            return .reading { _ in gate.later(text("done")) }
        }
        try await serve(Self.tenBytes, metrics: metrics, handler: handler) { address, _ in
            let held = try await RawClient(address, sending: post(6, to: "/held") + "abcdef")
            await gate.arrival()
            let other = try await RawClient(address)
            #expect(try await other.ask(post(6) + "abcdef").status == 503)
            gate.open()
            #expect(try await held.response().text == "done")
            #expect(try await other.ask(post(6) + "abcdef").text == "POST / abcdef")
        }
    }

    @Test func theMemoryOfABodyIsReleasedWhenItsClientDisconnects() async throws {
        try await serve(metrics: metrics) { address, _ in
            let client = try await RawClient(address, sending: post(8) + "abc")
            await waitUntilBodiesUse(3)
            try await client.leave()
            await waitUntilBodiesUseNothing()
        }
    }

    @Test(arguments: [false, true])
    func aResponseIsSentInsteadOfStatus100IfTheBodyIsNotRead(isLater: Bool) async throws {
        let reply: @Sendable () -> Reply = { isLater ? .later { .response(text("here")) } : .response(text("here")) }
        for handler in [{ _ in reply() }, { _ in .deferred { reply() } }] as [HTTPServer.Handler] {
            try await serve(handler: handler) { address, _ in
                let client = try await RawClient(address, sending: post(5, "Expect: 100-continue"))
                let answer = try await client.response()
                #expect(answer.text == "here")
                #expect(answer.headers["Connection"] == "close")
                #expect(try await client.untilClosed() == "")
            }
        }
    }

    @Test(arguments: [false, true]) func status100IsSentBeforeTheResponseIfTheBodyIsRead(isDeferred: Bool) async throws {
        let gate = Gate()
        let handler: HTTPServer.Handler = { request in
            gate.open()
            return isDeferred ? .deferred { echo(request) } : echo(request)
        }
        try await serve(handler: handler) { address, _ in
            let client = try await RawClient(address, sending: post(5, "Expect: 100-continue"))
            await gate.pass()
            #expect(try await client.response().status == 100)
            #expect(try await client.ask("abcde").text == "POST / abcde")
            #expect(try await client.ask(get("/next")).text == "GET /next ")
        }
    }

    @Test(arguments: [1, 5, 50_000], [false, true])
    func aBodyIsReadIfADeferredReplyRequestsIt(_ count: Int, isSentTogether: Bool) async throws {
        let gate = Gate()
        let handler: HTTPServer.Handler = { request in
            .deferred {
                await gate.pass(); return echo(request)
            }
        }
        try await serve(handler: handler) { address, _ in
            let body = String(repeating: "b", count: count)
            let client = try await RawClient(address)
            try await client.send(post(count) + (isSentTogether ? body + get("/next") : ""))
            await gate.arrival()
            gate.open()
            if !isSentTogether { try await client.send(body + get("/next")) }
            #expect(try await client.response().text == "POST / \(body)")
            #expect(try await client.response().text == "GET /next ")
        }
    }

    @Test(arguments: [1, 5000, 50_000]) func aBodyFollowedByAHalfCloseIsReadIfADeferredReplyRequestsIt(_ count: Int) async throws {
        let gate = Gate()
        let handler: HTTPServer.Handler = { request in
            request.target == "/"
                ? .deferred {
                    await gate.pass(); return echo(request)
                } : echo(request)
        }
        try await serve(handler: handler) { address, _ in
            let body = String(repeating: "b", count: count)
            let client = try await RawClient(address)
            try await client.finish(sending: post(count) + body)
            await gate.arrival()
            let other = try await RawClient(address)
            #expect(try await other.ask(get("/other")).status == 200)
            gate.open()
            #expect(try await client.response().text == "POST / \(body)")
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aDeferredReplyThatReadsAnIncompleteBodyClosesAHalfClosedConnection() async throws {
        let gate = Gate()
        let handler: HTTPServer.Handler = { request in
            .deferred {
                await gate.pass(); return echo(request)
            }
        }
        try await serve(handler: handler) { address, _ in
            let client = try await RawClient(address)
            try await client.finish(sending: post(5) + "abc")
            await gate.arrival()
            gate.open()
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aConnectionStaysOpenIfADeferredReplyRejectsARequestWithABody() async throws {
        let handler: HTTPServer.Handler = { request in
            request.target == "/" ? .deferred { .later { .response(Response(status: 401)) } } : echo(request)
        }
        try await serve(metrics: metrics, handler: handler) { address, _ in
            let client = try await RawClient(address)
            for _ in 0..<3 {
                #expect(try await client.ask(post(50_000) + String(repeating: "b", count: 50_000)).status == 401)
                #expect(try await client.ask(get("/next")).text == "GET /next ")
            }
        }
    }

    @Test func aClientReceives500WithoutDetailIfABodyHandlerThrowsAnError() async throws {
        struct Secret: Error {}
        try await serve(handler: { _ in .reading { _ in throw Secret() } }) { address, _ in
            let client = try await RawClient(address)
            for _ in 0..<2 {
                let answer = try await client.ask(post(3) + "abc")
                #expect(answer.status == 500)
                #expect(answer.text == "Something went wrong here.\n")
            }
        }
    }

    @Test(arguments: [true, false]) func observersAreNotifiedIfAClientDisconnectsWhileItSendsARequestBody(isRead: Bool) async throws {
        let (called, ended) = (Gate(), Gate())
        let handler: HTTPServer.Handler = { request in
            called.open()
            return (isRead ? echo(request) : .response(text("here"))).observed { ending in
                #expect(ending == Reply.Ending(status: nil, isComplete: false))
                ended.open()
            }
        }
        try await serve(handler: handler) { address, _ in
            let client = try await RawClient(address, sending: post(5) + "abc")
            await called.pass()
            try await client.leave()
            await ended.pass()
        }
    }

    @Test func theHandlerReceivesAnEmptyBodyIfTheRequestHasNoBody() async throws {
        try await serve { address, _ in
            let client = try await RawClient(address)
            #expect(try await client.ask(post(0)).text == "POST / ")
            #expect(try await client.ask("POST / HTTP/1.1\r\nHost: test\r\n\r\n").text == "POST / ")
        }
    }
}
