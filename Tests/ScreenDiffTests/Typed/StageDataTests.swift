import ScreenDiff
import ScreenModel
import SeededRandom
import TestModels
import Testing

/// Tests that the data of each stage is the list after the stage.
@Suite struct StageData {
    @Test(arguments: Seeds.first(50), [false, true])
    func theDataOfAStageIsTheListAfterTheStage(seed: UInt64, duplicates: Bool) throws {
        var pairs = ModelPairs(seed: seed)
        for _ in 0..<20 {
            var (source, target) = pairs.next()
            if duplicates { (source, target) = (source.withRepeats, target.withRepeats) }
            let changeset = source.changeset(to: target)
            let shown = try Referee.lists(after: changeset.stages, from: source.outline, to: target.outline)
            #expect(changeset.map(\.data.outline) == shown, "RELIST_SEED=\(seed)")
            #expect((changeset.last?.data ?? source) == target, "RELIST_SEED=\(seed)")
        }
    }

    @Test func survivingElementsHaveTheirTargetValuesInTheDataOfAllStages() {
        let source = [Noted(id: 1, note: "old"), Noted(id: 2, note: "old"), Noted(id: 3, note: "old")]
        let target = [Noted(id: 3, note: "new", text: "changed"), Noted(id: 1, note: "new"), Noted(id: 4, note: "new")]
        let changeset = StagedChangeset(source: source, target: target)
        #expect(changeset.count == 2)
        #expect(changeset[0].data.map(\.note) == ["new", "old", "new"])
        #expect(changeset[1].data.map(\.note) == ["new", "new", "new"])
    }

    @Test func aSectionWithoutAnUpdateHasItsTargetViewsInTheDataOfAllStages() {
        typealias Section = ArraySection<Noted, Int>
        let source = [
            Section(model: Noted(id: 1, note: "old"), elements: [1, 2]), Section(model: Noted(id: 2, note: "old"), elements: [3]),
        ]
        let target = [
            Section(model: Noted(id: 2, note: "new", text: "changed"), elements: []),
            Section(model: Noted(id: 1, note: "new"), elements: [1]),
        ]
        let notes = StagedChangeset(source: source, target: target).map { $0.data.map(\.model.note) }
        #expect(notes == [["new", "old"], ["old", "new"], ["new", "new"]])
    }

    @Test func theDataOfEachStageIsComputedOnlyOnce() {
        let counter = Counter()
        let source = (0..<3).map { Counted(id: $0, elements: [$0, $0 + 10], counter: counter) }
        let target = [Counted(id: 2, elements: [0, 12], counter: counter), Counted(id: 5, elements: [1], counter: counter)]
        let changeset = StagedChangeset(source: source, target: target)
        #expect(changeset.count == 3)
        #expect(counter.made == 0)
        for _ in 0..<2 {
            for stage in changeset { _ = stage.data }
            for index in changeset.indices.reversed() { _ = changeset[index].data }
        }
        // Four sections are created for each of the first two stages. The data of the last stage is the target, so no sections are
        // created for it.
        #expect(counter.made == 8)
    }

    @Test func theDataOfTheLastStageIsNotComputed() {
        let counter = Counter()
        let source = [Counted(id: 0, elements: [1, 2], counter: counter), Counted(id: 1, elements: [], counter: counter)]
        let target = [Counted(id: 0, elements: [2], counter: counter)]
        let changeset = StagedChangeset(source: source, target: target)
        #expect(changeset.count == 2)
        #expect(changeset[1].data.map(\.elements) == [[2]])
        #expect(counter.made == 0)
    }

    @Test func supplementaryViewsFollowTheirCellsThroughAllStages() {
        typealias Model = CollectionViewModel<String, TestCell>
        func model(_ cells: [TestCell], badges: [Int: String], backdrop: Int) -> Model {
            var section = Model.Section(id: "a", cells: cells)
            for (item, badge) in badges { section[SupplementaryViewSectionKey(kind: "badge", item: item)] = badge }
            section[SupplementaryViewSectionKey(kind: "backdrop", item: backdrop)] = "sky"
            return Model(section: section)
        }
        let source = model([TestCell(id: 1), TestCell(id: 2), TestCell(id: 3)], badges: [2: "of 3"], backdrop: 9)
        let target = model([TestCell(id: 3), TestCell(id: 1, content: 1)], badges: [0: "of 3"], backdrop: 9)
        let changeset = source.changeset(to: target)
        #expect(changeset.count == 2)
        #expect(
            changeset[0].data == model([TestCell(id: 1, content: 1), TestCell(id: 2), TestCell(id: 3)], badges: [2: "of 3"], backdrop: 9))
        #expect(changeset[1].data == target)
    }

    @Test func theDataOfAStageDoesNotChangeIfASectionObjectChangesLater() {
        let source = Living(id: 0, elements: [1, 2, 3])
        let target = [Living(id: 0, elements: [3, 1]), Living(id: 1, elements: [4])]
        let changeset = StagedChangeset(source: [source], target: target)
        #expect(changeset.count == 2)
        source.elements = [9]
        target[1].elements = []
        #expect(changeset[0].data.map(\.elements) == [[1, 2, 3], [4]])
    }

    @Test func theDataOfAStageCanBeReadWhileASectionIsCopied() {
        let source = [Living(id: 0, elements: [1, 2, 3])]
        let target = [Living(id: 0, elements: [3, 1]), Living(id: 1, elements: [4])]
        let changeset = StagedChangeset(source: source, target: target)
        var asked: [[Int]] = []
        target[0].isCopied = { asked = changeset[0].data.map(\.elements) }
        #expect(changeset[0].data.map(\.elements) == [[1, 2, 3], [4]])
        #expect(asked == [[1, 2, 3], [4]])
    }

    @Test func theDataOfAStageCanBeReadByManyThreadsAtOnce() async {
        let changeset = StagedChangeset(source: Array(0..<1000), target: (0..<1000).reversed())
        let counts = await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { changeset.map(\.data.count) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: [1000], count: 8))
    }
}

extension TableViewModel where HeaderFooter == Int, Cell == TestCell {
    /// A copy of this model in which only seven different identifiers occur.
    fileprivate var withRepeats: TestModel {
        TestModel(
            sections: sections.map { section in
                TestSection(source: section, elements: section.cells.map { TestCell(id: $0.id % 7, content: $0.content) })
            })
    }
}

/// A cell or header with a property that is not compared.
private struct Noted: Differentiable {
    var id: Int
    var note: String
    var text = ""

    var differenceIdentifier: Int { id }
    func isContentEqual(to source: Noted) -> Bool { text == source.text }
}

/// A section that is an object, and whose elements can change.
private final class Living: DifferentiableSection {
    let id: Int
    var elements: [Int]
    /// A function that is called once, when the section is copied.
    var isCopied: (() -> Void)?

    init(id: Int, elements: [Int]) {
        self.id = id
        self.elements = elements
    }

    convenience init(source: Living, elements: some Swift.Collection<Int>) {
        self.init(id: source.id, elements: Array(elements))
        let tell = source.isCopied
        source.isCopied = nil
        tell?()
    }

    var differenceIdentifier: Int { id }
    func isContentEqual(to source: Living) -> Bool { true }
}

private final class Counter {
    var made = 0
}

/// A section that counts how often it was copied.
private struct Counted: DifferentiableSection {
    let id: Int
    var elements: [Int]
    let counter: Counter

    init(id: Int, elements: [Int], counter: Counter) {
        self.id = id
        self.elements = elements
        self.counter = counter
    }

    init(source: Counted, elements: some Swift.Collection<Int>) {
        self.init(id: source.id, elements: Array(elements), counter: source.counter)
        counter.made += 1
    }

    var differenceIdentifier: Int { id }
    func isContentEqual(to source: Counted) -> Bool { true }
}
