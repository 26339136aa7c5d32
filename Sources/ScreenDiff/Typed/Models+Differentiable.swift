public import ScreenModel

extension TableViewSection: Differentiable, DifferentiableSection
where HeaderFooter: Equatable, Cell: Differentiable {
    @inlinable
    public var differenceIdentifier: String { id }

    @inlinable
    public func isContentEqual(to source: TableViewSection) -> Bool {
        header == source.header && footer == source.footer
    }

    public func with(cells: [Cell]) -> TableViewSection {
        TableViewSection(id: id, header: header, footer: footer, cells: cells)
    }
}

extension CollectionViewSection: Differentiable, DifferentiableSection
where Supplementary: Equatable, Cell: Differentiable {
    @inlinable
    public var differenceIdentifier: String { id }

    @inlinable
    public func isContentEqual(to source: CollectionViewSection) -> Bool {
        header == source.header && footer == source.footer && supplementaryViews == source.supplementaryViews
    }

    public func with(cells: [Cell]) -> CollectionViewSection {
        CollectionViewSection(
            id: id, header: header, footer: footer, supplementaryViews: supplementaryViews, cells: cells
        )
    }
}

extension SectionedModel where Section: DifferentiableSection {
    /// Returns the changeset that leads from this model to `target`.
    @inlinable
    public func changeset(
        to target: Self, anchor: Section.Cell.DifferenceIdentifier? = nil
    ) -> StagedChangeset<Section> {
        StagedChangeset(source: self, target: target, anchor: anchor)
    }

    /// Returns this model after all stages of `changeset`.
    public func applying(_ changeset: StagedChangeset<Section>) throws(StageMisfit) -> Self {
        Self(sections: try sections.applying(changeset))
    }
}

extension StagedChangeset {
    /// Finds the changeset between two models.
    @inlinable
    public init<Model: SectionedModel<Section>>(
        source: Model, target: Model, anchor: Section.Cell.DifferenceIdentifier? = nil
    ) {
        self.init(source: source.sections, target: target.sections, anchor: anchor)
    }
}
