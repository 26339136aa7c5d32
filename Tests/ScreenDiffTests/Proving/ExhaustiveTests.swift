import Foundation
import ScreenDiff
import ScreenModel
import Testing

extension Proof {
    /// Judges the stages between all small models, of up to three sections.
    ///
    /// Up to three cells these are all pairs, and all of them once more with two cells for each; of four
    /// cells they are the pairs without runs. That suffices, as cells of a run fare as one cell: a pair
    /// with runs is a smaller pair, stretched. Smaller pairs are judged, and what stretching does to them
    /// is seen where their cells are doubled.
    ///
    /// Up to two cells they are judged with all choices of cells that change; else with one choice each,
    /// in turn, as whether a cell changes decides about its own update and nothing else.
    ///
    /// So far where the environment has `RELIST_PROOF=full`, as `make test` has; one cell less otherwise.
    @Suite struct ExhaustiveSmallModels {
        static let cellLimit = ProcessInfo.processInfo.environment["RELIST_PROOF"] == "full" ? 4 : 3
        static let smaller = SmallModels(sectionLimit: 3, cellLimit: cellLimit - 1)
        static let largest = SmallModels(sectionLimit: 3, cellLimit: cellLimit)

        @Test(arguments: smaller.sources.indices)
        func allTargetsAreReachedByTheRules(source index: Int) throws {
            let source = Self.smaller.sources[index]
            var number = 0
            try Self.smaller.forEachTarget(of: source) { target in
                let isSmallest = max(source.cellCount, target.cellCount) < Self.smaller.cellLimit
                number += 1
                try judge(from: source, to: target, choices: isSmallest ? target.choices : target.choice(number))
            }
        }

        @Test(arguments: smaller.sources.indices)
        func runsFareAsTheirCellsDo(source index: Int) throws {
            let source = Self.smaller.sources[index]
            var number = 0
            try Self.smaller.forEachTarget(of: source) { target in
                number += 1
                try judge(from: source.doubled, to: target.doubled, choices: target.doubled.choice(number))
            }
        }

        @Test(arguments: largest.sources.indices)
        func allTargetsWithoutRunsAreReachedByTheRules(source index: Int) throws {
            let source = Self.largest.sources[index]
            var number = 0
            try Self.largest.forEachTarget(of: source, withoutRuns: true) { target in
                if max(source.cellCount, target.cellCount) < Self.largest.cellLimit { return }
                number += 1
                try judge(from: source, to: target, choices: target.choice(number))
            }
        }

        private func judge(from source: TestModel, to target: TestModel, choices: Range<Int>) throws {
            let (outline, moves) = (source.outline, leastMoves(source, target))
            for choice in choices {
                let target = target.changed(choice)
                let referee = try Referee.judge(target.outline.stages(from: outline), from: source, to: target)
                guard referee.moveCount == moves else {
                    throw Referee.Violation("rule 7: \(source) to \(target) in \(referee.moveCount) moves")
                }
            }
        }
    }
}

@Suite struct PairsWithoutRuns {
    /// Every pair, its runs shortened to one cell and its cells named anew, is one that is listed.
    @Test func noPairIsLeftOut() {
        let models = SmallModels(sectionLimit: 2, cellLimit: 3)
        var (all, shortened, listed) = (0, Set<String>(), Set<String>())
        for source in models.sources {
            models.forEachTarget(of: source) { target in
                all += 1
                shortened.insert("\(target.map(\.id)) \(shortest(source.ids, target.ids))")
            }
            models.forEachTarget(of: source, withoutRuns: true) { target in
                listed.insert("\(target.map(\.id)) \([source.ids, target.ids])")
            }
        }
        #expect(shortened == listed)
        #expect((all, listed.count) == (9_355, 5_783))
    }

    private func shortest(_ source: [[Int]], _ target: [[Int]]) -> [[[Int]]] {
        var (source, target) = (source, target)
        while let cell = SmallModels.superfluousCell(source, target) {
            source = source.map { $0.filter { $0 != cell } }
            target = target.map { $0.filter { $0 != cell } }
        }
        let old = source.flatMap { $0 }
        let new = target.flatMap { $0 }.filter { !old.contains($0) }
        let names = Dictionary(uniqueKeysWithValues: Array(zip(old, 1...)) + Array(zip(new, SmallModels.firstNewCell...)))
        return [source, target].map { $0.map { $0.map { names[$0]! } } }
    }
}

extension TableViewModel where HeaderFooter == Int, Cell == TestCell {
    fileprivate var ids: [[Int]] { map { $0.cells.map(\.id) } }
    fileprivate var cellCount: Int { reduce(0) { $0 + $1.count } }

    /// A bit for each cell that a source can have: whether it changes.
    fileprivate var choices: Range<Int> { 0..<1 << reduce(0) { $0 + $1.count { $0.id < SmallModels.firstNewCell } } }

    /// One of them, another for each number.
    fileprivate func choice(_ number: Int) -> Range<Int> {
        let choice = number % choices.count
        return choice..<choice + 1
    }

    /// This model with two cells for each.
    fileprivate var doubled: TestModel {
        TestModel(sections: map { section in
            TestSection(id: section.id, header: 0, cells: section.flatMap { [TestCell(id: 2 * $0.id), TestCell(id: 2 * $0.id + 1)] })
        })
    }

    /// This model with other contents of the survivors for which a bit of `choice` is set.
    fileprivate func changed(_ choice: Int) -> TestModel {
        var (model, rest) = (self, choice)
        for section in indices where rest != 0 {
            for (item, cell) in self[section].enumerated() where cell.id < SmallModels.firstNewCell {
                if rest & 1 != 0 { model.sections[section].cells[item].content = 1 }
                rest >>= 1
            }
        }
        return model
    }
}

/// The tests that compute for long, one after another.
///
/// They never wait, and tests share as many threads as there are cores: side by side they would leave
/// none to the tests that talk to a server.
@Suite(.serialized) enum Proof {}
