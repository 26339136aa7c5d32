import Foundation
import HTTPClient
import RawServer
import Testing

struct AnswersTests {
    @Test func aDocumentIsAskedForAsJSON() async throws {
        let server = RawServer(.response(body: "{}"))
        defer { server.stop() }
        let answer = try await HTTPClient.patient().get(URL(string: "\(server.url)/a?b=c%20d")!)
        #expect(answer == HTTPClient.Answer(200, "{}"))
        let lines = server.heads[0].split(separator: "\r\n")
        #expect(lines[0] == "GET /a?b=c%20d HTTP/1.1")
        #expect(lines.contains("Host: 127.0.0.1:\(server.port)"))
        #expect(lines.contains("Accept: application/json"))
        #expect(lines.contains("User-Agent: relist"))
        #expect(server.heads.count == 1)
    }

    @Test(arguments: [200, 201, 299, 400, 404, 429, 500, 503, 599]) func anAnswerOfAnyStatusIsAnAnswer(status: Int) async throws {
        let server = RawServer(.response(status, body: "said"))
        defer { server.stop() }
        #expect(try await HTTPClient.patient().get(server.url) == HTTPClient.Answer(status, "said"))
        #expect(server.targets == ["/"])
    }

    @Test(arguments: [("7", 7), ("3600", 3600), ("0", nil), ("soon", nil), ("", nil)] as [(String, Int?)])
    func howLongToWaitIsTold(_ example: (field: String, seconds: Int?)) async throws {
        let server = RawServer(.response(503, "Retry-After: \(example.field)"))
        defer { server.stop() }
        #expect(try await HTTPClient.patient().get(server.url).retryAfter == example.seconds.map { .seconds($0) })
    }

    @Test func aBodyInChunksIsPutTogether() async throws {
        let server = RawServer(.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[1\r\n3\r\n,2]\r\n0\r\n\r\n"))
        defer { server.stop() }
        #expect(try await HTTPClient.patient().get(server.url) == HTTPClient.Answer(200, "[1,2]"))
    }

    @Test(arguments: ["X-Sum: 12\r\n", "X-Sum: 12\r\nExpires: never\r\n", "HTTP: 1\r\n"])
    func fieldsAfterTheBodyAreNoFailure(trailers: String) async throws {
        for body in ["", "5\r\n[1,2]\r\n"] {
            let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n\(body)0\r\n\(trailers)\r\n"
            let server = RawServer(.text(text))
            defer { server.stop() }
            #expect(try await HTTPClient.patient().get(server.url) == HTTPClient.Answer(200, body.isEmpty ? "" : "[1,2]"))
        }
    }

    @Test func aBodyWithoutALengthEndsWithItsConnection() async throws {
        let server = RawServer(.text("HTTP/1.1 200 OK\r\n\r\n[1,2]"))
        defer { server.stop() }
        #expect(try await HTTPClient.patient().get(server.url) == HTTPClient.Answer(200, "[1,2]"))
    }

    @Test func theLastOfSeveralHeadsCounts() async throws {
        let server = RawServer(.text("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Gone\r\nContent-Length: 2\r\n\r\nno"))
        defer { server.stop() }
        #expect(try await HTTPClient.patient().get(server.url) == HTTPClient.Answer(404, "no"))
    }
}
