/// Cells under one id, with a header and a footer.
///
/// What table and collection sections have in common: they are collections of their cells and are
/// built in the same ways. Ids tell sections apart from one version of a screen to
/// the next, so they have to be unique in a model that has several.
public protocol ModelSection<HeaderFooter, Cell>: ArrayBacked where Element == Cell {
    /// The type of headers and footers; `Never` where there are none.
    associatedtype HeaderFooter

    /// The type of cells.
    associatedtype Cell

    /// The name of the section within its model, the same in every version; `""` by default.
    var id: String { get set }

    /// What stands above the cells; nil where there is none.
    var header: HeaderFooter? { get set }

    /// What stands below the cells; nil where there is none.
    var footer: HeaderFooter? { get set }

    /// The cells in the order in which they are shown.
    var cells: [Cell] { get set }

    /// Replaces the cells, some of which stay.
    ///
    /// - Parameter sources: for each new cell, its place among those before; nil for one that was not there.
    mutating func replaceCells(with cells: [Cell], from sources: [Int?])

    /// Puts the cells of another section behind the own ones, with what belongs to them.
    mutating func appendCells(of other: Self)
}

extension ModelSection {
    @inlinable
    public mutating func replaceCells(with cells: [Cell], from sources: [Int?]) {
        self.cells = cells
    }

    @inlinable
    public mutating func appendCells(of other: Self) {
        cells += other.cells
    }

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

/// A collection whose elements are those of one array.
///
/// Sections are collections of their cells and models of their sections, so that both are read and
/// changed with everything that the standard library offers for arrays.
public protocol ArrayBacked: RandomAccessCollection, MutableCollection, RangeReplaceableCollection
where Index == Int, Indices == Range<Int> {
    /// The elements in their order.
    var elements: [Element] { get set }
}

extension ArrayBacked {
    @inlinable public var startIndex: Int { elements.startIndex }
    @inlinable public var endIndex: Int { elements.endIndex }

    @inlinable public subscript(position: Int) -> Element {
        get { elements[position] }
        // A setter would copy the element, and with it the arrays inside, on each change.
        _modify { yield &elements[position] }
    }

    @inlinable
    public mutating func replaceSubrange(
        _ subrange: Range<Int>, with newElements: some Collection<Element>
    ) {
        elements.replaceSubrange(subrange, with: newElements)
    }
}
