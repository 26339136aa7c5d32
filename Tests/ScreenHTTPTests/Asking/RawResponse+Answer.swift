import ContentCoding
import HTTPServer
import RawClient
import ScreenWire
import Testing

extension RawResponse {
    /// The body as JSON.
    var json: JSONValue {
        get throws { try JSONReader.read(body) }
    }

    /// The version of the document in the body.
    var version: String {
        get throws { try #require(try json["version"]?.text) }
    }
}

extension RawResponse {
    /// Creates the response that the server would send for an `Answer`. The response has `Content-Length`. It has no body if the
    /// method or the status allows none.
    init(_ answer: Answer, to method: String) throws {
        let response =
            switch answer {
            case .response(let response): response
            case .prepared(let prepared): prepared.response
            case .stream(let stream): Response(status: stream.status, headers: stream.headers)
            }
        self.init(status: response.status, headers: response.headers)
        if status != 204 { headers.append("Content-Length", String(response.body.count)) }
        if method != "HEAD", ![204, 304].contains(status) { body = response.body }
        if !body.isEmpty { try decode() }
    }

    /// Expects that the response is in a coding, and returns it as it would be without the coding.
    func withoutCoding(_ coding: ContentCoding, to method: String) -> RawResponse {
        let isEmpty = status == 204 || status == 304 || headers["Content-Length"] == "0"
        #expect(isEmpty || headers["Content-Encoding"] == coding.rawValue, "\(status) \(text)")
        var plain = self
        plain.headers = Headers()
        for (name, value) in headers where name != "Content-Encoding" {
            if name == "ETag" { #expect(value.hasPrefix("W/") || isEmpty) }
            plain.headers.append(name, name == "ETag" ? String(value.trimmingPrefix("W/")) : value)
        }
        return plain
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

extension RawResponse {
    /// Expects that the response is a complete problem of the type, with faults at exactly the given places.
    ///
    /// - Parameters:
    ///   - places: The places of faults in order, such as `parameter limit` or `pointer /version`.
    ///   - outcome: The expected outcome of an action; nil if the outcome is not checked.
    /// - Returns: The detail of the problem.
    @discardableResult
    func expectProblem(
        _ type: String, _ status: Int, at places: [String] = [], outcome: ProblemDocument.Outcome? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        #expect(self.status == status, sourceLocation: sourceLocation)
        #expect(headers["Content-Type"] == "application/problem+json", sourceLocation: sourceLocation)
        #expect(headers["Cache-Control"] == "no-store", sourceLocation: sourceLocation)
        let problem = try json
        #expect(problem["type"]?.text == "urn:relist:problem:\(type)", sourceLocation: sourceLocation)
        #expect(problem["status"] == .number(String(status)), sourceLocation: sourceLocation)
        #expect(problem["title"]?.text?.isEmpty == false, sourceLocation: sourceLocation)
        let faults = problem["errors"]?.elements ?? []
        #expect(faults.map(Self.place) == places, sourceLocation: sourceLocation)
        #expect(faults.allSatisfy { $0["detail"]?.text?.isEmpty == false }, sourceLocation: sourceLocation)
        if let outcome { #expect(problem["outcome"]?.text == outcome.rawValue, sourceLocation: sourceLocation) }
        let detail = try #require(problem["detail"]?.text, sourceLocation: sourceLocation)
        #expect(!detail.isEmpty, sourceLocation: sourceLocation)
        return detail
    }

    private static func place(of fault: JSONValue) -> String {
        let names = ["parameter", "pointer"].filter { fault[$0] != nil }
        return names.map { "\($0) \(fault[$0]?.text ?? "?")" }.joined(separator: ", ")
    }
}
