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

    /// Returns a Boolean value that indicates whether the headers, the footers and the supplementary views of both sections are equal. If
    /// a supplementary view moves with its cell, it is compared with the view at the previous place of the cell.
    public func isContentEqual(to source: CollectionViewSection) -> Bool {
        header.isContentEqual(to: source.header) && footer.isContentEqual(to: source.footer)
            && viewsByOwner.isContentEqual(to: source.viewsByOwner)
    }

    /// Creates a copy of a section with different cells. Supplementary views move with their cells. A supplementary view is left out if its
    /// cell is left out.
    public init(source: CollectionViewSection, elements: some Swift.Collection<Cell>) {
        self = source
        cells = Array(elements)
        if !supplementaryViews.isEmpty { put(source.viewsByOwner) }
    }
}

extension SectionedModel where Section: DifferentiableSection {
    /// Returns the changeset from this model to `target`.
    @inlinable
    public func changeset(
        to target: Self, anchor: Section.Collection.Element.DifferenceIdentifier? = nil
    ) -> StagedChangeset<Self> {
        StagedChangeset(source: self, target: target, anchor: anchor)
    }
}

extension StagedChangeset where Collection: SectionedModel, Collection.Element: DifferentiableSection {
    /// Finds the changeset between two models.
    @inlinable
    public init(
        source: Collection, target: Collection, anchor: Collection.Element.Collection.Element.DifferenceIdentifier? = nil
    ) {
        // Without this overload, the sections of a model would be copied to a new array.
        self.init(source.sections, target.sections, to: target, anchor: anchor)
    }
}

// A model can be an element of a list. Two models have the same identity if their sections have the same ids.

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
        Array(self).isSame(as: Array(source))
            && zip(self, source).allSatisfy { section, other in
                Array(section.elements).isSame(as: Array(other.elements))
            }
    }
}

extension Array where Element: Differentiable {
    fileprivate func isSame(as other: [Element]) -> Bool {
        differenceIdentifier == other.differenceIdentifier && isContentEqual(to: other)
    }
}
