import ScreenService
import ScreenWire

extension Problem {
    init(_ fault: ActionFault) {
        switch fault {
        case .unknownAction(let name, let screen, let known):
            let help = known.isEmpty ? "It has none." : "There are: \(known.joined(separator: ", "))."
            self.init(kind: .unknownAction, detail: "The screen \"\(screen)\" has no action \"\(name)\". \(help)")
        case .needsUser(let name, let screen):
            let detail = "The action \"\(name)\" of \"\(screen)\" needs a user; send a token in an Authorization header."
            self.init(kind: .unauthorized, detail: detail)
        case .forbidden(let name, let screen):
            let detail = "The action \"\(name)\" of \"\(screen)\" is not allowed for this user: the claims of the token do not permit it."
            self.init(kind: .forbidden, detail: detail)
        case .keyOfOtherRequest:
            let detail = "This \(IdempotencyKey.field) was sent before with another input; send a new key with a new request."
            self.init(kind: .reusedKey, detail: detail)
        case .keyInProgress:
            let detail = "The first request with this \(IdempotencyKey.field) is still in progress; send it again in a moment."
            self.init(kind: .keyInProgress, detail: detail)
        case .tooManyInProgress(ofCaller: true):
            self.init(kind: .tooManyRequests, detail: "Too many actions of this caller are in progress; send it again in a moment.")
        case .tooManyInProgress(ofCaller: false):
            self.init(kind: .unavailable, detail: "Too many actions are in progress; try again.")
        case .receiptsFull(ofCaller: true, let seconds):
            let detail =
                "This caller has used the maximum storage for actions with an \(IdempotencyKey.field) within 24 hours; send it again later."
            self.init(kind: .tooManyRequests, detail: detail, retryAfter: seconds)
        case .receiptsFull(ofCaller: false, let seconds):
            let detail =
                "The service has used the maximum storage for actions with an \(IdempotencyKey.field) within 24 hours; send it again later."
            self.init(kind: .unavailable, detail: detail, retryAfter: seconds)
        case .performedButNotAnswered:
            let detail = "The action was performed, but its response could not be computed; request the screen."
            self.init(kind: .performed, detail: detail)
        }
    }

    init(_ fault: DeadlineFault) {
        switch fault {
        case .notComputed: self.init(kind: .unavailable, detail: "The screen was not computed in time; try again.")
        case .notPerformed: self.init(kind: .unavailable, detail: "This took too long. Nothing was done; try again.")
        case .tooManyAtOnce:
            self.init(kind: .unavailable, detail: "Too many computations of this screen are in progress; try again.")
        case .tooManyStragglers:
            let detail = "Too many requests of this screen hang, so no more are started; try again later."
            self.init(kind: .unavailable, detail: detail)
        case .viewIsStraggler:
            let detail = "An earlier computation of this view is still running after its deadline; try again later."
            self.init(kind: .unavailable, detail: detail)
        case .outcomeUnknown(hasKey: true):
            let detail =
                "This took too long, too much hangs, or the data went out of reach. "
                + "Send it again with the same \(IdempotencyKey.field), or look at the screen."
            self.init(kind: .outcomeUnknown, detail: detail, retryAfter: 1)
        case .outcomeUnknown(hasKey: false):
            let detail =
                "This took too long, or the data went out of reach. Look at the screen before you send it again; "
                + "with an \(IdempotencyKey.field) it could be sent again without doing it twice."
            self.init(kind: .outcomeUnknown, detail: detail)
        }
    }

    init(_ faults: InputFaults) {
        let first = faults.faults.prefix(Self.faultLimit)
        self.init(
            kind: .invalidInput,
            detail: Self.list(first.map { ($0.field, Self.detail(of: $0.cause)) }, of: faults.faults.count),
            errors: first.map { Self.fault(at: $0.field, Self.detail(of: $0.cause)) }
        )
    }

    /// Creates the problem of broken rules. `place` is the JSON Pointer to the object that has the fields.
    init(_ broken: BrokenRules, at place: String) {
        self.init(
            kind: .brokenRule, detail: broken.rules.map(\.detail).joined(separator: " "),
            errors: broken.rules.map { Self.fault(at: $0.field, $0.detail, in: place) }
        )
    }

    private static func detail(of cause: InputFault.Cause) -> String {
        switch cause {
        case .missing(let type): "It is missing; it must be \(type.shape(in: .json))."
        case .malformed(let type): "It must be \(type.shape(in: .json))."
        }
    }

    private static func fault(at field: String?, _ detail: String, in place: String = "/input") -> ProblemDocument.Fault {
        let token = field.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") } ?? ""
        return ProblemDocument.Fault(at: .pointer(place + token), detail)
    }
}
