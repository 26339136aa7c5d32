public import Foundation

/// The caller, the idempotency key and the view of a request for an action.
public struct ActionContext: Sendable {
    public let caller: Caller
    /// The client's `Idempotency-Key`, or `nil` if the request has none.
    ///
    /// The action's transaction commits only once per key. Effects outside of the transaction, such as mail or a payment, may be repeated
    /// after a crash or on another replica. To avoid this, send the key to the service that performs these effects. A key is unique only
    /// within one user, screen and action. Therefore send the user's id and the names of the screen and the action together with the key.
    public let idempotencyKey: String?
    private let screen: ScreenRequest

    init(screen: ScreenRequest, caller: Caller, idempotencyKey: String?) {
        self.screen = screen
        self.caller = caller
        self.idempotencyKey = idempotencyKey
    }

    /// The id of the verified user. It is available even if the screen is computed for everyone.
    ///
    /// - Throws: ``AnonymousCaller`` if the caller is anonymous. Use ``Action/access(_:)`` to require a user.
    public var user: String {
        get throws(AnonymousCaller) {
            guard let user = caller.user else { throw AnonymousCaller() }
            return user
        }
    }

    /// The current time, in whole seconds, by the clock of the server. A test can set this clock.
    public var now: Date { screen.time }

    /// The audience that the screen is computed for.
    public var audience: Audience { screen.audience }
    /// The revision of the screen that the client was built for.
    public var revision: Int { screen.revision }
    public var locale: ScreenLocale { screen.locale }

    /// The value of a parameter that the screen declares.
    public subscript<Value>(parameter: Parameter<Value>) -> Value { screen[parameter] }
}

/// An error that is thrown when a handler reads the user of an anonymous caller.
public struct AnonymousCaller: Error, Hashable {}
