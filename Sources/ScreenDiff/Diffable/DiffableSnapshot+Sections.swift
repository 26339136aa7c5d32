extension DiffableSnapshot {
    /// Appends new sections without items.
    public mutating func appendSections(_ identifiers: [SectionID]) {
        insert(identifiers, at: sectionIdentifiers.count)
    }

    /// Inserts new sections without items before a section, which must exist.
    public mutating func insertSections(_ identifiers: [SectionID], beforeSection toIdentifier: SectionID) {
        insert(identifiers, at: knownIndex(of: toIdentifier))
    }

    /// Inserts new sections without items after a section, which must exist.
    public mutating func insertSections(_ identifiers: [SectionID], afterSection toIdentifier: SectionID) {
        insert(identifiers, at: knownIndex(of: toIdentifier) + 1)
    }

    /// Deletes sections with their items. Unknown identifiers are ignored.
    public mutating func deleteSections(_ identifiers: [SectionID]) {
        for section in identifiers {
            for item in itemsOfSection.removeValue(forKey: section) ?? [] {
                sectionOfItem[item] = nil
                reloadedItems.remove(item)
                reconfiguredItems.remove(item)
            }
            reloadedSections.remove(section)
        }
        sectionIdentifiers.removeAll { [itemsOfSection] in itemsOfSection[$0] == nil }
    }

    /// Moves a section with its items to the place before another section. Both sections must exist.
    public mutating func moveSection(_ identifier: SectionID, beforeSection toIdentifier: SectionID) {
        move(identifier, to: toIdentifier, offset: 0)
    }

    /// Moves a section with its items to the place after another section. Both sections must exist.
    public mutating func moveSection(_ identifier: SectionID, afterSection toIdentifier: SectionID) {
        move(identifier, to: toIdentifier, offset: 1)
    }

    /// Marks sections, which must exist. When the snapshot is applied, the view replaces their cells, headers and footers.
    public mutating func reloadSections(_ identifiers: [SectionID]) {
        for section in identifiers where itemsOfSection[section] == nil { Self.failUnknown(section: section) }
        reloadedSections.formUnion(identifiers)
    }
}

extension DiffableSnapshot {
    private mutating func insert(_ sections: [SectionID], at index: Int) {
        for section in sections where itemsOfSection.updateValue([], forKey: section) != nil {
            fatalError("Section \(section) is already in the snapshot. Move it with moveSection(_:beforeSection:), or delete it first.")
        }
        sectionIdentifiers.insert(contentsOf: sections, at: index)
    }

    private mutating func move(_ section: SectionID, to other: SectionID, offset: Int) {
        guard section != other else {
            fatalError("Section \(section) cannot be moved to itself. Name another section, or leave out the move.")
        }
        sectionIdentifiers.remove(at: knownIndex(of: section))
        sectionIdentifiers.insert(section, at: knownIndex(of: other) + offset)
    }

    private func knownIndex(of section: SectionID) -> Int {
        guard let index = indexOfSection(section) else { Self.failUnknown(section: section) }
        return index
    }
}
