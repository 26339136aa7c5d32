import HTTPClient
import RawServer
import Testing

struct LimitsTests {
    private static let limit = 1000
    /// A thousand letters `a`, compressed by gzip.
    private static let compressed: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 76, 28, 5, 163, 96, 20, 12, 119, 0, 0, 3, 218, 56, 154, 232, 3, 0, 0,
    ]

    private func get(_ answer: RawServer.Answer, sizeLimit: Int = limit) async throws -> HTTPClient.Answer {
        let server = RawServer(answer)
        defer { server.stop() }
        return try await HTTPClient.patient(sizeLimit: sizeLimit).get(server.url)
    }

    private func body(_ count: Int) -> String {
        String(repeating: "a", count: count)
    }

    @Test func aBodyOfTheLargestSizeIsRead() async throws {
        let body = body(Self.limit)
        #expect(try await get(.response(body: body)) == HTTPClient.Answer(200, body))
        #expect(try await get(.text("HTTP/1.1 200 OK\r\n\r\n\(body)")) == HTTPClient.Answer(200, body))
    }

    @Test func oneByteMoreIsTooMuch() async {
        let body = body(Self.limit + 1)
        await #expect(throws: HTTPClient.Failure.tooLarge) { try await get(.response(body: body)) }
        await #expect(throws: HTTPClient.Failure.tooLarge) { try await get(.text("HTTP/1.1 200 OK\r\n\r\n\(body)")) }
    }

    @Test func aBodyThatSaysThatItIsTooLargeIsNotAwaited() async {
        let server = RawServer(.text("HTTP/1.1 200 OK\r\nContent-Length: \(Self.limit + 1)\r\n\r\n["))
        defer { server.stop() }
        await #expect(throws: HTTPClient.Failure.tooLarge) { try await HTTPClient.patient(sizeLimit: Self.limit).get(server.url) }
    }

    @Test func aBodyThatNeverEndsIsCutOff() async {
        let server = RawServer(.endless(head: "HTTP/1.1 200 OK\r\n\r\n"))
        defer { server.stop() }
        await #expect(throws: HTTPClient.Failure.tooLarge) { try await HTTPClient.patient(sizeLimit: Self.limit).get(server.url) }
        await server.departure()
    }

    @Test func whatIsDecompressedCounts() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(Self.compressed.count)\r\n\r\n"
        let answer = RawServer.Answer.bytes(Array(head.utf8) + Self.compressed)
        #expect(try await get(answer) == HTTPClient.Answer(200, body(1000)))
        await #expect(throws: HTTPClient.Failure.tooLarge) { try await get(answer, sizeLimit: 999) }
    }

    @Test func anErrorsBodyIsLimitedToo() async {
        await #expect(throws: HTTPClient.Failure.tooLarge) { try await get(.response(500, body: body(Self.limit + 1))) }
    }
}
