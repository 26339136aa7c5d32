import ContentDecoding
import HTTPServer

extension RawConnection {
    mutating func takeResponse(hasBody: Bool) throws -> RawResponse {
        var response = try RawResponse(head: try take(until: "\r\n\r\n"))
        guard hasBody, response.status != 304 else { return response }
        let length = response.headers["Content-Length"].flatMap { UInt32($0) }
        response.body = try take(Int(length ?? 0))
        decoder = length == nil ? response.coding.map { ContentDecoder($0) } : nil
        if length != nil { try response.decode() }
        return response
    }

    /// Reads a chunk and the line break after it, and returns the decoded bytes of the chunk. The last chunk is empty. Chunks without decoded
    /// bytes are skipped.
    mutating func takeChunk() throws -> [UInt8] {
        while true {
            let line = try take(until: "\r\n")
            guard let length = UInt32(line, radix: 16) else { throw RawClient.Failure.noChunk(line: line) }
            let chunk = Array(try take(Int(length) + 2).dropLast(2))
            guard let decoder else { return chunk }
            if chunk.isEmpty {
                guard decoder.isAtEnd else { throw RawClient.Failure.closed(after: "an incomplete body") }
                return []
            }
            let decoded = try decoder.decode(chunk)
            if !decoded.isEmpty { return decoded }
        }
    }

    mutating func takeEvent() throws -> String? {
        while true {
            if let end = streamed.firstRange(of: Array("\n\n".utf8))?.upperBound { return takeStreamed(end) }
            let chunk = try takeChunk()
            if chunk.isEmpty { return streamed.isEmpty ? nil : takeStreamed(streamed.count) }
            streamed += chunk
        }
    }

    private mutating func takeStreamed(_ count: Int) -> String {
        String(decoding: streamed.removePrefix(count), as: UTF8.self)
    }
}

extension Request {
    /// Returns the bytes of the request as a client sends them.
    func bytes(with body: [UInt8]) -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if method == "POST" || !body.isEmpty { head += "Content-Length: \(body.count)\r\n" }
        return Array("\(head)\r\n".utf8) + body
    }
}
