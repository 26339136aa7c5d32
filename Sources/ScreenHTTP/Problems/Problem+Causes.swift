import HTTPServer
import Logging
import ScreenService
import ScreenWire

extension Problem {
    /// Creates the problem that describes an error, or nil if a client can do nothing about it. `locale` is the language of the screen.
    init?(_ error: any Error, in locale: ScreenLocale? = nil) {
        switch error {
        case let problem as Problem: self = problem
        case let failure as ActionFailure:
            self.init(failure.cause, in: locale)
            outcome = failure.outcome
            position = failure.position
        case let fault as ViewFault: self.init(fault)
        case let refusal as Refusal: self.init(refusal)
        case let fault as ActionFault: self.init(fault)
        case let faults as InputFaults: self.init(faults)
        case let broken as BrokenRules:
            self.init(broken, at: "/input")
            self.locale = locale
        case ScreenError.noSuchValue(let parameter, let detail):
            self.init(parameters: [(parameter, detail)], of: 1)
            self.locale = locale
        case let fault as DeadlineFault: self.init(fault)
        case FollowingFault.totalLimitReached:
            let detail = "The server follows the maximum number of views already. Request the screen without a stream, or try again later."
            self.init(kind: .unavailable, detail: detail)
        case FollowingFault.callerLimitReached:
            let detail =
                "The view exceeds your limit of streams, of followed views or of their bytes. "
                + "Close other streams, or request the screen without a stream."
            self.init(kind: .tooManyRequests, detail: detail)
        case CallerFault.tooManyRequests(let count):
            self.init(kind: .tooManyRequests, detail: "You send more than \(count) requests a second; send fewer.")
        case CallerFault.tooManyWaiting:
            self.init(kind: .tooManyRequests, detail: "Too many of your requests wait for their responses; wait for them, or send fewer.")
        case CallerFault.waitedTooLong:
            self.init(kind: .tooManyRequests, detail: "Your earlier requests took too long, so this one was not begun; try again.")
        case CredentialsFault.refused(let detail): self.init(kind: .invalidToken, detail: detail)
        case CredentialsFault.unverifiable(let detail): self.init(kind: .unavailable, detail: detail)
        case let error as DataUnavailable:
            self.init(kind: .unavailable, detail: "The data is out of reach (\(error.reason)); try again.")
        case is PublicFolder.TemporaryError:
            self.init(kind: .unavailable, detail: "The file cannot be opened now; try again.")
        case is BlockingWork.Overload:
            self.init(kind: .unavailable, detail: "Too many requests for files wait; try again.")
        default: return nil
        }
    }

    /// Returns the problem of a request whose `Accept-Encoding` excludes the forms in which the response can be sent.
    static func unacceptableForm(_ forms: String) -> Problem {
        Problem(kind: .notAcceptable, detail: "Accept-Encoding excludes each form of the response. Accept \(forms).")
    }

    static let internalError = Problem(kind: .internalError, detail: "An unexpected error occurred. It has been logged.")

    init(_ refusal: Refusal) {
        let kind: Kind =
            switch refusal.status {
            case 411: .lengthRequired
            case 413: .bodyTooLarge
            case 417: .unmetExpectation
            case 429: .tooManyRequests
            case 431: .headTooLarge
            case 501: .notImplemented
            case 503: .unavailable
            default: .invalidRequest
            }
        self.init(kind: kind, detail: refusal.detail)
    }

    /// The maximum number of faults that a problem lists. It is limited because a request of a few KB can have a thousand faults.
    static let faultLimit = 16

    /// Returns a text that describes the first of `count` faults, and states the number of the remaining faults.
    static func list(_ first: [(name: String, detail: String)], of count: Int) -> String {
        var sentences = first.map { "\($0.name): \($0.detail)" }
        switch count - first.count {
        case 0: break
        case 1: sentences.append("There is 1 more fault.")
        case let more: sentences.append("There are \(more) more faults.")
        }
        return sentences.joined(separator: " ")
    }

    private init(parameters first: [(name: String, detail: String)], of count: Int) {
        self.init(
            kind: .invalidParameters, detail: Self.list(first, of: count),
            errors: first.map { ProblemDocument.Fault(at: .parameter($0.name), $0.detail) }
        )
    }

    private init(_ fault: ViewFault) {
        switch fault {
        case .unknownScreen(let name, let known):
            let list = known.joined(separator: ", ")
            self.init(kind: .unknownScreen, detail: "There is no screen \"\(name)\". There are: \(list).")
        case .needsUser(let screen):
            let detail = "The screen \"\(screen)\" needs a user; send a token in an Authorization header."
            self.init(kind: .unauthorized, detail: detail)
        case .forbidden(let screen):
            let detail = "The screen \"\(screen)\" is not allowed for this user: the claims of the token do not permit it."
            self.init(kind: .forbidden, detail: detail)
        case .parameters(let faults):
            self.init(parameters: faults.prefix(Self.faultLimit).map { ($0.name, Self.detail(of: $0.cause)) }, of: faults.count)
        }
    }

    private static let ofProtocol = ProtocolParameter.allCases.map(\.rawValue)

    private static func detail(of cause: ParameterFault.Cause) -> String {
        switch cause {
        case .undecodable: "It is not percent-encoded UTF-8."
        case .unknown(let known) where known.isEmpty: "This screen has no parameters besides \(listed(ofProtocol))."
        case .unknown(let known):
            "There is no such parameter. There are: \((known + ofProtocol).joined(separator: ", "))."
        case .notAccepted(let taken) where taken.isEmpty: "There are no parameters here."
        case .notAccepted(let taken): "The list of screens has no parameters besides \(listed(taken.map(\.rawValue)))."
        case .repeated: "It is in the query more than once; send it once."
        case .notSupportedHere: "It belongs in the query of GET …/changes, or in the body of POST …/changes."
        case .unknownLanguage(let known): "There is no such language here; send one of \(known.joined(separator: ", "))."
        case .malformed(let type): "It must be \(type.shape(in: .query))."
        case .unservedRevision(let served) where served.count == 1:
            "This screen serves revision \(served.lowerBound) alone; send that, or none."
        case .unservedRevision(let served):
            "This screen serves the revisions from \(served.lowerBound) to \(served.upperBound); send one of them, or none for the oldest."
        }
    }

    /// Returns the names as one text, such as `version, locale and revision`.
    private static func listed(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.joined() }
        return "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}

/// The action that a request asks for, if the request is rejected before the action begins.
enum RejectedAction {
    /// The request asks for no action.
    case none
    /// The action is not performed.
    case notPerformed
    /// The request has an idempotency key, so an earlier request may have performed the action.
    case perhapsPerformedBefore
}

/// Turns errors into responses. An error that a client can act on becomes a problem. Any other error is logged and becomes a 500 without
/// detail.
///
/// The type is a class, because every request refers to the responder, and a logger is expensive to copy.
final class ErrorResponder: Sendable {
    /// An instance without a logger, for contexts that are created outside of a server.
    static let unlogged = ErrorResponder(logger: nil)

    private let logger: Logger?

    init(logger: Logger?) {
        self.logger = logger
    }

    /// Returns the response to an error of a request with a trace. `fields` are the names of request fields that middleware has used.
    func answer(to error: any Error, of trace: RequestTrace, varyingBy fields: [String] = [], _ action: RejectedAction) -> Answer {
        let failure = error as? ActionFailure
        let known = Problem(error)
        if known == nil {
            RequestTrace.$current.withValue(trace) {
                logger?.error("a request failed", metadata: ["error": "\(failure?.cause ?? error)"])
            }
        }
        var problem = known ?? .internalError
        if action != .none, problem.outcome == nil {
            // An `ActionFailure` states the outcome. Any other known error is thrown only before the action runs. After an unknown error,
            // the action may have been performed. A limit that is reached now says nothing about an earlier request.
            let isUnknown = known == nil || action == .perhapsPerformedBefore && problem.kind.isTemporary
            problem.outcome = failure?.outcome ?? (isUnknown ? .unknown : .notPerformed)
        }
        return .response(problem.response(to: trace, varyingBy: fields))
    }
}
