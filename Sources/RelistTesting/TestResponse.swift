public import Relist
public import ScreenWire

/// The response to a request of a ``TestClient``, as a server would send it without a coding.
public struct TestResponse: Sendable {
    /// The status code.
    public let status: Int
    public let headers: Headers
    /// The body. It is empty for a stream, which ``TestClient/follow(_:)`` reads instead.
    public let body: [UInt8]

    init(_ answer: Answer) {
        (status, headers) = (answer.status, answer.headers)
        body =
            switch answer {
            case .response(let response): response.body
            case .prepared(let prepared): prepared.response.body
            case .stream: []
            }
    }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON.
    ///
    /// - Throws: `JSONSyntaxError` if the body is no JSON document.
    public var json: JSONValue {
        get throws { try JSONReader.read(body) }
    }

    /// The problem in the body, or nil if the response is no problem.
    public var problem: ProblemDocument? {
        guard headers["Content-Type"] == "application/problem+json", let json = try? json else { return nil }
        return try? ProblemDocument(json, status: status)
    }
}

extension TestResponse: CustomStringConvertible {
    /// The status code and the body as text.
    public var description: String { "\(status) \(text)" }
}
