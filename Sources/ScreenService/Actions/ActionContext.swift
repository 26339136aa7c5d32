/// What an action is performed for: who asks, and on which screen.
public struct ActionContext: Sendable {
    public let caller: Caller
    private let screen: ScreenRequest

    init(screen: ScreenRequest, caller: Caller) {
        self.screen = screen
        self.caller = caller
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
