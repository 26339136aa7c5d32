import ScreenDiff
import ScreenModel
import SeededRandom
import TestModels
import Testing

/// Tests that any type that conforms to `BatchUpdating` can perform a changeset.
@MainActor @Suite struct BatchUpdates {
    let source = [TestCell(id: 1), TestCell(id: 2), TestCell(id: 3)]
    let target = [TestCell(id: 3, content: 1), TestCell(id: 1), TestCell(id: 4)]

    private var changeset: StagedChangeset<[TestCell]> { StagedChangeset(source: source, target: target) }

    @Test func theDataIsSetBeforeTheOperationsOfEachBatchArePerformed() {
        let view = ListView<[TestCell]>()
        view.reload(using: changeset) { view.log.append(.setData($0)) }
        #expect(
            view.log == [
                .begin, .setData(changeset[0].data), .perform(.reloadCells([CellPlace(section: 0, item: 2)])), .end,
                .begin, .setData(target),
                .perform(.deleteCells([CellPlace(section: 0, item: 1)])), .perform(.insertCells([CellPlace(section: 0, item: 2)])),
                .perform(.moveCell(from: CellPlace(section: 0, item: 0), to: CellPlace(section: 0, item: 1))), .end,
            ]
        )
    }

    @Test func aViewIsReloadedIfAStageIsInterrupted() {
        let view = ListView<[TestCell]>()
        view.reload(using: changeset, interrupt: { $0.changeCount > 2 }) { view.log.append(.setData($0)) }
        #expect(view.log.suffix(3) == [.end, .setData(target), .reload])
        #expect(view.log.count { $0 == .begin } == 1)
    }

    @Test func theInterruptClosureIsCalledOnlyAfterThePreviousStageWasPerformed() {
        let view = ListView<[TestCell]>()
        var performed: [Int] = []
        view.reload(
            using: changeset,
            interrupt: { _ in
                performed.append(view.log.count { $0 == .end }); return false
            }
        ) { _ in }
        #expect(performed == [0, 1])
    }

    @Test func theInterruptClosureIsNotCalledAfterAnInterruptedStage() {
        let view = ListView<[TestCell]>()
        var count = 0
        view.reload(
            using: changeset,
            interrupt: { _ in
                count += 1; return true
            }
        ) { view.log.append(.setData($0)) }
        #expect(count == 1)
        #expect(view.log == [.setData(target), .reload])
    }

    @Test func aViewThatIsNotInAWindowIsReloaded() {
        let view = ListView<[TestCell]>(isShown: false)
        view.reload(
            using: changeset,
            interrupt: { _ in
                Issue.record("nothing is animated"); return false
            }
        ) {
            view.log.append(.setData($0))
        }
        #expect(view.log == [.setData(target), .reload])
    }

    @Test(arguments: [true, false]) func aChangesetOfEqualListsPerformsNoOperation(isShown: Bool) {
        let view = ListView<[TestCell]>(isShown: isShown)
        view.reload(using: StagedChangeset(source: source, target: source)) { view.log.append(.setData($0)) }
        #expect(view.log == [])
    }

    @Test func theSectionOperationsOfAChangesetArePerformed() {
        let source = TestModel(["a": [1, 2], "b": [3], "c": []])
        var target = TestModel(["d": [4], "c": [1], "b": [3]])
        target[2].header = 1
        let view = ListView<TestModel>()
        view.reload(using: source.changeset(to: target)) { _ in }
        let told = view.log.compactMap { if case .perform(let operation) = $0 { operation } else { nil } }
        #expect(told.contains(.insertSections([0])) && told.contains(.deleteSections([1])) && told.contains(.reloadSections([2])))
        #expect(told.contains { if case .moveSection = $0 { true } else { false } })
    }

    @Test(arguments: Seeds.first(50))
    func aViewThatPerformsOperationsOneByOneShowsTheTargetAfterwards(seed: UInt64) {
        var pairs = ModelPairs(seed: seed, size: 40)
        for _ in 0..<20 {
            let (source, target) = pairs.next()
            let (old, new) = (source.flatMap(\.cells), target.flatMap(\.cells))
            let view = RowsView(rows: old.map(\.id))
            view.reload(using: StagedChangeset(source: old, target: new)) { view.data = $0.map(\.id) }
            #expect(view.rows == new.map(\.id), "RELIST_SEED=\(seed): \(old) to \(new)")
            #expect(view.reloads == 0)
        }
    }

    @Test func aViewWithoutSectionsPerformsTheChangesetOfAListWithOneSection() {
        let view = RowsView(rows: [1, 2])
        view.reload(using: TestModel(["a": [1, 2]]).changeset(to: TestModel(["a": [3, 2]]))) { view.data = $0[0].map(\.id) }
        #expect(view.rows == [3, 2] && view.reloads == 0)
    }

    @Test(arguments: [
        (TestModel(["a": [1], "b": [2]]), TestModel(["a": [1], "b": [2, 3]])),
        (TestModel(["a": [1]]), TestModel(["a": [1], "b": [2]])),
        (TestModel(["a": [1]]), TestModel(["b": [1]])),
        (TestModel(["a": [1], "b": [2]]), TestModel(["b": [2]])),
    ])
    func aViewWithoutSectionsIsReloadedIfTheListHasSeveralSections(source: TestModel, target: TestModel) {
        let view = RowsView(rows: source.joined().map(\.id))
        view.reload(using: source.changeset(to: target)) { view.data = $0.joined().map(\.id) }
        #expect(view.rows == target.joined().map(\.id) && view.reloads == 1)
    }

    @Test func aViewWithoutSectionsIsReloadedIfRowsOfTwoSectionsChange() {
        let view = RowsView(rows: [1])
        let places = [CellPlace(section: 0, item: 0), CellPlace(section: 1, item: 0)]
        view.reload(using: [Changeset(data: [2, 3], elementInserted: places)]) { view.data = $0 }
        #expect(view.rows == [2, 3] && view.reloads == 1)
    }
}

/// A list view whose rows change with each operation, like the rows of an `NSTableView`.
@MainActor private final class RowsView: BatchUpdating {
    var rows: [Int]
    var data: [Int] = []
    var reloads = 0
    let isShown = true
    let isSequential = true

    init(rows: [Int]) {
        self.rows = rows
    }

    func reloadData() {
        rows = data
        reloads += 1
    }

    func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) { updates() }

    func perform(_ operation: ListOperation) {
        switch operation {
        case .deleteCells(let places): for place in places.reversed() { rows.remove(at: place.item) }
        case .insertCells(let places): for place in places { rows.insert(data[place.item], at: place.item) }
        case .moveCell(let source, let destination): rows.insert(rows.remove(at: source.item), at: destination.item)
        default: break
        }
    }
}
