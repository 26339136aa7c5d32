import Foundation
import ScreenDiff
import ScreenModel
import TestModels
import Testing

extension Proof {
    /// Checks the stages between all models with up to three sections and three cells. The models have up to four cells if the environment
    /// variable `RELIST_PROOF` is `full`. `make proofs` sets it.
    ///
    /// Pairs that differ only in the names of sections and cells are checked once, because names are only compared for equality. The tests
    /// in ``SmallPairs`` check that no other pairs are left out.
    ///
    /// A cell that is in both models can change its content. A pair with up to three cells in each model is checked with every set of
    /// changed cells. A pair with more cells is checked with three sets: no cells, all cells, and a set that varies from pair to pair.
    @Suite struct ExhaustiveSmallModels {
        static let cellLimit = ProcessInfo.processInfo.environment["RELIST_PROOF"] == "full" ? 4 : 3
        static let models = SmallModels(sectionLimit: 3, cellLimit: cellLimit)

        @Test(arguments: models.sources.indices)
        func changesetsToAllTargetsFollowTheProtocolRules(source index: Int) throws {
            let source = Self.models.sources[index]
            var (referee, number) = (Referee(), 0)
            try Self.models.forEachTarget(of: source) { target in
                number += 1
                try judge(&target, from: source, number, &referee)
            }
        }

        private func judge(_ target: inout Outline, from source: Outline, _ number: Int, _ referee: inout Referee) throws {
            let least = LeastMoves(source, target)
            let choices = 1 << target.survivorCount
            let isLargest = max(source.cells.count, target.cells.count) > 3
            for choice in isLargest ? Set([0, number % choices, choices - 1]).sorted() : Array(0..<choices) {
                target.change(choice)
                try judge(target, from: source, least, &referee)
            }
        }

        private func judge(_ target: Outline, from source: Outline, _ least: LeastMoves, _ referee: inout Referee) throws {
            do {
                try referee.judge(target.stages(from: source), from: source, to: target)
            } catch {
                throw Referee.Violation("\(error): \(source) to \(target)")
            }
            guard referee.moveCount == least.cells, referee.moveRunCount == least.runs else {
                let moves = "\(referee.moveCount) moves in \(referee.moveRunCount) runs"
                throw Referee.Violation("rule 7: \(source) to \(target) in \(moves)")
            }
        }
    }

    /// Checks the changesets between all small models whose cells may have equal identifiers. A model has up to two sections and as many
    /// cells as in `ExhaustiveSmallModels`. Outlines are not used, because ids in an outline are unique.
    @Suite struct ExhaustiveRepeats {
        static let models = SmallModels(sectionLimit: 2, cellLimit: ExhaustiveSmallModels.cellLimit, repeats: true)

        @Test(arguments: models.sources.indices)
        func changesetsToAllTargetsFollowTheProtocolRules(source index: Int) throws {
            let source = Self.models.sources[index]
            let model = TestModel(source)
            let old = source.withoutTwins
            var (referee, number) = (Referee(), 0)
            try Self.models.forEachTarget(of: source) { target in
                // The contents vary from pair to pair, so that cells with equal identifiers often have different contents.
                number += 1
                for cell in target.cells.indices { target.cells[cell].content = UInt64(number >> cell & 1) }
                let stages = model.changeset(to: TestModel(target)).stages
                do { try judge(stages, old, target.withoutTwins, &referee) } catch {
                    throw Referee.Violation("\(error): \(source) to \(target)")
                }
            }
        }
    }
}

@Suite struct SmallPairs {
    /// Each listed pair represents all pairs that differ from it only in names. The test counts the represented pairs, and compares the sum
    /// with the number of all pairs.
    @Test(arguments: 0...3, 0...4) func everyPairOfSmallModelsIsListed(sectionLimit: Int, cellLimit: Int) {
        expectAll(SmallModels(sectionLimit: sectionLimit, cellLimit: cellLimit))
    }

    @Test(arguments: 0...2, 0...3) func everyPairOfSmallModelsWithRepeatedIDsIsListed(sectionLimit: Int, cellLimit: Int) {
        expectAll(SmallModels(sectionLimit: sectionLimit, cellLimit: cellLimit, repeats: true))
    }

    private func expectAll(_ models: SmallModels) {
        let (sectionLimit, cellLimit) = (models.sectionLimit, models.cellLimit)
        let (sectionNames, cellNames) = (2 * sectionLimit, 2 * cellLimit)
        var pairs = 0
        for source in models.sources {
            models.forEachTarget(of: source) { target in
                let newSections = target.sections.count { $0.id >= SmallModels.firstNewSection }
                let newCells = max(0, target.greatestName + 1 - Int(SmallModels.firstNewCell))
                pairs +=
                    arrangements(of: source.sections.count + newSections, among: sectionNames)
                    * arrangements(of: source.greatestName + newCells, among: cellNames)
            }
        }
        var all = 0
        for sections in 0...sectionLimit {
            for cells in 0...cellLimit {
                let names = (0..<cells).reduce(1) { $0 * (models.repeats ? cellNames : cellNames - $1) }
                all +=
                    arrangements(of: sections, among: sectionNames) * names
                    * SmallModels.spreads(of: cells, over: sections).count
            }
        }
        #expect(pairs == all * all)
    }

    /// Within a pair, names are assigned in the order of their first use. Therefore, pairs that differ only in their names are listed as
    /// one pair.
    @Test(arguments: [false, true]) func noPairOfSmallModelsIsListedTwice(repeats: Bool) {
        let models = SmallModels(sectionLimit: 2, cellLimit: 3, repeats: repeats)
        var (listed, count) = (Set<[Outline]>(), 0)
        for source in models.sources {
            #expect(isInOrder(source.cells.map(\.id), from: 1))
            models.forEachTarget(of: source) { target in
                let new = target.cells.map(\.id).filter { $0 >= SmallModels.firstNewCell }
                #expect(isInOrder(new, from: SmallModels.firstNewCell))
                listed.insert([source, target])
                count += 1
            }
        }
        #expect(listed.count == count)
    }

    private func isInOrder(_ names: [UInt64], from first: UInt64) -> Bool {
        var next = first
        for name in names where name >= next {
            if name > next { return false }
            next += 1
        }
        return true
    }

    /// Returns the number of ways to give distinct names to `count` elements. There are `names` different names.
    private func arrangements(of count: Int, among names: Int) -> Int {
        (0..<count).reduce(1) { $0 * (names - $1) }
    }
}

extension Outline {
    /// The greatest id of a cell, or 0 if there are no cells. In a source, the greatest id is the number of different ids,
    /// because ids are assigned in order.
    fileprivate var greatestName: Int { cells.reduce(0) { max($0, Int($1.id)) } }
}

/// The tests that compute for a long time. They run one after another.
///
/// Each of these tests occupies a thread until the test ends, and there are only as many threads as processor cores. If these tests ran in
/// parallel, no thread would remain for the tests that communicate with a server.
@Suite(.serialized) enum Proof {}
