import HTTPServer
import RawClient
import ScreenWire
import Testing

extension RawResponse {
    /// Expects a problem of that type, complete, with faults at these places and no others.
    ///
    /// - Parameters:
    ///   - places: `parameter limit`, `pointer /version`, in order.
    ///   - outcome: that of an action; nil where it is not looked at.
    /// - Returns: the problem's detail.
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
