/// A section of a table or collection screen. The section has an id, cells, and optionally a header and a footer. A section is itself a
/// Swift `Collection` whose elements are the cells.
public protocol ModelSection<HeaderFooter, Cell>: ArrayBacked where Element == Cell {
    /// The type of headers and footers, or `Never` if there are none.
    associatedtype HeaderFooter

    /// The type of cells.
    associatedtype Cell

    /// The id of the section. It is unique in the model, and the same in every version. The default is an empty string.
    var id: String { get set }

    /// The view above the cells, or `nil` if there is none.
    var header: HeaderFooter? { get set }

    /// The view below the cells, or `nil` if there is none.
    var footer: HeaderFooter? { get set }

    /// The cells in the order in which they are shown.
    var cells: [Cell] { get set }

    /// Replaces the cells. If a cell stays in the section, the views that belong to this cell are kept.
    ///
    /// - Parameter sources: For each cell in `cells`, its index before the call. `nil` means that the cell was not in the section.
    mutating func replaceCells(with cells: [Cell], from sources: [Int?])

    /// Appends the cells of another section, together with the views that belong to these cells.
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

    /// Creates a section with the given cells.
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

    /// Creates a section with the cells of a result builder.
    @inlinable
    public init(
        id: String = "", header: HeaderFooter? = nil, footer: HeaderFooter? = nil,
        @ListBuilder<Cell> cells: () throws -> [Cell]
    ) rethrows {
        self.init(id: id, header: header, footer: footer, cells: try cells())
    }

    /// Creates a section from entities. A result builder creates the cells of each entity.
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

/// A collection that stores its elements in an array. Sections are collections of cells, and models are collections of sections.
public protocol ArrayBacked: RandomAccessCollection, MutableCollection, RangeReplaceableCollection
where Index == Int, Indices == Range<Int> {
    /// The array of the elements.
    var elements: [Element] { get set }
}

extension ArrayBacked {
    @inlinable public var startIndex: Int { elements.startIndex }
    @inlinable public var endIndex: Int { elements.endIndex }

    @inlinable public subscript(position: Int) -> Element {
        get { elements[position] }
        // A setter would copy the element, including its arrays, on each change.
        _modify { yield &elements[position] }
    }

    @inlinable
    public mutating func replaceSubrange(
        _ subrange: Range<Int>, with newElements: some Collection<Element>
    ) {
        elements.replaceSubrange(subrange, with: newElements)
    }
}
