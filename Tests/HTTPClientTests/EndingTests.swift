import Foundation
import HTTPClient
import RawServer
import Testing

/// Tests of transfers that end before their responses are complete.
struct EndingTests {
    private func endlessServer() -> RawServer {
        RawServer(.endless(head: "HTTP/1.1 200 OK\r\n\r\n"))
    }

    /// Returns a server that sends the head of a response, and sends no body.
    private func silentServer() -> RawServer {
        RawServer(
            .script { connection in
                connection.send("HTTP/1.1 200 OK\r\n\r\n")
                connection.waitForDeparture()
            })
    }

    @Test(arguments: [false, true]) func aConnectionIsClosedWhenTheTaskOfItsRequestIsCancelled(isStream: Bool) async {
        let server = RawServer(.silence)
        defer { server.stop() }
        let client = HTTPClient()
        let task = Task {
            if isStream {
                _ = try await client.stream(HTTPRequest("GET", server.url))
            } else {
                _ = try await client.answer("GET", server.url)
            }
        }
        _ = await server.arrival()
        task.cancel()
        await #expect(throws: HTTPClientError.cancelled) { try await task.value }
        await server.departure()
    }

    @Test func aConnectionIsClosedWhenTheReaderOfItsStreamIsCancelled() async throws {
        let server = silentServer()
        defer { server.stop() }
        let client = HTTPClient()
        let stream = try await client.stream(HTTPRequest("GET", server.url))
        let task = Task { try await stream.rest() }
        task.cancel()
        await #expect(throws: HTTPClientError.cancelled) { try await task.value }
        await server.departure()
        await #expect(throws: HTTPClientError.cancelled) { try await stream.rest() }
    }

    @Test func aRequestOfACancelledTaskIsNotSent() async {
        let server = RawServer(.response())
        defer { server.stop() }
        let client = HTTPClient()
        let (start, starter) = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in start {}
            await #expect(throws: HTTPClientError.cancelled) { try await client.answer("GET", server.url) }
        }
        task.cancel()
        starter.finish()
        await task.value
        #expect(server.heads == [])
    }

    @Test func aConnectionIsClosedWhenItsStreamIsReleased() async throws {
        let server = endlessServer()
        defer { server.stop() }
        let client = HTTPClient()
        _ = try await client.stream(HTTPRequest("GET", server.url))
        await server.departure()
        withExtendedLifetime(client) {}
    }

    @Test func aConnectionIsClosedWhenTheLoopOverItsStreamEnds() async throws {
        let server = endlessServer()
        defer { server.stop() }
        let client = HTTPClient()
        let stream = try await client.stream(HTTPRequest("GET", server.url))
        for try await _ in stream { break }
        await server.departure()
        await #expect(throws: HTTPClientError.cancelled) { try await stream.rest() }
    }

    @Test func anIteratorCanReadAfterItsStreamIsReleased() async throws {
        let server = RawServer(.response(body: "a"))
        defer { server.stop() }
        let client = HTTPClient()
        var iterator = try await client.stream(HTTPRequest("GET", server.url)).makeAsyncIterator()
        var received: [UInt8] = []
        while let bytes = try await iterator.next() { received += bytes }
        #expect(received == Array("a".utf8))
    }

    @Test func releasingAClientEndsItsTransfersAndItsThread() async throws {
        let server = silentServer()
        defer { server.stop() }
        let end = AsyncStream<Void>.makeStream()
        var client: HTTPClient? = HTTPClient(now: { .now }, onEnd: { end.continuation.finish() })
        let streams = [
            try await client!.stream(HTTPRequest("GET", server.url)), try await client!.stream(HTTPRequest("GET", server.url)),
        ]
        let reading = Task { try await streams[0].rest() }
        client = nil
        for await _ in end.stream {}
        for _ in 0..<2 { await server.departure() }
        await #expect(throws: HTTPClientError.cancelled) { try await reading.value }
        await #expect(throws: HTTPClientError.cancelled) { try await streams[1].rest() }
    }

    @Test func releasingAClientWithoutTransfersEndsItsThread() async {
        let end = AsyncStream<Void>.makeStream()
        _ = HTTPClient(now: { .now }, onEnd: { end.continuation.finish() })
        for await _ in end.stream {}
    }

    /// Many transfers end at the same time, each in one of several ways. With ThreadSanitizer, this test finds data races.
    @Test func transfersThatEndAtTheSameTimeDoNotDisturbEachOther() async throws {
        let server = RawServer { target in
            switch target.count % 4 {
            case 0: .endless(head: "HTTP/1.1 200 OK\r\n\r\n")
            case 1: .text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na")
            case 2: .silence
            default: .response(body: "a")
            }
        }
        defer { server.stop() }
        for _ in 0..<5 {
            let client = HTTPClient()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    let request = HTTPRequest("GET", server.url.appending(path: String(repeating: "a", count: number % 4)))
                    group.addTask {
                        guard number % 8 < 4 else {
                            _ = try? await client.send(request)
                            return
                        }
                        guard let stream = try? await client.stream(request) else { return }
                        var iterator = stream.makeAsyncIterator()
                        for _ in 0..<number { _ = try? await iterator.next() }
                    }
                }
                group.addTask {
                    for _ in 0..<5 { _ = try? await client.send(HTTPRequest("GET", server.url.appending(path: "aa"))) }
                }
                for _ in 0..<20 { await group.next() }
                group.cancelAll()
            }
        }
    }
}
