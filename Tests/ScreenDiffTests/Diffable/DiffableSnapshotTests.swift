import ScreenDiff
import SeededRandom
import Testing

@Suite struct DiffableSnapshots {
    @Test(arguments: Seeds.first(40))
    func everyChangeHasTheSameResultForASnapshotAndForANaiveSnapshot(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (snapshot, model) = (DiffableSnapshot<Int, Int>(), NaiveSnapshot())
        for _ in 0..<150 {
            let before = model
            model.change(&snapshot, using: &random)
            try #require(NaiveSnapshot(snapshot) == model, "RELIST_SEED=\(seed), from \(before)")
            try checkLookups(snapshot, model)
        }
    }

    private func checkLookups(_ snapshot: DiffableSnapshot<Int, Int>, _ model: NaiveSnapshot) throws {
        #expect(snapshot.itemIdentifiers == model.items)
        #expect(snapshot.numberOfItems == model.items.count && snapshot.numberOfSections == model.sections.count)
        #expect(snapshot.reloadedItemIdentifiers == model.items.filter(model.reloadedItems.contains))
        #expect(snapshot.reconfiguredItemIdentifiers == model.items.filter(model.reconfiguredItems.contains))
        #expect(snapshot.reloadedSectionIdentifiers == model.sections.map(\.id).filter(model.reloadedSections.contains))
        for id in 0..<60 {
            try #require(snapshot.indexOfItem(id) == model.items.firstIndex(of: id))
            try #require(snapshot.sectionIdentifier(containingItem: id) == model.sections.first { $0.items.contains(id) }?.id)
            try #require(snapshot.indexOfSection(id) == model.sections.firstIndex { $0.id == id })
        }
        for section in model.sections { #expect(snapshot.numberOfItems(inSection: section.id) == section.items.count) }
    }

    @Test func deletingAllItemsAlsoDeletesTheSections() {
        var snapshot = DiffableSnapshot<Int, Int>()
        snapshot.appendSections([1, 2])
        snapshot.appendItems([3], toSection: 1)
        snapshot.reloadItems([3])
        snapshot.deleteAllItems()
        #expect(snapshot == DiffableSnapshot())
        snapshot.appendSections([1])
        snapshot.appendItems([3])
        #expect(snapshot.itemIdentifiers == [3] && snapshot.reloadedItemIdentifiers == [])
    }

    @Test func aSectionAndAnItemCanHaveEqualIdentifiers() {
        var snapshot = DiffableSnapshot<Int, Int>()
        snapshot.appendSections([1])
        snapshot.appendItems([1])
        #expect(snapshot.sectionIdentifier(containingItem: 1) == 1)
    }

    @Test func aMovedItemStaysMarked() {
        var snapshot = DiffableSnapshot<Int, Int>()
        snapshot.appendSections([1, 2])
        snapshot.appendItems([3, 4], toSection: 1)
        snapshot.appendItems([5], toSection: 2)
        snapshot.reconfigureItems([3])
        snapshot.moveItem(3, afterItem: 5)
        #expect(snapshot.reconfiguredItemIdentifiers == [3])
        #expect(snapshot.itemIdentifiers(inSection: 2) == [5, 3])
    }

    @Test(arguments: Misuse.allCases)
    func aMisuseOfASnapshotEndsTheProgramWithAMessage(misuse: Misuse) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [misuse = misuse as Misuse] in
            misuse.commit()
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains(misuse.message), "\(message)")
    }
}

extension NaiveSnapshot {
    init(_ snapshot: DiffableSnapshot<Int, Int>) {
        sections = snapshot.sectionIdentifiers.map { Section(id: $0, items: snapshot.itemIdentifiers(inSection: $0)) }
        reloadedItems = Set(snapshot.reloadedItemIdentifiers)
        reconfiguredItems = Set(snapshot.reconfiguredItemIdentifiers)
        reloadedSections = Set(snapshot.reloadedSectionIdentifiers)
    }
}

/// A call that a snapshot does not accept.
enum Misuse: String, CaseIterable, Codable, Sendable {
    case appendWithoutSections, appendToUnknownSection, appendRepeatedItem, insertKnownItem, insertBeforeUnknownItem, moveUnknownItem
    case moveBesideUnknownItem, moveItemToItself, reloadUnknownItem, reconfigureUnknownItem, readUnknownSection
    case appendKnownSection, insertBesideUnknownSection, moveUnknownSection, moveSectionToItself, reloadUnknownSection

    /// Makes the call. The snapshot is empty in the case `appendWithoutSections`. In all other cases, it has the sections 1 and 2, and the
    /// items 3 and 4.
    func commit() {
        var snapshot = DiffableSnapshot<Int, Int>()
        if self == .appendWithoutSections { return snapshot.appendItems([3]) }
        snapshot.appendSections([1, 2])
        snapshot.appendItems([3, 4])
        switch self {
        case .appendWithoutSections: break
        case .appendToUnknownSection: snapshot.appendItems([5], toSection: 9)
        case .appendRepeatedItem: snapshot.appendItems([5, 5])
        case .insertKnownItem: snapshot.insertItems([3], afterItem: 4)
        case .insertBeforeUnknownItem: snapshot.insertItems([5], beforeItem: 9)
        case .moveUnknownItem: snapshot.moveItem(9, beforeItem: 3)
        case .moveBesideUnknownItem: snapshot.moveItem(3, afterItem: 9)
        case .moveItemToItself: snapshot.moveItem(3, beforeItem: 3)
        case .reloadUnknownItem: snapshot.reloadItems([3, 9])
        case .reconfigureUnknownItem: snapshot.reconfigureItems([9])
        case .readUnknownSection: _ = snapshot.itemIdentifiers(inSection: 9)
        case .appendKnownSection: snapshot.appendSections([2])
        case .insertBesideUnknownSection: snapshot.insertSections([5], afterSection: 9)
        case .moveUnknownSection: snapshot.moveSection(9, beforeSection: 1)
        case .moveSectionToItself: snapshot.moveSection(1, afterSection: 1)
        case .reloadUnknownSection: snapshot.reloadSections([9])
        }
    }

    var message: String {
        switch self {
        case .appendWithoutSections: "The snapshot has no section for the items. Call appendSections(_:) first."
        case .appendRepeatedItem: "Item 5 is already in the snapshot. Move it with moveItem(_:beforeItem:), or delete it first."
        case .insertKnownItem: "Item 3 is already in the snapshot."
        case .moveItemToItself: "Item 3 cannot be moved to itself. Name another item, or leave out the move."
        case .insertBeforeUnknownItem, .moveUnknownItem, .moveBesideUnknownItem, .reloadUnknownItem, .reconfigureUnknownItem:
            "Item 9 is not in the snapshot. Add it with appendItems(_:toSection:) first."
        case .appendKnownSection: "Section 2 is already in the snapshot. Move it with moveSection(_:beforeSection:), or delete it first."
        case .moveSectionToItself: "Section 1 cannot be moved to itself. Name another section, or leave out the move."
        case .appendToUnknownSection, .readUnknownSection, .insertBesideUnknownSection, .moveUnknownSection, .reloadUnknownSection:
            "Section 9 is not in the snapshot. Add it with appendSections(_:) first."
        }
    }
}
