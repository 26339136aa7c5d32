import Foundation
import HTTPClient
import RawServer
import Testing

struct LimitsTests {
    private static let limit = 1000
    /// A thousand letters `a`, compressed with gzip.
    static let compressed: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 76, 28, 5, 163, 96, 20, 12, 119, 0, 0, 3, 218, 56, 154, 232, 3, 0, 0,
    ]

    private func get(_ answer: RawServer.Answer, sizeLimit: Int = limit) async throws(HTTPClientError) -> Answer {
        let server = RawServer(answer)
        defer { server.stop() }
        return try await HTTPClient().answer("GET", server.url, bodyLimit: sizeLimit)
    }

    private func body(_ count: Int) -> String {
        String(repeating: "a", count: count)
    }

    @Test func aBodyOfTheMaximumSizeIsRead() async throws {
        let body = body(Self.limit)
        #expect(try await get(.response(body: body)) == Answer(200, body))
        #expect(try await get(.text("HTTP/1.1 200 OK\r\n\r\n\(body)")) == Answer(200, body))
    }

    @Test func aRequestFailsIfTheBodyOfTheResponseExceedsTheMaximumSize() async {
        let body = body(Self.limit + 1)
        await #expect(throws: HTTPClientError.tooLarge) { try await get(.response(body: body)) }
        await #expect(throws: HTTPClientError.tooLarge) { try await get(.text("HTTP/1.1 200 OK\r\n\r\n\(body)")) }
    }

    @Test func aResponseWithATooLargeContentLengthFailsBeforeItsBodyArrives() async {
        let server = RawServer(.text("HTTP/1.1 200 OK\r\nContent-Length: \(Self.limit + 1)\r\n\r\n["))
        defer { server.stop() }
        await #expect(throws: HTTPClientError.tooLarge) { try await HTTPClient().answer("GET", server.url, bodyLimit: Self.limit) }
    }

    @Test func aTransferIsAbortedIfTheBodyOfTheResponseDoesNotEnd() async {
        let server = RawServer(.endless(head: "HTTP/1.1 200 OK\r\n\r\n"))
        defer { server.stop() }
        await #expect(throws: HTTPClientError.tooLarge) { try await HTTPClient().answer("GET", server.url, bodyLimit: Self.limit) }
        await server.departure()
    }

    @Test func theSizeLimitAppliesToTheDecompressedBody() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(Self.compressed.count)\r\n\r\n"
        let answer = RawServer.Answer.bytes(Array(head.utf8) + Self.compressed)
        #expect(try await get(answer) == Answer(200, body(1000)))
        await #expect(throws: HTTPClientError.tooLarge) { try await get(answer, sizeLimit: 999) }
    }

    @Test func theSizeLimitAppliesToTheBodyOfAnErrorResponse() async {
        await #expect(throws: HTTPClientError.tooLarge) { try await get(.response(500, body: body(Self.limit + 1))) }
    }

    @Test(arguments: [
        "X: \(String(repeating: "a", count: 65_536))\r\n", String(repeating: "X: a\r\n", count: 256),
    ])
    func aRequestFailsIfTheHeadOfTheResponseIsTooLarge(fields: String) async {
        let server = RawServer(.text("HTTP/1.1 200 OK\r\n\(fields)\r\n"))
        defer { server.stop() }
        await #expect(throws: HTTPClientError.tooLarge) { try await HTTPClient().answer("GET", server.url) }
    }

    @Test func anEndlessSeriesOfInformationalResponsesIsAborted() async {
        let server = RawServer(.script { $0.sendUntilDeparture(Array("HTTP/1.1 103 Early Hints\r\n\r\n".utf8)) })
        defer { server.stop() }
        await #expect(throws: HTTPClientError.tooLarge) { try await HTTPClient().answer("GET", server.url) }
        await server.departure()
    }

    @Test func aRequestFailsIfTheMaximumNumberOfTransfersIsInProgress() async throws {
        let server = RawServer { target in
            target == "/"
                ? .response(body: "a")
                : .script {
                    $0.send("HTTP/1.1 200 OK\r\n\r\n"); $0.waitForDeparture()
                }
        }
        defer { server.stop() }
        let client = HTTPClient(transferLimit: 2)
        let held = HTTPRequest("GET", server.url.appending(path: "held"))
        let (one, two) = (try await client.stream(held), try await client.stream(held))
        await #expect(throws: HTTPClientError.exhausted) { try await client.answer("GET", server.url) }
        await #expect(throws: HTTPClientError.exhausted) { try await client.stream(held) }
        let reading = Task { try await one.rest() }
        reading.cancel()
        await #expect(throws: HTTPClientError.cancelled) { try await reading.value }
        await server.departure()
        #expect(try await client.answer("GET", server.url) == Answer(200, "a"))
        withExtendedLifetime(two) {}
    }
}
