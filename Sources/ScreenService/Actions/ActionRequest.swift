public import ScreenWire

/// A request for an action.
public struct ActionRequest: Sendable {
    /// The name of the action.
    public let action: String
    public let caller: Caller
    /// The version that the client has, or `nil` if the client has no version.
    public let version: String?
    /// The input, which is a JSON object.
    public let input: JSONValue
    /// The client's idempotency key, or `nil` if a repeated request may perform the action again.
    public let idempotencyKey: String?

    public init(action: String, caller: Caller, version: String?, input: JSONValue, idempotencyKey: String?) {
        self.action = action
        self.caller = caller
        self.version = version
        self.input = input
        self.idempotencyKey = idempotencyKey
    }
}

/// The reason why a request for an action fails.
public enum ActionFault: Error, Hashable {
    case unknownAction(String, screen: String, known: [String])
    /// The action needs a user, but the caller is anonymous.
    case needsUser(String, screen: String)
    /// The claims of the caller do not permit the action.
    case forbidden(String, screen: String)
    /// The idempotency key was already used for a different request.
    case keyOfOtherRequest
    /// An earlier request with the same idempotency key is still in progress, possibly past its deadline.
    case keyInProgress
    /// The maximum number of actions in progress is reached, either for this caller or for all callers together.
    case tooManyInProgress(ofCaller: Bool)
    /// The receipt would exceed ``ReceiptBounds``, either for this caller or for all callers together. `retryAfter` is the number of
    /// seconds after which the client should send the request again.
    case receiptsFull(ofCaller: Bool, retryAfter: Int)
    /// The action was performed, but its response could not be computed, or its receipt could not be stored.
    case performedButNotAnswered
}

/// The failure of a request for an action, with the outcome of the action.
package struct ActionFailure: Error {
    /// The error that ``ScreenService/perform(_:on:within:)`` throws.
    package let cause: any Error
    package let outcome: ProblemDocument.Outcome
    /// The token of a position that includes the action's commits, or `nil` if there is no such position.
    package let position: String?

    package init(cause: any Error, outcome: ProblemDocument.Outcome, position: String? = nil) {
        self.cause = cause
        self.outcome = outcome
        self.position = position
    }
}

/// The rules that the input of an action breaks. A handler throws this error within its transaction, which is then rolled back.
public struct BrokenRules: Error, Hashable {
    public let rules: [BrokenRule]

    public init(_ rules: [BrokenRule]) {
        self.rules = rules
    }
}

/// A rule that is broken by the input of an action, although the input is well-formed.
public struct BrokenRule: Hashable, Sendable {
    /// The name of the field that breaks the rule, or `nil` if the rule concerns several fields.
    public let field: String?
    /// A message in the user's language that states the error and the correction.
    public let detail: String

    public init(field: String? = nil, _ detail: String) {
        self.field = field
        self.detail = detail
    }
}
