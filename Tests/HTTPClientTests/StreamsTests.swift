import Dispatch
import Foundation
import Glibc
import RawServer
import Synchronization
import Testing

@testable import HTTPClient

struct StreamsTests {
    private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Returns a server that sends the first part of its response, waits until a test opens the gate, and sends the second part.
    private func server(_ before: String, then after: String, at gate: DispatchSemaphore) -> RawServer {
        RawServer(
            .script { connection in
                connection.send(before)
                gate.wait()
                connection.send(after)
            })
    }

    @Test func aStreamReturnsTheHeadBeforeTheBodyArrives() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = server("HTTP/1.1 503 No\r\nRetry-After: 7\r\nX: y\r\nContent-Length: 2\r\n\r\n", then: "no", at: gate)
        defer { server.stop() }
        let client = HTTPClient()
        let stream = try await client.stream(HTTPRequest("GET", server.url))
        #expect(stream.status == 503)
        #expect(stream.headers["x"] == "y")
        #expect(stream.retryAfter == .seconds(7))
        gate.signal()
        #expect(try await stream.rest() == Array("no".utf8))
    }

    @Test func openingAStreamWaitsUntilTheHeadIsComplete() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = server("HTTP/1.1 103 Hints\r\nX: 1\r\n\r\nHTTP/1.1 20", then: "1 OK\r\nX: 2\r\nContent-Length: 1\r\n\r\na", at: gate)
        defer { server.stop() }
        let client = HTTPClient()
        async let opening = client.stream(HTTPRequest("GET", server.url))
        _ = await server.arrival()
        gate.signal()
        let stream = try await opening
        #expect(stream.status == 201)
        #expect(stream.headers.values(of: "X") == ["2"])
    }

    @Test func aStreamReturnsBytesWhenTheyArrive() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = RawServer(
            .script { connection in
                connection.send(Self.head)
                for text in ["one", "two", "three"] {
                    gate.wait()
                    connection.send("\(text.utf8.count)\r\n\(text)\r\n")
                }
                connection.send("0\r\n\r\n")
            })
        defer { server.stop() }
        let client = HTTPClient()
        let stream = try await client.stream(HTTPRequest("POST", server.url, body: [1, 2, 3]))
        var iterator = stream.makeAsyncIterator()
        for text in ["one", "two", "three"] {
            gate.signal()
            var received: [UInt8] = []
            while received.count < text.utf8.count { received += try #require(try await iterator.next()) }
            #expect(received == Array(text.utf8))
        }
        #expect(try await iterator.next() == nil)
        #expect(server.bodies == [[1, 2, 3]])
    }

    @Test(arguments: [false, true]) func aStreamReadsALongBodyCompletely(isChunked: Bool) async throws {
        let part = (0..<99_991).map { UInt8(truncatingIfNeeded: $0) }
        let server = RawServer(
            .script { connection in
                connection.send(isChunked ? Self.head : "HTTP/1.1 200 OK\r\nContent-Length: \(part.count * 200)\r\n\r\n")
                for _ in 0..<200 {
                    if isChunked { connection.send("\(String(part.count, radix: 16))\r\n") }
                    connection.send(part)
                    if isChunked { connection.send("\r\n") }
                }
                if isChunked { connection.send("0\r\n\r\n") }
            })
        defer { server.stop() }
        let client = HTTPClient()
        var count = 0
        for try await bytes in try await client.stream(HTTPRequest("GET", server.url)) {
            try #require(bytes.count <= 65_536)
            let start = count % part.count
            #expect(Array((part + part)[start..<start + bytes.count]) == bytes)
            count += bytes.count
        }
        #expect(count == part.count * 200)
    }

    @Test(arguments: [
        "Content-Length: 100\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "Transfer-Encoding: chunked\r\n\r\n5\r\nabc",
    ])
    func aBodyThatIsCutOffEndsWithAnErrorAfterItsBytes(rest: String) async throws {
        let server = RawServer(.text("HTTP/1.1 200 OK\r\n\(rest)"))
        defer { server.stop() }
        let client = HTTPClient()
        var received: [UInt8] = []
        let stream = try await client.stream(HTTPRequest("GET", server.url))
        await #expect(throws: HTTPClientError.incomplete) {
            for try await bytes in stream { received += bytes }
        }
        #expect(received == Array("abc".utf8))
    }

    @Test func aSlowReaderDoesNotDelayOtherTransfers() async throws {
        let server = RawServer { $0 == "/" ? .response(body: "a") : .endless(head: "HTTP/1.1 200 OK\r\n\r\n") }
        defer { server.stop() }
        let client = HTTPClient()
        let stream = try await client.stream(HTTPRequest("GET", server.url.appending(path: "endless")))
        var iterator = stream.makeAsyncIterator()
        for _ in 0..<20 {
            // Without back pressure, the number of unread bytes of the stream would grow during these requests.
            for _ in 0..<20 { #expect(try await client.answer("GET", server.url) == Answer(200, "a")) }
            let bytes = try #require(try await iterator.next())
            #expect(bytes.count <= 65_536)
        }
    }

    @Test func aTransferIsAbortedIfTheUnreadRestOfItsBodyExceedsTheLimit() async throws {
        let server = RawServer(.endless(head: "HTTP/1.1 200 OK\r\n\r\n"))
        defer { server.stop() }
        let client = HTTPClient()
        let stream = try await client.stream(HTTPRequest("GET", server.url))
        await #expect(throws: HTTPClientError.tooLarge) { try await stream.rest(limit: 1000) }
        await server.departure()
    }

    @Test func oneThreadReadsAHundredStreams() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = RawServer { target in
            .script { connection in
                connection.send("HTTP/1.1 200 OK\r\n\r\n\(target)")
                gate.wait()
                gate.signal()
                connection.send(" end")
            }
        }
        defer { server.stop() }
        let threads = Mutex<Set<pthread_t>>([])
        let client = HTTPClient(now: {
            threads.withLock { _ = $0.insert(pthread_self()) }
            return .now
        })
        try await withThrowingTaskGroup(of: Void.self) { group in
            let opened = AsyncStream<Void>.makeStream()
            for number in 0..<100 {
                group.addTask {
                    let stream = try await client.stream(HTTPRequest("GET", server.url.appending(path: "\(number)")))
                    opened.continuation.yield()
                    #expect(try await stream.rest() == Array("/\(number) end".utf8))
                }
            }
            var iterator = opened.stream.makeAsyncIterator()
            for _ in 0..<100 { await iterator.next() }
            gate.signal()
            try await group.waitForAll()
        }
        #expect(server.connectionCount == 100)
        #expect(threads.withLock { $0.count } == 1)
    }

    @Test func aStreamFailsIfNoBytesArriveBeforeTheIdleTimeout() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = RawServer(
            .script { connection in
                connection.send("HTTP/1.1 200 OK\r\n\r\na")
                gate.wait()
                connection.send("b")
                connection.waitForDeparture()
            })
        defer { server.stop() }
        let time = ManualTime()
        let client = HTTPClient(now: { time.now })
        let stream = try await client.stream(HTTPRequest("GET", server.url), idleTimeout: .seconds(45))
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == Array("a".utf8))
        time.advance(by: .seconds(44))
        client.wake()
        gate.signal()
        // When this byte arrives, the idle timeout starts again.
        #expect(try await iterator.next() == Array("b".utf8))
        time.advance(by: .seconds(44))
        client.wake()
        time.advance(by: .seconds(1))
        client.wake()
        await #expect(throws: HTTPClientError.timedOut(.idle)) { try await stream.rest() }
        await server.departure()
    }

    @Test func openingAStreamFailsIfNoHeadArrivesBeforeTheIdleTimeout() async throws {
        let server = RawServer(.silence)
        defer { server.stop() }
        let time = ManualTime()
        let client = HTTPClient(now: { time.now })
        let opening = Task { try await client.stream(HTTPRequest("GET", server.url), idleTimeout: .seconds(45)) }
        _ = await server.arrival()
        time.advance(by: .seconds(45))
        client.wake()
        await #expect(throws: HTTPClientError.timedOut(.idle)) { try await opening.value }
        await server.departure()
    }

    @Test func theIdleTimeoutDoesNotApplyWhileTheReaderDoesNotRead() async throws {
        let server = RawServer { $0 == "/" ? .response(body: "a") : .endless(head: "HTTP/1.1 200 OK\r\n\r\n") }
        defer { server.stop() }
        let time = ManualTime()
        let client = HTTPClient(now: { time.now })
        let stream = try await client.stream(HTTPRequest("GET", server.url.appending(path: "endless")), idleTimeout: .seconds(45))
        // The transfer reaches the limit of unread bytes.
        for _ in 0..<10_000 where !stream.lease.transfer.isPaused { _ = try await client.answer("GET", server.url) }
        try #require(stream.lease.transfer.isPaused)
        time.advance(by: .seconds(100))
        client.wake()
        var iterator = stream.makeAsyncIterator()
        for _ in 0..<100 { #expect(try await iterator.next() != nil) }
    }
}
