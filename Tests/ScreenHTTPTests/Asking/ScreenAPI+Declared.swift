import HTTPServer
import RawClient
import ScreenWire
import Testing

@testable import ScreenHTTP

extension ScreenAPI {
    /// Expects that the route table declares the response as a possible response to the request.
    func expectDeclared(_ answer: RawResponse, to request: Request) throws {
        let problem = try problemKind(of: answer)
        let matched = try? routes.route(of: request)
        if problem != nil, !answer.body.isEmpty {
            let isOfAction = matched?.template == "/screens/{screen}/actions/{action}"
            #expect((try answer.json["outcome"] != nil) == isOfAction, "\(request.target)")
        }
        guard let route = matched?.route else {
            #expect(problem == .invalidTarget || problem == .misdirected, "\(request.target)")
            return
        }
        guard let operation = route.operation(for: request.method) else {
            #expect(request.method == "OPTIONS" ? answer.status == 204 : problem == .methodNotAllowed, "\(request.target)")
            return
        }
        let asked = "\(request.method) \(route.path.template) got \(answer.status) \(problem?.rawValue ?? "")"
        if let problem {
            #expect(operation.problems.union(Operation.commonProblems).contains(problem), "\(asked)")
        } else {
            #expect(operation.successes.contains { $0.matches(answer) }, "\(asked)")
        }
    }

    private func problemKind(of answer: RawResponse) throws -> Problem.Kind? {
        guard answer.headers["Content-Type"] == "application/problem+json" else { return nil }
        // A response to HEAD has no body. Therefore the type of the problem is inferred from the status.
        guard !answer.body.isEmpty else { return Problem.Kind.allCases.first { $0.status == answer.status } }
        let type = try #require(try answer.json["type"]?.text)
        let kind = Problem.Kind(rawValue: String(type.trimmingPrefix("urn:relist:problem:")))
        #expect(kind != nil, "\(type)")
        return kind
    }
}

extension Operation.Success {
    fileprivate func matches(_ answer: RawResponse) -> Bool {
        let bare = { (type: String) in type.prefix { $0 != ";" } }
        return status == answer.status
            && answer.headers["Content-Type"].map(bare)
                == types.first { type in
                    answer.headers["Content-Type"].map(bare) == bare(type)
                }.map(bare)
    }
}
