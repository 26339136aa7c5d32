import RawClient

extension RawClient {
    func send(_ text: String) async throws {
        try await send(Array(text.utf8))
    }

    /// Reads one response to a request that is sent first.
    func ask(_ text: String) async throws -> RawResponse {
        try await send(text)
        return try await response(hasBody: !text.hasPrefix("HEAD"))
    }

    /// Waits until the server closes; returns what it sent before.
    func untilClosed() async throws -> String {
        String(decoding: try await rest(), as: UTF8.self)
    }
}
