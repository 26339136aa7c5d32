// The following initialisers are unavailable. The compiler selects them only if no other initialiser fits, and then shows their messages.

extension ModelSection {
    @available(
        *, unavailable,
        message: "Headers and footers must have the type that the model declares. Use `AnyView` for several types: `AnyView(header)`."
    )
    public init(id: String = "", header: Any? = nil, footer: Any? = nil, cells: [Cell]) { fatalError() }

    @available(
        *, unavailable,
        message: "Headers and footers must have the type that the model declares. Use `AnyView` for several types: `AnyView(header)`."
    )
    public init(id: String = "", header: Any? = nil, footer: Any? = nil, @ListBuilder<Cell> cells: () throws -> [Cell]) { fatalError() }

    @available(
        *, unavailable,
        message: "Headers and footers must have the type that the model declares. Use `AnyView` for several types: `AnyView(header)`."
    )
    public init<Entity>(
        id: String = "", header: Any? = nil, footer: Any? = nil, entities: some Sequence<Entity>,
        @ListBuilder<Cell> cells: (Entity) throws -> [Cell]
    ) { fatalError() }
}

extension ModelSection where HeaderFooter == Never {
    @available(
        *, unavailable,
        message: "The type of headers and footers is `Never`: replace `Never` in the type of the model with their type."
    )
    public init(id: String = "", header: Any? = nil, footer: Any? = nil, cells: [Cell]) { fatalError() }

    @available(
        *, unavailable,
        message: "The type of headers and footers is `Never`: replace `Never` in the type of the model with their type."
    )
    public init(id: String = "", header: Any? = nil, footer: Any? = nil, @ListBuilder<Cell> cells: () throws -> [Cell]) { fatalError() }

    @available(
        *, unavailable,
        message: "The type of headers and footers is `Never`: replace `Never` in the type of the model with their type."
    )
    public init<Entity>(
        id: String = "", header: Any? = nil, footer: Any? = nil, entities: some Sequence<Entity>,
        @ListBuilder<Cell> cells: (Entity) throws -> [Cell]
    ) { fatalError() }
}
