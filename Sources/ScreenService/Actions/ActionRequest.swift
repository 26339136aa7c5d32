public import ScreenWire

/// What a client asks for when it has an action performed.
public struct ActionRequest: Sendable {
    /// The action's name.
    public let action: String
    public let caller: Caller
    /// The version that the client holds; nil for none.
    public let version: String?
    /// An object.
    public let input: JSONValue
    /// The same request, sent again under the same key, is performed once; nil if the client does not care.
    public let idempotencyKey: String?

    public init(action: String, caller: Caller, version: String?, input: JSONValue, idempotencyKey: String?) {
        self.action = action
        self.caller = caller
        self.version = version
        self.input = input
        self.idempotencyKey = idempotencyKey
    }
}

/// Why an action was not performed.
public enum ActionFault: Error, Hashable {
    case unknownAction(String, screen: String, known: [String])
    /// It is for users, and nobody known asks.
    case needsUser(String, screen: String)
    /// It is for users of whom more is known than of the one who asks.
    case forbidden(String, screen: String)
    /// The same key came with another request before.
    case keyOfOtherRequest
    /// The request that came first with this key is still in progress, maybe past its deadline.
    case underWay
    /// The bound of actions in progress is reached.
    ///
    /// - Parameter ofCaller: whether they are those of this caller.
    case tooManyInProgress(ofCaller: Bool)
    /// The receipts take so many bytes that none is added: see ``ReceiptBounds``.
    ///
    /// - Parameters:
    ///   - ofCaller: whether they are those of this caller.
    ///   - retryAfter: the seconds after which some of them expire.
    case receiptsFull(ofCaller: Bool, retryAfter: Int)
    /// The action was performed, but what came of it could not be computed, or not be kept under its key.
    case performedButNotAnswered
}

/// An action that has failed, with what became of it.
package struct ActionFailure: Error {
    /// The error that ``ScreenService/perform(_:on:within:)`` throws.
    package let cause: any Error
    package let outcome: ProblemDocument.Outcome
    /// The token of the position at which everything is there that was done; nil where nothing was, or tokens are not used.
    package let position: String?

    package init(cause: any Error, outcome: ProblemDocument.Outcome, position: String? = nil) {
        self.cause = cause
        self.outcome = outcome
        self.position = position
    }
}

/// The rules that an action's input breaks. A store keeps nothing of a transaction that throws it.
public struct BrokenRules: Error, Hashable {
    public let rules: [BrokenRule]

    public init(_ rules: [BrokenRule]) {
        self.rules = rules
    }
}

/// A rule that well-formed input breaks: it asks for what must not be.
public struct BrokenRule: Hashable, Sendable {
    /// The field that it is about; nil if it is about no single one.
    public let field: String?
    /// What is wrong and what would be right, for the user, in their language.
    public let detail: String

    public init(field: String? = nil, _ detail: String) {
        self.field = field
        self.detail = detail
    }
}
