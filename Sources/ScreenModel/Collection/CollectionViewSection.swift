/// Holds one section of a collection: its cells, header, footer and other supplementary views.
///
/// A `CollectionViewModel` is a list of them.
public struct CollectionViewSection<Supplementary, Cell>: ModelSection {
    public typealias Element = Cell
    public typealias HeaderFooter = Supplementary

    public var id: String
    public var header: Supplementary?
    public var footer: Supplementary?

    /// Holds the supplementary views other than header and footer by kind and item.
    ///
    /// They stay at their item when cells are inserted or removed before it.
    public var supplementaryViews: [SupplementaryViewKey: Supplementary]
    public var cells: [Cell]

    /// Creates an empty section without id.
    @inlinable
    public init() {
        id = ""
        supplementaryViews = [:]
        cells = []
    }

    /// Creates a section with supplementary views, of cells that are there already.
    @inlinable
    public init(
        id: String = "", header: Supplementary? = nil, footer: Supplementary? = nil,
        supplementaryViews: [SupplementaryViewKey: Supplementary],
        cells: [Cell]
    ) {
        self.init(id: id, header: header, footer: footer, cells: cells)
        self.supplementaryViews = supplementaryViews
    }

    /// Creates a section with supplementary views, of the cells that a builder lists.
    @inlinable
    public init(
        id: String = "", header: Supplementary? = nil, footer: Supplementary? = nil,
        supplementaryViews: [SupplementaryViewKey: Supplementary],
        @ListBuilder<Cell> cells: () throws -> [Cell]
    ) rethrows {
        self.init(id: id, header: header, footer: footer, cells: try cells())
        self.supplementaryViews = supplementaryViews
    }

    /// Reaches a supplementary view; nil where there is none.
    @inlinable
    public subscript(key: SupplementaryViewKey) -> Supplementary? {
        get { supplementaryViews[key] }
        _modify { yield &supplementaryViews[key] }
    }
}

extension CollectionViewSection: Equatable where Supplementary: Equatable, Cell: Equatable {}
extension CollectionViewSection: Hashable where Supplementary: Hashable, Cell: Hashable {}
extension CollectionViewSection: Sendable where Supplementary: Sendable, Cell: Sendable {}
