import HTTPServer
import Logging
import ScreenService
import ScreenWire

/// Turns errors into answers: problems for errors that clients can act on; a bare 500 and a log line for all others.
///
/// A class, because every request carries it, and a logger is expensive to copy.
final class ErrorAnswers: Sendable {
    /// For requests that no server has received.
    static let unlogged = ErrorAnswers(logger: nil)

    private let logger: Logger?

    init(logger: Logger?) {
        self.logger = logger
    }

    /// - Parameters:
    ///   - fields: the request fields by which layers have decided.
    ///   - isOfAction: whether the path of the request is that of an action.
    func answer(to error: any Error, decidedBy fields: [String] = [], isOfAction: Bool) -> Answer {
        let failure = error as? ActionFailure
        let known = Problem(error)
        if known == nil { logger?.error("a request failed", metadata: ["error": "\(failure?.cause ?? error)"]) }
        var problem = known ?? .internalError
        if isOfAction, problem.outcome == nil {
            // Without a report of the handler, a known error was thrown before it ran. The origin of an unknown error is not certain.
            problem.outcome = failure?.outcome ?? (known == nil ? .unknown : .notPerformed)
        }
        return .response(problem.response(decidedBy: fields))
    }
}
