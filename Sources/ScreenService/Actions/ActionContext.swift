/// What an action is performed for: who asks, and on which screen.
public struct ActionContext: Sendable {
    public let caller: Caller
    /// The client's `Idempotency-Key`; nil where the request has none.
    ///
    /// The action's transaction commits once under it. Effects outside of the transaction, such as mail or a payment, may repeat after a crash
    /// or on another replica: pass the key on to the service that performs them. It is unique for this user, screen and
    /// action only, so a service that serves several of them needs these as well.
    public let idempotencyKey: String?
    private let screen: ScreenRequest

    init(screen: ScreenRequest, caller: Caller, idempotencyKey: String?) {
        self.screen = screen
        self.caller = caller
        self.idempotencyKey = idempotencyKey
    }

    /// The user who asks, also on a screen for everyone.
    ///
    /// - Throws: ``NobodyKnown``. An action that needs a user says so: ``Action/access(_:)``.
    public var user: String {
        get throws(NobodyKnown) {
            guard let user = caller.user else { throw NobodyKnown() }
            return user
        }
    }

    /// Whom the screen is computed for.
    public var audience: Audience { screen.audience }
    /// One of the screen's `revisions`: what the client was built for.
    public var revision: Int { screen.revision }
    public var locale: ScreenLocale { screen.locale }

    /// The value of a parameter that the screen declares.
    public subscript<Value>(parameter: Parameter<Value>) -> Value { screen[parameter] }
}

/// An action for everyone asked who the user is: a mistake of its author.
public struct NobodyKnown: Error, Hashable {}
