#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a collection screen shows: sections with cells and supplementary views.
///
/// A screen of layout `collection` returns it; rendering turns it into a snapshot. Where there
/// are no headers, footers and other views, `Supplementary` is `Never`.
public struct CollectionViewModel<Supplementary, Cell>: SectionedModel {
    public typealias Section = CollectionViewSection<Supplementary, Cell>
    public typealias Element = Section

    public var sections: [Section]

    @inlinable
    public init(sections: [Section]) {
        self.sections = sections
    }

    /// The supplementary view of a kind at a place.
    ///
    /// Reading gives nil where there is no such section or view; writing needs the section.
    @inlinable
    public subscript(supplementaryView kind: String, at indexPath: IndexPath) -> Supplementary? {
        get { self[supplementaryViewFor: SupplementaryViewKey(indexPath: indexPath, kind: kind)] }
        set { self[supplementaryViewFor: SupplementaryViewKey(indexPath: indexPath, kind: kind)] = newValue }
    }
}

extension CollectionViewModel: Equatable where Supplementary: Equatable, Cell: Equatable {}
extension CollectionViewModel: Hashable where Supplementary: Hashable, Cell: Hashable {}
extension CollectionViewModel: Sendable where Supplementary: Sendable, Cell: Sendable {}

/// One section of a collection: its cells, header, footer and other supplementary views.
///
/// A `CollectionViewModel` is a list of them.
public struct CollectionViewSection<Supplementary, Cell>: ModelSection {
    public typealias Element = Cell
    public typealias HeaderFooter = Supplementary

    public var id: String
    public var header: Supplementary?
    public var footer: Supplementary?

    /// The supplementary views other than header and footer, by kind and item.
    ///
    /// They stay at their item when cells are inserted or removed in place. Where a section is made of this one
    /// (`filter`, `applying`, `+`, stages of a changeset), they go along with their cells, and away with them.
    public var supplementaryViews: [SupplementaryViewSectionKey: Supplementary]
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
        supplementaryViews: [SupplementaryViewSectionKey: Supplementary],
        cells: [Cell]
    ) {
        self.init(id: id, header: header, footer: footer, cells: cells)
        self.supplementaryViews = supplementaryViews
    }

    /// Creates a section with supplementary views, of the cells that a builder lists.
    @inlinable
    public init(
        id: String = "", header: Supplementary? = nil, footer: Supplementary? = nil,
        supplementaryViews: [SupplementaryViewSectionKey: Supplementary],
        @ListBuilder<Cell> cells: () throws -> [Cell]
    ) rethrows {
        self.init(id: id, header: header, footer: footer, cells: try cells())
        self.supplementaryViews = supplementaryViews
    }

    /// Replaces the cells, some of which stay. Their supplementary views go along with them; those that belong to
    /// no cell stay where they are.
    public mutating func replaceCells(with cells: [Cell], from sources: [Int?]) {
        if !supplementaryViews.isEmpty { moveViews(to: sources) }
        self.cells = cells
    }

    /// Puts the cells of another section behind the own ones, with their supplementary views.
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
        // A cell's view takes the place of one that no cell had.
        for (key, view) in supplementaryViews {
            if let item = items[key.item] { moved[SupplementaryViewSectionKey(kind: key.kind, item: item)] = view }
        }
        supplementaryViews = moved
    }

    /// A supplementary view; nil where there is none.
    @inlinable
    public subscript(key: SupplementaryViewSectionKey) -> Supplementary? {
        get { supplementaryViews[key] }
        _modify { yield &supplementaryViews[key] }
    }
}

extension CollectionViewSection: Equatable where Supplementary: Equatable, Cell: Equatable {}
extension CollectionViewSection: Hashable where Supplementary: Hashable, Cell: Hashable {}
extension CollectionViewSection: Sendable where Supplementary: Sendable, Cell: Sendable {}
