import HTTPServer
import RawClient

extension RawClient {
    func ask(_ method: String, _ target: String, _ headers: Headers = [:], _ body: String = "") async throws -> RawResponse {
        try await ask(Request(method: method, target: target, headers: headers, body: Array(body.utf8)))
    }

    /// Sends a request without a body; ``response(hasBody:)`` reads what comes of it.
    func begin(_ method: String, _ target: String, _ headers: Headers = [:]) async throws {
        try await send(Request(method: method, target: target, headers: headers))
    }
}
