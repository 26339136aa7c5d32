// Sections under the names that they have in CollectionModel.

/// One section of a table.
public typealias TableViewSectionViewModel = TableViewSection
/// One section of a collection.
public typealias CollectionViewSectionViewModel = CollectionViewSection

extension CollectionViewSection {
    /// The supplementary views other than header and footer: `supplementaryViews`.
    @inlinable public var supplementaryViewModels: [SupplementaryViewSectionKey: Supplementary] {
        get { supplementaryViews }
        _modify { yield &supplementaryViews }
    }

    /// Creates a section with supplementary views, of cells that are there already.
    @inlinable
    public init(
        id: String = "", supplementaryViewModels: [SupplementaryViewSectionKey: Supplementary],
        header: Supplementary? = nil, footer: Supplementary? = nil, cells: [Cell]
    ) {
        self.init(id: id, header: header, footer: footer, supplementaryViews: supplementaryViewModels, cells: cells)
    }

    /// Creates a section with supplementary views, of the cells that a builder lists.
    @inlinable
    public init(
        id: String = "", supplementaryViewModels: [SupplementaryViewSectionKey: Supplementary],
        header: Supplementary? = nil, footer: Supplementary? = nil, @ListBuilder<Cell> cells: () throws -> [Cell]
    ) rethrows {
        self.init(
            id: id, header: header, footer: footer, supplementaryViews: supplementaryViewModels, cells: try cells()
        )
    }
}
