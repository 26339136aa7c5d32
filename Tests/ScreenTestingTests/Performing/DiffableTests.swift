import ScreenDiff
import ScreenTesting
import SeededRandom
import Testing

/// Tests that a diffable data source changes a list view by the rules of UIKit.
@MainActor @Suite struct DiffableOnStrictViews {
    /// The sections of a data source, and the types of the cells. A reloaded cell changes its type.
    @MainActor private final class Shown {
        var dataSource: DiffableDataSource<Int, Int>?
        var types: [Int: Int] = [:]

        var sections: [StrictListView<Int>.Section] {
            guard let snapshot = dataSource?.snapshot() else { return [] }
            return snapshot.sectionIdentifiers.map { .init(cells: snapshot.itemIdentifiers(inSection: $0)) }
        }
    }

    @Test(arguments: Seeds.first(40), ListViewKind.allCases)
    func applyingRandomSnapshotsReplacesOnlyReloadedCells(seed: UInt64, kind: ListViewKind) throws {
        var random = SeededGenerator(seed: seed)
        let shown = Shown()
        let view = StrictListView<Int>(
            kind, sections: { shown.sections }, reuseIdentifier: { "\(shown.types[$0, default: 0])" }, report: { _ in })
        let dataSource = DiffableDataSource<Int, Int>(view)
        shown.dataSource = dataSource
        for _ in 0..<20 {
            let snapshot = randomSnapshot(&random)
            for item in snapshot.reloadedItemIdentifiers { shown.types[item, default: 0] += 1 }
            let before = cells(of: view)
            dataSource.apply(snapshot)
            try #require(view.faults.isEmpty, "RELIST_SEED=\(seed): \(view.faults[0].message)")
            #expect(view.cells.map { $0.map(\.content) } == snapshot.sectionIdentifiers.map(snapshot.itemIdentifiers(inSection:)))
            let after = cells(of: view)
            for item in snapshot.itemIdentifiers where !isReplaced(item, by: snapshot) {
                #expect(before[item] == nil || after[item] === before[item])
            }
        }
    }

    private func isReplaced(_ item: Int, by snapshot: DiffableSnapshot<Int, Int>) -> Bool {
        let section = snapshot.sectionIdentifier(containingItem: item)
        return snapshot.reloadedItemIdentifiers.contains(item) || section.map(snapshot.reloadedSectionIdentifiers.contains) == true
    }

    private func cells(of view: StrictListView<Int>) -> [Int: StrictListView<Int>.Cell] {
        Dictionary(uniqueKeysWithValues: view.cells.joined().map { ($0.content, $0) })
    }

    private func randomSnapshot(_ random: inout SeededGenerator) -> DiffableSnapshot<Int, Int> {
        var snapshot = DiffableSnapshot<Int, Int>()
        snapshot.appendSections((0..<5).shuffled(using: &random).dropLast(Int.random(in: 0...3, using: &random)))
        for item in (0..<20).shuffled(using: &random).dropLast(Int.random(in: 0...10, using: &random)) {
            snapshot.appendItems([item], toSection: snapshot.sectionIdentifiers.randomElement(using: &random))
        }
        let items = snapshot.itemIdentifiers.shuffled(using: &random)
        snapshot.reloadItems(Array(items.prefix(2)))
        snapshot.reconfigureItems(Array(items.dropFirst().prefix(3)))
        if Bool.random(using: &random) { snapshot.reloadSections(Array(snapshot.sectionIdentifiers.prefix(1))) }
        return snapshot
    }
}
