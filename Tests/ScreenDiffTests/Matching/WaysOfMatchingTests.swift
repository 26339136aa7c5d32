import ScreenModel
import SeededRandom
import TestModels
import Testing

@testable import ScreenDiff

/// Tests that random lists with few repeated identifiers use every path of the matcher. The number of hashed cells shows which
/// path was used.
@Suite struct WaysOfMatching {
    @Test func randomListsWithFewRepeatsUseEveryPathOfTheMatcher() {
        var counts: [Way: Int] = [:]
        for seed in Seeds.first(20) {
            var pairs = ModelPairs(seed: seed, repeats: .few)
            for _ in 0..<100 {
                let (source, target) = pairs.next()
                counts[Way(source, target), default: 0] += 1
            }
        }
        for way in Way.allCases { #expect(counts[way, default: 0] > 20, "\(way): \(counts)") }
    }
}

private enum Way: CaseIterable {
    /// All cells are paired by comparing neighbours.
    case neighboursAlone
    /// Comparing neighbours pairs too few cells, so all cells are paired by identifier.
    case identifiersAlone
    /// Comparing neighbours leaves a few cells unpaired. To find repeated identifiers, each unpaired cell is compared with the paired cells
    /// one by one. In the case `fewLeftWithRepeats`, an unpaired cell has the same identifier as a paired cell.
    case fewLeft, fewLeftWithRepeats
    /// Comparing neighbours leaves many cells unpaired. To find repeated identifiers, each paired cell is looked up by its hash among the
    /// unpaired cells. In the case `manyLeftWithRepeats`, an unpaired cell has the same identifier as a paired cell.
    case manyLeft, manyLeftWithRepeats

    init(_ source: TestModel, _ target: TestModel) {
        let lists = CountingLists(source.sections, target.sections)
        _ = Correspondence(lists)
        let (old, new) = (lists.counts.source, lists.counts.target)
        let all = lists.source.cellCount + lists.target.cellCount
        self =
            if old + new == 0 {
                .neighboursAlone
            } else if old + new > all {
                // The matcher hashed the unpaired cells first, and all cells later. So `old + new` exceeds the number of all cells by the
                // number of unpaired cells.
                old + new - all <= 8 ? .fewLeftWithRepeats : .manyLeftWithRepeats
            } else if old + new == all {
                .identifiersAlone
            } else if old < lists.source.cellCount {
                .fewLeft
            } else {
                .manyLeft
            }
    }
}

/// Typed lists that count how many cells are hashed.
private struct CountingLists: ComparedLists {
    final class Counts {
        var source = 0
        var target = 0
    }

    let lists: TypedLists<TestSection>
    let counts = Counts()

    init(_ source: [TestSection], _ target: [TestSection]) {
        lists = TypedLists(source, target)
    }

    var source: CellNumbering { lists.source }
    var target: CellNumbering { lists.target }
    var areCellsUnique: Bool { lists.areCellsUnique }

    func isSameCell(source: Int, target: Int) -> Bool { lists.isSameCell(source: source, target: target) }
    func isSameCell(source: Int, source other: Int) -> Bool { lists.isSameCell(source: source, source: other) }

    func cellHash(source: Int) -> UInt64 {
        counts.source += 1
        return lists.cellHash(source: source)
    }

    func cellHash(target: Int) -> UInt64 {
        counts.target += 1
        return lists.cellHash(target: target)
    }

    func firstChange(source: CellPlace, target: CellPlace, count: Int) -> Int? {
        lists.firstChange(source: source, target: target, count: count)
    }

    func isSameSection(source: Int, target: Int) -> Bool { lists.isSameSection(source: source, target: target) }
    func isSameSection(source: Int, source other: Int) -> Bool { lists.isSameSection(source: source, source: other) }
    func sectionHash(source: Int) -> UInt64 { lists.sectionHash(source: source) }
    func sectionHash(target: Int) -> UInt64 { lists.sectionHash(target: target) }
    func areViewsEqual(source: Int, target: Int) -> Bool { lists.areViewsEqual(source: source, target: target) }
}
