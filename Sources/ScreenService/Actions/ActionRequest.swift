public import ScreenWire

/// Is what a client asks for when it has an action performed.
public struct ActionRequest: Hashable, Sendable {
    /// The action's name.
    public let action: String
    /// Who asks.
    public let user: String
    /// The version that the client holds; nil for none.
    public let version: String?
    /// An object.
    public let input: JSONValue
    /// Makes the same request, sent again, be performed once; nil if the client does not care.
    public let idempotencyKey: String?

    public init(action: String, user: String, version: String?, input: JSONValue, idempotencyKey: String?) {
        self.action = action
        self.user = user
        self.version = version
        self.input = input
        self.idempotencyKey = idempotencyKey
    }
}

/// Says why an action was not performed.
public enum ActionFault: Error, Hashable {
    case unknownAction(String, screen: String, known: [String])
    /// The same key came with another request before.
    case keyOfOtherRequest
    /// The request that came first with this key is not answered yet.
    case underWay
}
