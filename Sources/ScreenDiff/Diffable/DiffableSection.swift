import ScreenModel

/// A section of a snapshot, for the differ.
struct DiffableSection<SectionID: Hashable, ItemID: Hashable>: DifferentiableSection {
    let differenceIdentifier: SectionID
    var elements: [Item]
    var isReloaded: Bool

    init(source: DiffableSection, elements: some Swift.Collection<Item>) {
        self.init(differenceIdentifier: source.differenceIdentifier, elements: Array(elements), isReloaded: source.isReloaded)
    }

    init(differenceIdentifier: SectionID, elements: [Item], isReloaded: Bool) {
        self.differenceIdentifier = differenceIdentifier
        self.elements = elements
        self.isReloaded = isReloaded
    }

    func isContentEqual(to source: DiffableSection) -> Bool { !isReloaded }

    /// A copy of the section without updates: neither the section nor its items are marked as reloaded or reconfigured.
    var withoutUpdates: DiffableSection {
        DiffableSection(
            differenceIdentifier: differenceIdentifier, elements: elements.map { Item(differenceIdentifier: $0.differenceIdentifier) },
            isReloaded: false
        )
    }

    /// An item of a snapshot, for the differ.
    struct Item: Differentiable, ReuseIdentifying {
        let differenceIdentifier: ItemID
        var update: Update?

        func isContentEqual(to source: Item) -> Bool { update == nil }

        /// A reloaded item has a different reuse identifier than before, so that its view is replaced.
        var reuseIdentifier: String { update == .reload ? "reloaded" : "" }
    }

    /// The ways in which a cell can be updated when a snapshot is applied.
    enum Update {
        case reconfigure, reload
    }
}

extension DiffableSnapshot {
    /// The sections with their items, for the differ.
    var sections: [DiffableSection<SectionID, ItemID>] {
        sectionIdentifiers.map { section in
            DiffableSection(
                differenceIdentifier: section,
                elements: itemIdentifiers(inSection: section).map { .init(differenceIdentifier: $0, update: update(of: $0)) },
                isReloaded: reloadedSections.contains(section)
            )
        }
    }

    private func update(of item: ItemID) -> DiffableSection<SectionID, ItemID>.Update? {
        if reloadedItems.contains(item) { return .reload }
        return reconfiguredItems.contains(item) ? .reconfigure : nil
    }
}
