import HTTPServer
import RawClient
import Testing

@Suite struct StreamingTests {
    /// Larger than every buffer on its way, and without a period that a mistake could hide in.
    private static let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }

    @Test func partsArriveInOrderAndExactly() async throws {
        let script = Script(.text("one"), .text("two"), .text("three"), .end)
        try await serve(handler: play(["/stream": script])) { address, _ in
            let client = try await RawClient(address)
            let head = try await client.ask(get("/stream"))
            #expect(head.status == 200)
            #expect(head.headers["Content-Type"] == "text/event-stream")
            #expect(head.headers["Transfer-Encoding"] == "chunked")
            for part in ["one", "two", "three", ""] { #expect(try await client.chunk() == part) }
        }
        #expect(script.endings == 1)
    }

    @Test func aPartThatIsLargerThanEveryBufferArrivesWhole() async throws {
        let script = Script(.part(Self.large), .text("small"), .end)
        try await serve(handler: play(["/stream": script])) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/stream"))
            let body = try await client.chunks()
            let isWhole = body == Self.large + Array("small".utf8)
            #expect(isWhole)
        }
    }

    @Test func anEmptyPartIsAPause() async throws {
        let script = Script(.part([]))
        try await serve(handler: play(["/stream": script])) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/stream"))
            _ = try await RawClient(address).ask(get("/"))
            #expect(script.questions == 1)
            script.give(.text("more"), .end)
            #expect(try await client.chunks() == Array("more".utf8))
        }
    }

    @Test func aPausedStreamIsWoken() async throws {
        let script = Script()
        try await serve(handler: play(["/stream": script])) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/stream"))
            for part in ["first", "second", "third"] {
                await script.paused.pass()
                script.give(.text(part))
                #expect(try await client.chunk() == part)
            }
            script.give(.end)
            #expect(try await client.chunk() == "")
        }
    }

    @Test func aWakeBeforeThePauseIsNotLost() async throws {
        let body = WakesBeforeItPauses()
        let response = StreamingResponse { waker in
            body.begin(waker)
            return body
        }
        try await serve(handler: { _ in .stream(response) }) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/stream"))
            #expect(try await client.chunks() == Array("woken".utf8))
        }
    }

    @Test func aConnectionIsUsedAgainAfterAStream() async throws {
        let scripts = ["/first": Script(.text("one"), .end), "/second": Script(.text("two"), .end)]
        try await serve(handler: play(scripts)) { address, _ in
            let client = try await RawClient(address)
            for (target, body) in [("/first", "one"), ("/second", "two")] {
                _ = try await client.ask(get(target))
                #expect(try await client.chunks() == Array(body.utf8))
                #expect(try await client.ask(get("/")).text == "GET / ")
            }
        }
    }

    @Test func wakesAfterTheEndDoNothing() async throws {
        let (first, second) = (Script(.end), Script())
        try await serve(handler: play(["/first": first, "/second": second])) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/first"))
            #expect(try await client.chunk() == "")
            _ = try await client.ask(get("/second"))
            await second.paused.pass()
            for _ in 0..<100 { first.wake() }
            _ = try await RawClient(address).ask(get("/"))
            #expect(second.questions == 1)
            second.give(.end)
            #expect(try await client.chunk() == "")
            #expect(second.questions == 2)
            #expect(first.questions == 1)
        }
        for script in [first, second] {
            script.wake()
            #expect(script.endings == 1)
        }
    }

    @Test func aFloodOfWakesDoesNoHarm() async throws {
        let script = Script()
        try await serve(handler: play(["/stream": script])) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/stream"))
            await script.paused.pass()
            for _ in 0..<10_000 { script.wake() }
            _ = try await RawClient(address).ask(get("/"))
            script.give(.text("still there"), .end)
            #expect(try await client.chunks() == Array("still there".utf8))
        }
    }

    @Test func manyStreamsThatAreWokenAtOnceAllGetThePart() async throws {
        let scripts = (0..<300).map { _ in Script() }
        let byTarget = Dictionary(uniqueKeysWithValues: scripts.enumerated().map { ("/\($0)", $1) })
        try await serve({ $0.loops = 2 }, handler: play(byTarget)) { address, _ in
            var clients: [RawClient] = []
            for number in scripts.indices {
                let client = try await RawClient(address)
                _ = try await client.ask(get("/\(number)"))
                clients.append(client)
            }
            for script in scripts { await script.paused.pass() }
            for script in scripts { script.give(.text("all"), .end) }
            for client in clients { #expect(try await client.chunks() == Array("all".utf8)) }
        }
        #expect(scripts.allSatisfy { $0.endings == 1 })
    }

    @Test func http10GetsTheBodyUntilTheConnectionCloses() async throws {
        let script = Script(.part(Self.large), .text("the end"), .end)
        try await serve(handler: play(["/stream": script])) { address, _ in
            let client = try await RawClient(address)
            try await client.send("GET /stream HTTP/1.0\r\n\r\n")
            let head = try await client.response()
            #expect(head.headers["Transfer-Encoding"] == nil)
            let body = try await client.rest()
            // Not compared within the expectation, which would look for what differs among millions of bytes.
            let isWhole = body == Self.large + Array("the end".utf8)
            #expect(isWhole)
        }
        #expect(script.endings == 1)
    }

    @Test func aStreamMayAnswerLater() async throws {
        let script = Script(.text("late"), .end)
        let handler: HTTPServer.Handler = { _ in
            .later {
                await Task.yield()
                return .stream(script.response())
            }
        }
        try await serve(handler: handler) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/"))
            #expect(try await client.chunks() == Array("late".utf8))
        }
    }
}
