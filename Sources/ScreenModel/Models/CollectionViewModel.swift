#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The model of a collection screen. `Supplementary` is the type of headers, footers and supplementary views, or `Never` if there are none.
public struct CollectionViewModel<Supplementary, Cell>: SectionedModel {
    public typealias Section = CollectionViewSection<Supplementary, Cell>
    public typealias Element = Section

    public var sections: [Section]

    @inlinable
    public init(sections: [Section]) {
        self.sections = sections
    }

    /// The supplementary view of a kind at an index path, or `nil` if there is no such section or view. A view can be assigned only if the
    /// section exists.
    @inlinable
    public subscript(supplementaryView kind: String, at indexPath: IndexPath) -> Supplementary? {
        get { self[supplementaryViewFor: SupplementaryViewKey(indexPath: indexPath, kind: kind)] }
        set { self[supplementaryViewFor: SupplementaryViewKey(indexPath: indexPath, kind: kind)] = newValue }
    }

    /// The supplementary view at a place in the model, or `nil` if there is no such place or view. A view can be assigned only if the
    /// section exists.
    @inlinable
    public subscript(supplementaryViewFor key: SupplementaryViewKey) -> Supplementary? {
        get {
            guard key.indexPath.count == 2, indices.contains(key.indexPath[0]) else { return nil }
            return sections[key.indexPath[0]][key.sectionKey]
        }
        set { sections[key.indexPath[0]][key.sectionKey] = newValue }
    }
}

extension CollectionViewModel: Equatable where Supplementary: Equatable, Cell: Equatable {}
extension CollectionViewModel: Hashable where Supplementary: Hashable, Cell: Hashable {}
extension CollectionViewModel: Sendable where Supplementary: Sendable, Cell: Sendable {}

/// A section of a collection: its cells, header, footer and other supplementary views.
public struct CollectionViewSection<Supplementary, Cell>: ModelSection {
    public typealias Element = Cell
    public typealias HeaderFooter = Supplementary

    public var id: String
    public var header: Supplementary?
    public var footer: Supplementary?

    /// The supplementary views other than header and footer, by kind and item.
    ///
    /// Methods that change the cells in place, such as `insert`, do not move the views. Operations that create a new section, such as
    /// `filter`, `applying`, `+` and the stages of a changeset, move or remove each view together with its cell.
    public var supplementaryViews: [SupplementaryViewSectionKey: Supplementary]
    public var cells: [Cell]

    /// Creates an empty section with an empty id.
    @inlinable
    public init() {
        id = ""
        supplementaryViews = [:]
        cells = []
    }

    /// Creates a section with the given supplementary views and cells.
    @inlinable
    public init(
        id: String = "", header: Supplementary? = nil, footer: Supplementary? = nil,
        supplementaryViews: [SupplementaryViewSectionKey: Supplementary],
        cells: [Cell]
    ) {
        self.init(id: id, header: header, footer: footer, cells: cells)
        self.supplementaryViews = supplementaryViews
    }

    /// Creates a section with the given supplementary views and the cells of a result builder.
    @inlinable
    public init(
        id: String = "", header: Supplementary? = nil, footer: Supplementary? = nil,
        supplementaryViews: [SupplementaryViewSectionKey: Supplementary],
        @ListBuilder<Cell> cells: () throws -> [Cell]
    ) rethrows {
        self.init(id: id, header: header, footer: footer, cells: try cells())
        self.supplementaryViews = supplementaryViews
    }

    /// Replaces the cells. The supplementary views of a cell are moved or removed together with the cell. A view that belongs to no cell
    /// keeps its index.
    public mutating func replaceCells(with cells: [Cell], from sources: [Int?]) {
        if !supplementaryViews.isEmpty { moveViews(to: sources) }
        self.cells = cells
    }

    /// Appends the cells of another section, with their supplementary views.
    public mutating func appendCells(of other: Self) {
        let count = cells.count
        cells += other.cells
        for (key, view) in other.supplementaryViews where other.cells.indices.contains(key.item) {
            supplementaryViews[SupplementaryViewSectionKey(kind: key.kind, item: count + key.item)] = view
        }
    }

    private mutating func moveViews(to sources: [Int?]) {
        var items: [Int: Int] = [:]
        for (item, source) in sources.enumerated() {
            if let source { items[source] = item }
        }
        var moved = supplementaryViews.filter { !cells.indices.contains($0.key.item) }
        // A cell's view replaces a view of the same kind that belongs to no cell.
        for (key, view) in supplementaryViews {
            if let item = items[key.item] { moved[SupplementaryViewSectionKey(kind: key.kind, item: item)] = view }
        }
        supplementaryViews = moved
    }

    /// The supplementary view with the given key, or `nil` if there is none.
    @inlinable
    public subscript(key: SupplementaryViewSectionKey) -> Supplementary? {
        get { supplementaryViews[key] }
        _modify { yield &supplementaryViews[key] }
    }
}

// The following initialisers are disfavoured. Otherwise a call with an empty dictionary literal would be ambiguous.
extension CollectionViewSection where Cell: CellContent {
    /// Creates a section with supplementary views that belong to cells of the section. A view whose cell is not in the section is left out.
    @_disfavoredOverload
    public init(
        id: String = "", header: Supplementary? = nil, footer: Supplementary? = nil,
        supplementaryViews: [SupplementaryViewCellKey: Supplementary],
        cells: [Cell]
    ) {
        self.init(id: id, header: header, footer: footer, cells: cells)
        let items = Dictionary(cells.enumerated().map { ($1.id, $0) }) { first, _ in first }
        for (key, view) in supplementaryViews {
            if let item = items[key.cell] { self[SupplementaryViewSectionKey(kind: key.kind, item: item)] = view }
        }
    }

    /// Creates a section with the cells of a result builder, and with supplementary views that belong to these cells. A view whose cell is
    /// not in the section is left out.
    @_disfavoredOverload @inlinable
    public init(
        id: String = "", header: Supplementary? = nil, footer: Supplementary? = nil,
        supplementaryViews: [SupplementaryViewCellKey: Supplementary],
        @ListBuilder<Cell> cells: () throws -> [Cell]
    ) rethrows {
        self.init(id: id, header: header, footer: footer, supplementaryViews: supplementaryViews, cells: try cells())
    }
}

extension CollectionViewSection: Equatable where Supplementary: Equatable, Cell: Equatable {}
extension CollectionViewSection: Hashable where Supplementary: Hashable, Cell: Hashable {}
extension CollectionViewSection: Sendable where Supplementary: Sendable, Cell: Sendable {}
