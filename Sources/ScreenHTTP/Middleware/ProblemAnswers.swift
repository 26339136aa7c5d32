public import HTTPServer
public import Logging
import ScreenService
import ScreenWire

/// Answers what is thrown within with problems.
///
/// What no client can do anything about is a bare 500 and a log line with the cause.
public struct ProblemAnswers: Middleware {
    private let logger: Logger

    public init(logger: Logger) {
        self.logger = logger
    }

    public func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        let (fields, target) = (context.decisiveFields, context.request.target)
        do { return recovering(try next(context), fields, target) } catch { return .now(answer(to: error, fields, target)) }
    }

    /// Returns a layer around others, with its own errors and theirs answered.
    func around(_ layer: any Middleware, _ next: @escaping Next) -> @Sendable (consuming RequestContext) -> Reply {
        // As `reply(to:next:)` does it: a closure within this one would allocate with each request.
        { (context: consuming RequestContext) in
            let (fields, target) = (context.decisiveFields, context.request.target)
            do { return recovering(try layer.reply(to: context, next: next), fields, target) } catch { return .now(answer(to: error, fields, target)) }
        }
    }

    private func recovering(_ reply: Reply, _ decisiveFields: [String], _ target: String) -> Reply {
        if case .now = reply.content { return reply }
        return reply.isRecovering ? reply : reply.recovering { answer(to: $0, decisiveFields, target) }
    }

    private func answer(to error: any Error, _ decisiveFields: [String], _ target: String) -> Answer {
        let failure = error as? ActionFailure
        let known = Problem(failure?.cause ?? error)
        if known == nil { logger.error("a request failed", metadata: ["error": "\(failure?.cause ?? error)"]) }
        var problem = known ?? .internalError
        problem.outcome = problem.outcome ?? failure?.outcome ?? Self.outcome(without: known, of: target)
        return .response(problem.response(decidedBy: decisiveFields))
    }

    /// Returns the outcome for an action whose handler did not report one. A known error was thrown before the handler ran, so the
    /// action was not performed. The origin of an unknown error is not certain.
    ///
    /// - Returns: nil for a request for anything else.
    private static func outcome(without known: Problem?, of target: String) -> ProblemDocument.Outcome? {
        let path = Request(method: "", target: target).path
        guard PathPattern.action.matches(path) else { return nil }
        return known == nil ? .unknown : .notPerformed
    }
}
