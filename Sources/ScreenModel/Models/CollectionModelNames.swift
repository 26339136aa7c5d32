#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// The names that the CollectionModel library used, for code that was written for that library.

/// A section of a table.
public typealias TableViewSectionViewModel = TableViewSection
/// A section of a collection.
public typealias CollectionViewSectionViewModel = CollectionViewSection

extension SectionedModel {
    /// The cell at an index path, which must exist.
    @inlinable
    public subscript(cellAt indexPath: IndexPath) -> Section.Cell {
        get { self[indexPath] }
        _modify { yield &self[indexPath] }
    }

    /// Returns the cell at an index path, which must exist.
    @inlinable
    public func cellViewModel(at indexPath: IndexPath) -> Section.Cell {
        self[indexPath]
    }

    /// Returns the number of cells in a section, which must exist.
    @inlinable
    public func numberOfItemsInSection(_ section: Int) -> Int {
        sections[section].cells.count
    }
}

extension CollectionViewModel {
    /// Returns the supplementary view with the given key, or `nil` if there is none.
    @inlinable
    public func supplementaryViewModel(for key: SupplementaryViewKey) -> Supplementary? {
        self[supplementaryViewFor: key]
    }

    /// Returns the header or the footer of a section, or `nil` if there is none.
    ///
    /// - Parameter kind: The value of a constant such as `UICollectionElementKindSectionHeader`. Only the end of the value is compared,
    ///   because the values of UIKit and AppKit begin differently.
    public func headerOrFooterViewModel(forKind kind: String, inSection section: Int) -> Supplementary? {
        guard indices.contains(section) else { return nil }
        if kind.hasSuffix("ElementKindSectionHeader") { return self[header: section] }
        return kind.hasSuffix("ElementKindSectionFooter") ? self[footer: section] : nil
    }
}

extension SupplementaryViewSectionKey {
    /// Creates the key of a supplementary view that belongs to an item. `row` is the index of the item.
    @inlinable
    public init(row: Int, kind: String) {
        self.init(kind: kind, item: row)
    }

    /// The index of the item.
    @inlinable public var row: Int { item }
}

extension CollectionViewSection {
    /// The supplementary views other than header and footer.
    @inlinable public var supplementaryViewModels: [SupplementaryViewSectionKey: Supplementary] {
        get { supplementaryViews }
        _modify { yield &supplementaryViews }
    }

    /// Creates a section with the given supplementary views and cells.
    @inlinable
    public init(
        id: String = "", supplementaryViewModels: [SupplementaryViewSectionKey: Supplementary],
        header: Supplementary? = nil, footer: Supplementary? = nil, cells: [Cell]
    ) {
        self.init(id: id, header: header, footer: footer, supplementaryViews: supplementaryViewModels, cells: cells)
    }

    /// Creates a section with the cells of a result builder and the given supplementary views.
    @inlinable
    public init(
        id: String = "", header: Supplementary? = nil, footer: Supplementary? = nil,
        supplementaryViewModels: [SupplementaryViewSectionKey: Supplementary],
        @ListBuilder<Cell> cellsBuilder: () throws -> [Cell]
    ) rethrows {
        self.init(id: id, header: header, footer: footer, supplementaryViews: supplementaryViewModels, cells: try cellsBuilder())
    }

    /// Creates a section from entities, with the given supplementary views. A result builder creates the cells of each entity.
    @inlinable
    public init<Entity>(
        entities: some Sequence<Entity>, id: String = "", header: Supplementary? = nil, footer: Supplementary? = nil,
        supplementaryViewModels: [SupplementaryViewSectionKey: Supplementary],
        @ListBuilder<Cell> cellsBuilder: (Entity) throws -> [Cell]
    ) rethrows {
        self.init(
            id: id, header: header, footer: footer, supplementaryViews: supplementaryViewModels,
            cells: try ListBuilder.list(over: entities, cellsBuilder)
        )
    }
}

// The following initialisers are disfavoured. Otherwise a call with only a trailing closure would be ambiguous, because it also fits an
// initialiser with the label `sections` or `cells`.

extension SectionedModel {
    /// Creates a model with the sections of a result builder.
    @_disfavoredOverload @inlinable
    public init(@ListBuilder<Section> sectionBuilder: () throws -> [Section]) rethrows {
        self.init(sections: try sectionBuilder())
    }

    /// Creates a model from entities. A result builder creates the sections of each entity.
    @_disfavoredOverload @inlinable
    public init<Entity>(
        entities: some Sequence<Entity>, @ListBuilder<Section> sectionBuilder: (Entity) throws -> [Section]
    ) rethrows {
        self.init(sections: try ListBuilder.list(over: entities, sectionBuilder))
    }
}

extension ModelSection {
    /// Creates a section with the cells of a result builder.
    @_disfavoredOverload @inlinable
    public init(
        id: String = "", header: HeaderFooter? = nil, footer: HeaderFooter? = nil, @ListBuilder<Cell> cellsBuilder: () throws -> [Cell]
    ) rethrows {
        self.init(id: id, header: header, footer: footer, cells: try cellsBuilder())
    }

    /// Creates a section from entities. A result builder creates the cells of each entity.
    @_disfavoredOverload @inlinable
    public init<Entity>(
        entities: some Sequence<Entity>, id: String = "", header: HeaderFooter? = nil, footer: HeaderFooter? = nil,
        @ListBuilder<Cell> cellsBuilder: (Entity) throws -> [Cell]
    ) rethrows {
        self.init(
            id: id, header: header, footer: footer,
            cells: try ListBuilder.list(over: entities, cellsBuilder)
        )
    }
}
