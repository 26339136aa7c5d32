// The following initialisers are unavailable. The compiler selects them only if no other initialiser fits, and then shows their messages.

extension Action {
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "The closure must take the screen, the context, and one value per field: `{ (screen: MyScreen, context, first, second) in … }`."
    )
    public init<Owner: Screen, each Value: Sendable, each Given>(
        _ name: String, title: Text? = nil, _ summary: Text, _ field: repeat Field<each Value>,
        perform: @escaping @Sendable (Owner, ActionContext, repeat each Given) async throws -> Void
    ) { fatalError() }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "The closure must take the context, and one value per field: `{ context, first, second in … }`."
    )
    public init<each Value: Sendable, each Given>(
        _ name: String, title: Text? = nil, _ summary: Text, _ field: repeat Field<each Value>,
        perform: @escaping @Sendable (ActionContext, repeat each Given) async throws -> Void
    ) { fatalError() }
}
