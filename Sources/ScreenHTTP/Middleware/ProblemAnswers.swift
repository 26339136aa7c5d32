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

    public func reply(to context: RequestContext, next: @escaping Next) -> Reply {
        do {
            let reply = try next(context)
            if case .now = reply.content { return reply }
            return reply.recovering { answer(to: $0, context) }
        } catch {
            return .now(answer(to: error, context))
        }
    }

    private func answer(to error: any Error, _ context: RequestContext) -> Answer {
        if let problem = Problem(error) { return .response(problem.response(to: context)) }
        logger.error("a request failed", metadata: ["error": "\(error)"])
        return .response(Problem.internalError.response(to: context))
    }
}
