import HTTPServer
import RawClient
import ScreenWire
import Testing

extension RawResponse {
    /// The body as JSON; a body that is none fails the test.
    var json: JSONValue {
        get throws { try JSONReader.read(body) }
    }

    /// The version that the client holds after this answer.
    var version: String {
        get throws { try #require(try json["version"]?.text) }
    }
}

extension RawResponse {
    /// What the server sends of an answer: `Content-Length` beside it, and no body where there may be none.
    init(_ answer: Answer, to method: String) {
        let response =
            switch answer {
            case .response(let response): response
            case .prepared(let prepared): prepared.response
            case .stream(let stream): Response(status: stream.status, headers: stream.headers)
            }
        self.init(status: response.status, headers: response.headers)
        if status != 204 { headers.append("Content-Length", String(response.body.count)) }
        if method != "HEAD", ![204, 304].contains(status) { body = response.body }
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
