extension DiffableSnapshot {
    /// Appends new items to a section.
    ///
    /// - Parameter sectionIdentifier: The section, which must exist. If it is `nil`, the items are appended to the last section.
    public mutating func appendItems(_ identifiers: [ItemID], toSection sectionIdentifier: SectionID? = nil) {
        guard let section = sectionIdentifier ?? sectionIdentifiers.last else {
            fatalError("The snapshot has no section for the items. Call appendSections(_:) first.")
        }
        insert(identifiers, in: section, at: numberOfItems(inSection: section))
    }

    /// Inserts new items before an item, which must exist.
    public mutating func insertItems(_ identifiers: [ItemID], beforeItem beforeIdentifier: ItemID) {
        let place = knownPlace(of: beforeIdentifier)
        insert(identifiers, in: place.section, at: place.index)
    }

    /// Inserts new items after an item, which must exist.
    public mutating func insertItems(_ identifiers: [ItemID], afterItem afterIdentifier: ItemID) {
        let place = knownPlace(of: afterIdentifier)
        insert(identifiers, in: place.section, at: place.index + 1)
    }

    /// Deletes items. Unknown identifiers are ignored.
    public mutating func deleteItems(_ identifiers: [ItemID]) {
        var sections: Set<SectionID> = []
        for item in identifiers {
            guard let section = sectionOfItem.removeValue(forKey: item) else { continue }
            sections.insert(section)
            reloadedItems.remove(item)
            reconfiguredItems.remove(item)
        }
        for section in sections {
            itemsOfSection[section]?.removeAll { [sectionOfItem] in sectionOfItem[$0] == nil }
        }
    }

    /// Deletes all items and all sections, as UIKit does. Many apps call `appendSections(_:)` next, which would fail if the sections still
    /// existed.
    public mutating func deleteAllItems() {
        self = DiffableSnapshot()
    }

    /// Moves an item to the place before another item. Both items must exist.
    public mutating func moveItem(_ identifier: ItemID, beforeItem toIdentifier: ItemID) {
        move(identifier, to: toIdentifier, offset: 0)
    }

    /// Moves an item to the place after another item. Both items must exist.
    public mutating func moveItem(_ identifier: ItemID, afterItem toIdentifier: ItemID) {
        move(identifier, to: toIdentifier, offset: 1)
    }

    /// Marks items, which must exist. When the snapshot is applied, the view replaces their cells by new cells.
    public mutating func reloadItems(_ identifiers: [ItemID]) {
        checkAreKnown(identifiers)
        reloadedItems.formUnion(identifiers)
    }

    /// Marks items, which must exist. When the snapshot is applied, the view updates their cells in place. If an item is also marked by
    /// `reloadItems(_:)`, its cell is only replaced.
    public mutating func reconfigureItems(_ identifiers: [ItemID]) {
        checkAreKnown(identifiers)
        reconfiguredItems.formUnion(identifiers)
    }
}

extension DiffableSnapshot {
    private mutating func insert(_ items: [ItemID], in section: SectionID, at index: Int) {
        for item in items where sectionOfItem.updateValue(section, forKey: item) != nil {
            fatalError("Item \(item) is already in the snapshot. Move it with moveItem(_:beforeItem:), or delete it first.")
        }
        itemsOfSection[section]?.insert(contentsOf: items, at: index)
    }

    private mutating func move(_ item: ItemID, to other: ItemID, offset: Int) {
        // UIKit: "Invalid update: destination for item move is the same as the source" (noppefoxwolf/ColorPicker#10).
        guard item != other else { fatalError("Item \(item) cannot be moved to itself. Name another item, or leave out the move.") }
        let source = knownPlace(of: item)
        itemsOfSection[source.section]?.remove(at: source.index)
        let target = knownPlace(of: other)
        itemsOfSection[target.section]?.insert(item, at: target.index + offset)
        sectionOfItem[item] = target.section
    }

    private func knownPlace(of item: ItemID) -> (section: SectionID, index: Int) {
        guard let place = place(of: item) else { Self.failUnknown(item: item) }
        return place
    }

    private func checkAreKnown(_ items: [ItemID]) {
        for item in items where sectionOfItem[item] == nil { Self.failUnknown(item: item) }
    }
}
