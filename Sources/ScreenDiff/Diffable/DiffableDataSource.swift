/// The data source of a list view. The list view shows one snapshot after another.
///
///     let dataSource = DiffableDataSource<Section, Mountain.ID>(view)
///     dataSource.apply(snapshot)
///
/// The view reads the numbers of sections and items, and the identifiers, from its data source. An applied snapshot is compared with the
/// sections and items that are shown. The view performs the differences in stages. A cell that remains is recreated only if its item or its
/// section is reloaded.
@MainActor
public final class DiffableDataSource<SectionID: Hashable, ItemID: Hashable> {
    private let view: any BatchUpdating
    /// The sections and items that the view shows. While a changeset is performed, they are the list after the current stage.
    private var sections: [DiffableSection<SectionID, ItemID>] = [] {
        didSet { places = nil }
    }
    /// The place of each item, or `nil` if the places have not been requested since the last change.
    private var places: [ItemID: CellPlace]?

    /// Creates a data source without sections.
    public init(_ view: some BatchUpdating) {
        self.view = view
    }

    /// Shows a snapshot.
    ///
    /// If the view or its data source applies another snapshot within a batch, the view is reloaded with the newest snapshot after the
    /// batch.
    ///
    /// - Parameters:
    ///   - animatingDifferences: A Boolean value that indicates whether the view performs the differences. If it is false, the view is
    ///     reloaded.
    ///   - completion: A function that is called once, after the animations of all stages have ended.
    public func apply(
        _ snapshot: DiffableSnapshot<SectionID, ItemID>, animatingDifferences: Bool = true, completion: (@MainActor () -> Void)? = nil
    ) {
        let target = snapshot.sections
        // While a changeset is performed, no differences are computed, because the view is reloaded with the newest snapshot afterwards.
        let isReloaded = !animatingDifferences || ReloadInProgress.all[view.identity] != nil
        let changeset =
            isReloaded
            ? [Changeset(data: target)] : StagedChangeset(source: sections.map(\.withoutUpdates), target: target)
        view.reload(using: changeset, interrupt: { _ in isReloaded }, setData: { sections = $0 }, completion: { _ in completion?() })
    }

    /// Returns a snapshot of the sections and items that are shown. No item and no section is marked as reloaded or reconfigured.
    public func snapshot() -> DiffableSnapshot<SectionID, ItemID> {
        var snapshot = DiffableSnapshot<SectionID, ItemID>()
        snapshot.appendSections(sections.map(\.differenceIdentifier))
        for section in sections {
            snapshot.appendItems(section.elements.map(\.differenceIdentifier), toSection: section.differenceIdentifier)
        }
        return snapshot
    }
}

extension DiffableDataSource {
    /// The number of sections that are shown.
    public var numberOfSections: Int { sections.count }

    /// Returns the number of items in the section at an index, which must exist.
    public func numberOfItems(inSection index: Int) -> Int { sections[index].elements.count }

    /// Returns the identifier of the item at a place, or `nil` if there is no such item.
    public func itemIdentifier(for place: CellPlace) -> ItemID? {
        guard sections.indices.contains(place.section), sections[place.section].elements.indices.contains(place.item) else { return nil }
        return sections[place.section].elements[place.item].differenceIdentifier
    }

    /// Returns the place of an item, or `nil` if there is no such item. The first call after a change takes O(n), all other calls O(1).
    public func place(for identifier: ItemID) -> CellPlace? {
        let known = places ?? allPlaces()
        places = known
        return known[identifier]
    }

    /// Returns the identifier of the section at an index, or `nil` if there is no such section.
    public func sectionIdentifier(for index: Int) -> SectionID? {
        sections.indices.contains(index) ? sections[index].differenceIdentifier : nil
    }

    /// Returns the index of a section, or `nil` if there is no such section.
    public func index(for identifier: SectionID) -> Int? {
        sections.firstIndex { $0.differenceIdentifier == identifier }
    }

    private func allPlaces() -> [ItemID: CellPlace] {
        var places: [ItemID: CellPlace] = [:]
        for (section, content) in sections.enumerated() {
            for (item, element) in content.elements.enumerated() {
                places[element.differenceIdentifier] = CellPlace(section: section, item: item)
            }
        }
        return places
    }
}
