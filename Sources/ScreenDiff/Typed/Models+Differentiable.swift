public import ScreenModel

extension TableViewSection: ContentIdentifiable, ContentEquatable, DifferentiableSection
where HeaderFooter: ContentEquatable, Cell: Differentiable {
    public typealias Collection = [Cell]

    @inlinable
    public var differenceIdentifier: String { id }

    @inlinable
    public func isContentEqual(to source: TableViewSection) -> Bool {
        header.isContentEqual(to: source.header) && footer.isContentEqual(to: source.footer)
    }

    @inlinable
    public init(source: TableViewSection, elements: some Swift.Collection<Cell>) {
        self.init(id: source.id, header: source.header, footer: source.footer, cells: Array(elements))
    }
}

extension CollectionViewSection: ContentIdentifiable, ContentEquatable, DifferentiableSection
where Supplementary: ContentEquatable, Cell: Differentiable {
    public typealias Collection = [Cell]

    @inlinable
    public var differenceIdentifier: String { id }

    /// Whether header, footer and supplementary views show the same. A supplementary view belongs to its cell: one
    /// that is elsewhere because its cell is has not changed.
    public func isContentEqual(to source: CollectionViewSection) -> Bool {
        header.isContentEqual(to: source.header) && footer.isContentEqual(to: source.footer)
            && viewsByOwner.isContentEqual(to: source.viewsByOwner)
    }

    /// Creates the section with other cells. Supplementary views follow the cells that they belong to; those of
    /// cells that it has not are left out.
    public init(source: CollectionViewSection, elements: some Swift.Collection<Cell>) {
        self = source
        cells = Array(elements)
        if !supplementaryViews.isEmpty { put(source.viewsByOwner) }
    }
}

extension SectionedModel where Section: DifferentiableSection {
    /// Returns the changeset that leads from this model to `target`.
    @inlinable
    public func changeset(
        to target: Self, anchor: Section.Collection.Element.DifferenceIdentifier? = nil
    ) -> StagedChangeset<Self> {
        StagedChangeset(source: self, target: target, anchor: anchor)
    }
}

extension StagedChangeset where Collection: SectionedModel, Collection.Element: DifferentiableSection {
    // A model's sections are an array already, which is not copied.
    /// Finds the changeset between two models.
    @inlinable
    public init(
        source: Collection, target: Collection, anchor: Collection.Element.Collection.Element.DifferenceIdentifier? = nil
    ) {
        self.init(source.sections, target.sections, to: target, anchor: anchor)
    }
}

// A model among others, as an element of a list: it is the same while its sections are.

extension TableViewModel: ContentIdentifiable, ContentEquatable where HeaderFooter: ContentEquatable, Cell: Differentiable {
    public var differenceIdentifier: [String] { map(\.id) }

    public func isContentEqual(to source: TableViewModel) -> Bool {
        showsTheSame(as: source)
    }
}

extension CollectionViewModel: ContentIdentifiable, ContentEquatable where Supplementary: ContentEquatable, Cell: Differentiable {
    public var differenceIdentifier: [String] { map(\.id) }

    public func isContentEqual(to source: CollectionViewModel) -> Bool {
        showsTheSame(as: source)
    }
}

extension SectionedModel where Section: DifferentiableSection {
    fileprivate func showsTheSame(as source: Self) -> Bool {
        Array(self).isSame(as: Array(source)) && zip(self, source).allSatisfy { section, other in
            Array(section.elements).isSame(as: Array(other.elements))
        }
    }
}

extension Array where Element: Differentiable {
    fileprivate func isSame(as other: [Element]) -> Bool {
        differenceIdentifier == other.differenceIdentifier && isContentEqual(to: other)
    }
}
