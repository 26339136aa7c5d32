public import HTTPServer

/// A response that a client received.
public struct RawResponse: Sendable {
    public var status: Int
    public var headers: Headers
    /// The body, or an empty array if the body is sent in chunks, because chunks are read separately.
    public var body: [UInt8]

    public var text: String { String(decoding: body, as: UTF8.self) }

    public init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
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
