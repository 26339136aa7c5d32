import ScreenDiff
import SeededRandom
import Testing

@MainActor @Suite struct DiffableDataSources {
    private let view = CellsView<String, Int>()
    private var dataSource: DiffableDataSource<String, Int> { view.dataSource }

    private func snapshot(_ sections: KeyValuePairs<String, [Int]>) -> DiffableSnapshot<String, Int> {
        var snapshot = DiffableSnapshot<String, Int>()
        snapshot.appendSections(sections.map(\.key))
        for (section, items) in sections { snapshot.appendItems(items, toSection: section) }
        return snapshot
    }

    /// The view checks after each batch that it shows the sections and items of its data source.
    @Test(arguments: Seeds.first(40))
    func applyingRandomSnapshotsShowsEachOfThem(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let view = CellsView<Int, Int>()
        var (snapshot, model) = (DiffableSnapshot<Int, Int>(), NaiveSnapshot())
        for _ in 0..<30 {
            for _ in 0..<Int.random(in: 1...12, using: &random) { model.change(&snapshot, using: &random) }
            let before = NaiveSnapshot(view.dataSource.snapshot())
            view.forgetEffects()
            view.dataSource.apply(snapshot)
            try #require(view.shown == model.sections.map(\.items), "RELIST_SEED=\(seed), from \(before)")
            #expect(view.dataSource.snapshot().sectionIdentifiers == snapshot.sectionIdentifiers)
            expectFewestEffects(on: view, from: before, to: model)
            snapshot = view.dataSource.snapshot()
            (model.reloadedItems, model.reconfiguredItems, model.reloadedSections) = ([], [], [])
        }
    }

    /// Checks that only new cells are created, only absent ones removed, and only marked ones updated.
    private func expectFewestEffects(on view: CellsView<Int, Int>, from before: NaiveSnapshot, to after: NaiveSnapshot) {
        let (old, new) = (Set(before.items), Set(after.items))
        #expect(Set(view.created) == new.subtracting(old) && Set(view.removed) == old.subtracting(new))
        #expect(view.reloaded.sorted() == after.reloadedItems.intersection(old).sorted())
        #expect(view.reconfigured.sorted() == after.reconfiguredItems.subtracting(after.reloadedItems).intersection(old).sorted())
        let remaining = after.reloadedSections.intersection(before.sections.map(\.id))
        #expect(view.reloadedSections.compactMap(\.self).sorted() == remaining.sorted())
        #expect(view.reloadCount == 0)
    }

    @Test func aMarkedItemIsUpdatedOnce() {
        dataSource.apply(snapshot(["a": [1, 2, 3]]))
        var marked = dataSource.snapshot()
        marked.reconfigureItems([1, 3])
        marked.reloadItems([3])
        dataSource.apply(marked)
        #expect(view.reconfigured == [1] && view.reloaded == [3])
        #expect(dataSource.snapshot().reloadedItemIdentifiers == [] && dataSource.snapshot().reconfiguredItemIdentifiers == [])
        view.forgetEffects()
        dataSource.apply(dataSource.snapshot())
        #expect(view.reconfigured == [] && view.reloaded == [])
    }

    @Test func anItemThatWasReloadedIsReconfiguredByTheNextSnapshot() {
        dataSource.apply(snapshot(["a": [1]]))
        var marked = dataSource.snapshot()
        marked.reloadItems([1])
        dataSource.apply(marked)
        view.forgetEffects()
        marked = dataSource.snapshot()
        marked.reconfigureItems([1])
        dataSource.apply(marked)
        #expect(view.reconfigured == [1] && view.reloaded == [])
    }

    @Test func aNewItemThatIsReloadedIsOnlyInserted() {
        dataSource.apply(snapshot(["a": [1]]))
        view.forgetEffects()
        var new = snapshot(["a": [1, 2], "b": [3]])
        new.reloadItems([2, 3])
        new.reloadSections(["b"])
        dataSource.apply(new)
        #expect(view.created.sorted() == [2, 3] && view.reloaded == [] && view.reloadedSections == [])
    }

    @Test func aMarkedSectionIsReloaded() {
        dataSource.apply(snapshot(["a": [1], "b": [2]]))
        var marked = snapshot(["b": [2], "a": [1]])
        marked.reloadSections(["a"])
        dataSource.apply(marked)
        #expect(view.reloadedSections == ["a"])
    }

    @Test func placesAreFoundByIdentifierAndIdentifiersByPlace() {
        dataSource.apply(snapshot(["a": [1, 2], "b": [3]]))
        #expect(dataSource.itemIdentifier(for: CellPlace(section: 0, item: 1)) == 2)
        #expect(dataSource.place(for: 3) == CellPlace(section: 1, item: 0))
        #expect(dataSource.sectionIdentifier(for: 1) == "b" && dataSource.index(for: "b") == 1)
        dataSource.apply(snapshot(["b": [3, 2]]))
        #expect(dataSource.place(for: 2) == CellPlace(section: 0, item: 1) && dataSource.place(for: 1) == nil)
        #expect(dataSource.sectionIdentifier(for: 1) == nil && dataSource.index(for: "a") == nil)
        #expect(dataSource.sectionIdentifier(for: -1) == nil)
        for (section, item) in [(0, 2), (0, -1), (1, 0), (-1, 0)] {
            #expect(dataSource.itemIdentifier(for: CellPlace(section: section, item: item)) == nil)
        }
    }

    @Test func theViewIsReloadedIfTheDifferencesAreNotAnimated() {
        var isCompleted = false
        dataSource.apply(snapshot(["a": [1]]), animatingDifferences: false) { [view] in isCompleted = view.reloadCount == 1 }
        #expect(isCompleted && view.shown == [[1]] && view.created == [])
    }

    @Test func aViewThatIsNotInAWindowIsReloaded() {
        let view = CellsView<String, Int>(isShown: false)
        view.dataSource.apply(snapshot(["a": [1]]))
        #expect(view.reloadCount == 1 && view.shown == [[1]])
    }

    @Test func theCompletionIsCalledOnceAfterTheAnimationsOfAllStages() {
        dataSource.apply(snapshot(["a": [1, 2], "b": [3]]))
        var count = 0
        view.holdsAnimations = true
        dataSource.apply(snapshot(["c": [2, 4], "a": [3]])) { count += 1 }
        #expect(view.shown == [[2, 4], [3]] && count == 0)
        view.endAnimations()
        #expect(count == 1)
        dataSource.apply(dataSource.snapshot()) { count += 1 }
        #expect(count == 2, "a snapshot without differences")
    }

    @Test(arguments: [true, false])
    func aSnapshotThatIsAppliedWithinABatchIsShownAfterTheBatch(animated: Bool) {
        dataSource.apply(snapshot(["a": [1, 2], "b": [3]]))
        var count = 0
        view.whenPerforming { [dataSource] in
            // The snapshot is equal to the list after the stage in progress.
            dataSource.apply(dataSource.snapshot(), animatingDifferences: animated) { count += 1 }
        }
        dataSource.apply(snapshot(["b": [3, 1]])) { count += 1 }
        #expect(view.shown == [[2], [3, 1]], "the list after the first of two stages")
        #expect(dataSource.snapshot() == snapshot(["a": [2], "b": [3, 1]]))
        #expect(count == 2 && view.reloadCount == 1)
    }
}
