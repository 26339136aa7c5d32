public import HTTPServer
public import Logging

/// Answers what is thrown within with problems.
///
/// What no client can do anything about is a bare 500 and a log line with the cause.
public struct ProblemAnswers: Middleware {
    private let logger: Logger

    public init(logger: Logger) {
        self.logger = logger
    }

    public func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        let fields = context.decisiveFields
        do {
            let reply = try next(context)
            if case .now = reply.content { return reply }
            return reply.recovering { answer(to: $0, fields) }
        } catch {
            return .now(answer(to: error, fields))
        }
    }

    private func answer(to error: any Error, _ decisiveFields: [String]) -> Answer {
        if let problem = Problem(error) { return .response(problem.response(decidedBy: decisiveFields)) }
        logger.error("a request failed", metadata: ["error": "\(error)"])
        return .response(Problem.internalError.response(decidedBy: decisiveFields))
    }
}
