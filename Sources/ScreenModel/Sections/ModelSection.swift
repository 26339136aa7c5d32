/// Groups cells under one id, with a header and a footer.
///
/// Table and collection sections share through it what both have: they are collections of their
/// cells and are built in the same ways. Ids tell sections apart from one version of a screen to
/// the next, so they have to be unique in a model that has several.
public protocol ModelSection<HeaderFooter, Cell>: ArrayBacked where Element == Cell {
    /// Holds what headers and footers show; `Never` where there are none.
    associatedtype HeaderFooter

    /// Holds what a cell shows.
    associatedtype Cell

    /// Names the section within its model, the same in every version; `""` by default.
    var id: String { get set }

    /// Stands above the cells; nil where there is none.
    var header: HeaderFooter? { get set }

    /// Stands below the cells; nil where there is none.
    var footer: HeaderFooter? { get set }

    /// Holds the cells in the order in which they are shown.
    var cells: [Cell] { get set }
}

extension ModelSection {
    @inlinable public var elements: [Cell] {
        get { cells }
        _modify { yield &cells }
    }

    /// Creates a section of cells that are there already.
    @inlinable
    public init(
        id: String = "", header: HeaderFooter? = nil, footer: HeaderFooter? = nil, cells: [Cell]
    ) {
        self.init()
        self.id = id
        self.header = header
        self.footer = footer
        self.cells = cells
    }

    /// Creates a section of the cells that a builder lists.
    @inlinable
    public init(
        id: String = "", header: HeaderFooter? = nil, footer: HeaderFooter? = nil,
        @ListBuilder<Cell> cells: () throws -> [Cell]
    ) rethrows {
        self.init(id: id, header: header, footer: footer, cells: try cells())
    }

    /// Creates a section of the cells that a builder lists for each entity, in their order.
    @inlinable
    public init<Entity>(
        id: String = "", header: HeaderFooter? = nil, footer: HeaderFooter? = nil,
        entities: some Sequence<Entity>,
        @ListBuilder<Cell> cells: (Entity) throws -> [Cell]
    ) rethrows {
        self.init(
            id: id, header: header, footer: footer,
            cells: try ListBuilder.list(over: entities, cells)
        )
    }
}
