import HTTPServer
import ScreenWire
import Testing

/// A response as a client sees it.
struct Received: Sendable {
    var status: Int
    var headers: Headers = [:]
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON; a body that is none fails the test.
    var json: JSONValue {
        get throws { try JSONReader.read(body) }
    }

    /// The version that the client holds after this answer.
    var version: String {
        get throws { try #require(try json["version"]?.text) }
    }
}

extension Received {
    init(head: String) {
        let lines = head.split(separator: "\r\n")
        status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers.append(String(parts[0]), String(parts[1].drop { $0 == " " }))
        }
    }

    /// What the server sends of an answer: `Content-Length` beside it, and no body where there may be none.
    init(_ answer: Answer, to method: String) {
        let response =
            switch answer {
            case .response(let response): response
            case .prepared(let prepared): prepared.response
            case .stream(let stream): Response(status: stream.status, headers: stream.headers)
            }
        status = response.status
        headers = response.headers
        if status != 204 { headers.append("Content-Length", String(response.body.count)) }
        body = method == "HEAD" || [204, 304].contains(status) ? [] : response.body
    }
}

extension JSONValue {
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }
}
