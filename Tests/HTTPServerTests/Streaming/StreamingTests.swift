import HTTPServer
import RawClient
import Synchronization
import Testing

@Suite struct StreamingTests {
    /// A body that is larger than every buffer. Its bytes follow no regular pattern, because such a pattern could hide a mistake.
    private static let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }

    @Test func thePartsOfAStreamArriveInOrder() async throws {
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

    @Test func aPartLargerThanEveryBufferArrivesComplete() async throws {
        let script = Script(.bytes(Self.large), .text("small"), .end)
        try await serve(handler: play(["/stream": script])) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/stream"))
            let body = try await client.chunks()
            let isWhole = body == Self.large + Array("small".utf8)
            #expect(isWhole)
        }
    }

    @Test func aStreamPausesAfterAnEmptyPart() async throws {
        let script = Script(.bytes([]))
        try await serve(handler: play(["/stream": script])) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/stream"))
            _ = try await RawClient(address).ask(get("/"))
            #expect(script.questions == 1)
            script.give(.text("more"), .end)
            #expect(try await client.chunks() == Array("more".utf8))
        }
    }

    @Test func aPausedStreamContinuesWhenWoken() async throws {
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

    @Test func aStreamThatIsWokenJustBeforeItPausesIsAskedForAnotherPart() async throws {
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

    @Test func aConnectionServesRequestsAfterAStreamHasEnded() async throws {
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

    @Test func wakingAStreamAfterItsEndHasNoEffect() async throws {
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

    @Test func aStreamContinuesAfterItIsWokenManyTimesWhileNoPartIsReady() async throws {
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

    @Test func manyStreamsWokenTogetherAllSendTheirParts() async throws {
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

    @Test func aConnectionInHTTP10IsClosedAtTheEndOfItsStream() async throws {
        let script = Script(.bytes(Self.large), .text("the end"), .end)
        try await serve(handler: play(["/stream": script])) { address, _ in
            let client = try await RawClient(address)
            try await client.send("GET /stream HTTP/1.0\r\n\r\n")
            let head = try await client.response()
            #expect(head.headers["Transfer-Encoding"] == nil)
            let body = try await client.rest()
            // The bodies are compared outside of the expectation, because a failed expectation would search millions of bytes for the
            // difference.
            let isWhole = body == Self.large + Array("the end".utf8)
            #expect(isWhole)
        }
        #expect(script.endings == 1)
    }

    @Test func aDeferredResponseCanBeAStream() async throws {
        let script = Script(.text("late"), .end)
        let handler: HTTPServer.Handler = { _ in .later { .stream(script.response()) } }
        try await serve(handler: handler) { address, _ in
            let client = try await RawClient(address)
            _ = try await client.ask(get("/"))
            #expect(try await client.chunks() == Array("late".utf8))
        }
    }
}

/// A stream whose first call of `next()` wakes the stream and then returns a pause.
private final class WakesBeforeItPauses: BodyStream {
    private let waker = Mutex<StreamWaker?>(nil)
    private let questions = Atomic<Int>(0)

    func begin(_ waker: StreamWaker) {
        self.waker.withLock { $0 = waker }
    }

    func next() -> StreamPart {
        switch questions.add(1, ordering: .relaxed).newValue {
        case 1:
            waker.withLock { $0 }?.wake()
            return .pause
        case 2: return .text("woken")
        default: return .end
        }
    }

    func ended() {}
}
