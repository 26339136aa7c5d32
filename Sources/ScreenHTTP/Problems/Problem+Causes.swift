import HTTPServer
import ScreenService
import ScreenWire

// The one place where errors become problems. What is not known here is a bare 500.
extension Problem {
    /// The problem that an error is, or nil if a client can do nothing about it.
    ///
    /// - Parameter locale: the language of the screen that may have thrown it.
    init?(_ error: any Error, in locale: ScreenLocale? = nil) {
        switch error {
        case let problem as Problem: self = problem
        case let failure as ActionFailure:
            self.init(failure.cause, in: locale)
            outcome = failure.outcome
            position = failure.position
        case let fault as ViewFault: self.init(fault)
        case let refusal as Refusal: self.init(refusal)
        case let fault as BodyFault: self.init(fault)
        case let fault as ActionFault: self.init(fault)
        case let faults as InputFaults: self.init(faults)
        case let broken as BrokenRules:
            self.init(broken)
            self.locale = locale
        case ScreenError.noSuchValue(let parameter, let detail):
            self.init(parameters: [(parameter, detail)], of: 1)
            self.locale = locale
        case let fault as DeadlineFault: self.init(fault)
        case FollowingFault.tooMuchInAll:
            let detail = "The server follows as many views as it may. Request the screen without a stream, or try again later."
            self.init(kind: .unavailable, detail: detail)
        case FollowingFault.tooMuchOfCaller:
            let detail = "The view exceeds your limit of followed views or of their bytes. Close other streams, or request the screen without a stream."
            self.init(kind: .tooManyRequests, detail: detail)
        case CredentialsFault.refused(let detail): self.init(kind: .invalidToken, detail: detail)
        case CredentialsFault.unverifiable(let detail): self.init(kind: .unavailable, detail: detail)
        case let error as DataUnavailable:
            self.init(kind: .unavailable, detail: "The data is out of reach (\(error.reason)); try again.")
        case is PublicFolder.OutOfReach:
            self.init(kind: .unavailable, detail: "The file cannot be opened now; try again.")
        case is BlockingWork.Overload:
            self.init(kind: .unavailable, detail: "Too many requests for files wait; try again.")
        default: return nil
        }
    }

    static let internalError = Problem(kind: .internalError, detail: "This was not foreseen. It has been logged.")

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

    /// How many faults are told: a request of a few KB may have a thousand.
    static let faultLimit = 16

    /// The faults that are told, and how many more there are.
    static func list(_ told: [(name: String, detail: String)], of count: Int) -> String {
        var sentences = told.map { "\($0.name): \($0.detail)" }
        switch count - told.count {
        case 0: break
        case 1: sentences.append("There is 1 more fault.")
        case let more: sentences.append("There are \(more) more faults.")
        }
        return sentences.joined(separator: " ")
    }

    private init(parameters told: [(name: String, detail: String)], of count: Int) {
        self.init(
            kind: .invalidParameters, detail: Self.list(told, of: count),
            errors: told.map { ProblemDocument.Fault(at: .parameter($0.name), $0.detail) }
        )
    }

    private init(_ fault: ViewFault) {
        switch fault {
        case .unknownScreen(let name, let known):
            let list = known.joined(separator: ", ")
            self.init(kind: .unknownScreen, detail: "There is no screen \"\(name)\". There are: \(list).")
        case .needsUser(let screen):
            let detail = "The screen \"\(screen)\" is for users; say who asks, with an Authorization header."
            self.init(kind: .unauthorized, detail: detail)
        case .forbidden(let screen):
            let detail = "The screen \"\(screen)\" is not for this user: what the token says of them does not allow it."
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
        case .untaken(let taken) where taken.isEmpty: "There are no parameters here."
        case .untaken(let taken): "The list of screens has no parameters besides \(listed(taken.map(\.rawValue)))."
        case .repeated: "It stands in the query more than once; send it once."
        case .misplaced: "It belongs in the query of GET …/changes, or in the body of POST …/changes."
        case .unknownLanguage(let known): "There is no such language here; send one of \(known.joined(separator: ", "))."
        case .malformed(let type): "It must be \(type.shape(in: .query))."
        case .unservedRevision(let served) where served.count == 1:
            "This screen serves revision \(served.lowerBound) alone; send that, or none."
        case .unservedRevision(let served):
            "This screen serves the revisions from \(served.lowerBound) to \(served.upperBound); send one of them, or none for the oldest."
        }
    }

    /// `version, locale and revision`.
    private static func listed(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.joined() }
        return "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }

    private init(_ fault: BodyFault) {
        let example =
            switch fault.purpose {
            case .changes: #"Send {"version": "…"} with the version that you hold; to begin, GET the screen."#
            case .action: #"Send {"version": "…", "input": {…}} with the version that you hold, if you hold one."#
            }
        let detail =
            switch fault.cause {
            case .empty: "The body is empty."
            case .notJSON(let error): "The body is not JSON: \(error)."
            case .notAnObject(let kind): "The body is \(kind), not an object."
            case .noVersion: "The body has no version."
            case .versionNotAString(let kind): "The version is \(kind), not a string."
            case .inputNotAnObject(let kind): "The input is \(kind), not an object."
            }
        self.init(kind: .invalidBody, detail: "\(detail) \(example)", errors: Self.places(of: fault.cause))
    }

    private static func places(of cause: BodyFault.Cause) -> [ProblemDocument.Fault] {
        switch cause {
        case .noVersion, .versionNotAString: [ProblemDocument.Fault(at: .pointer("/version"), "It must be a string.")]
        case .inputNotAnObject: [ProblemDocument.Fault(at: .pointer("/input"), "It must be an object.")]
        case .empty, .notJSON, .notAnObject: []
        }
    }
}
