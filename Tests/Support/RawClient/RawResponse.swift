import ContentCoding
import ContentDecoding
public import HTTPServer

/// A response that a client received.
public struct RawResponse: Sendable {
    public var status: Int
    public var headers: Headers
    /// The decoded body, or an empty array if the body is sent in chunks, because chunks are read separately.
    public var body: [UInt8]
    /// The number of bytes of the body before it was decoded.
    public private(set) var receivedCount: Int

    public var text: String { String(decoding: body, as: UTF8.self) }

    public init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
        (self.status, self.headers, self.body, receivedCount) = (status, headers, body, body.count)
    }
}

extension RawResponse {
    var coding: ContentCoding? { headers["Content-Encoding"].flatMap(ContentCoding.init) }

    /// Decodes the body as the fields state.
    public mutating func decode() throws {
        receivedCount = body.count
        if let coding { body = try coding.decode(body) }
    }
}

extension RawResponse {
    /// - Parameter head: the head without the empty line.
    init(head: String) throws {
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count > 1, let status = Int(words[1]) else { throw RawClient.Failure.noResponse(head: head) }
        self.init(status: status)
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw RawClient.Failure.noResponse(head: head) }
            headers.append(String(line[..<colon]), String(line[colon...].dropFirst().drop { $0 == " " }))
        }
    }
}
