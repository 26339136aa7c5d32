import Foundation
import ScreenDiff
import ScreenModel
import Testing

extension Proof {
    /// Judges the stages between all small models, of up to three sections and four cells.
    ///
    /// Of pairs that differ by the names of sections and cells one is judged: names are compared for equality
    /// and with nothing else, and hashes only lead to that. No other pair is left out; ``SmallPairs`` counts them.
    ///
    /// Up to three cells each is judged with all choices of survivors whose contents change, and with four cells
    /// with none, with all, and with another from pair to pair. What comes or goes has nothing to be compared with.
    ///
    /// So far where the environment has `RELIST_PROOF=full`, as `make test` has; one cell less otherwise.
    @Suite struct ExhaustiveSmallModels {
        static let cellLimit = ProcessInfo.processInfo.environment["RELIST_PROOF"] == "full" ? 4 : 3
        static let models = SmallModels(sectionLimit: 3, cellLimit: cellLimit)

        @Test(arguments: models.sources.indices)
        func allTargetsAreReachedByTheRules(source index: Int) throws {
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

    /// Judges the changesets between all small models whose cells may have equal identifiers, of up to two
    /// sections and as many cells as above. Outlines have no such cells.
    @Suite struct ExhaustiveRepeats {
        static let models = SmallModels(sectionLimit: 2, cellLimit: ExhaustiveSmallModels.cellLimit, repeats: true)

        @Test(arguments: models.sources.indices)
        func allTargetsAreReachedByTheRules(source index: Int) throws {
            let source = Self.models.sources[index]
            let model = TestModel(source)
            let old = source.withoutTwins
            var (referee, number) = (Referee(), 0)
            try Self.models.forEachTarget(of: source) { target in
                // Other contents from pair to pair, so that it shows which of equal cells is which.
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
    /// A pair can be named anew in as many ways as there are names for its sections and cells. For all that are
    /// listed this gives all pairs that there are with so many names.
    @Test(arguments: 0...3, 0...4) func noPairIsLeftOut(sectionLimit: Int, cellLimit: Int) {
        expectAll(SmallModels(sectionLimit: sectionLimit, cellLimit: cellLimit))
    }

    @Test(arguments: 0...2, 0...3) func noPairWithRepeatsIsLeftOut(sectionLimit: Int, cellLimit: Int) {
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
                pairs += arrangements(of: source.sections.count + newSections, among: sectionNames)
                    * arrangements(of: source.greatestName + newCells, among: cellNames)
            }
        }
        var all = 0
        for sections in 0...sectionLimit {
            for cells in 0...cellLimit {
                let names = (0..<cells).reduce(1) { $0 * (models.repeats ? cellNames : cellNames - $1) }
                all += arrangements(of: sections, among: sectionNames) * names
                    * SmallModels.spreads(of: cells, over: sections).count
            }
        }
        #expect(pairs == all * all)
    }

    /// Names in the order in which they are first met are those of the list, so none can be named like another.
    @Test(arguments: [false, true]) func noPairIsListedTwice(repeats: Bool) {
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

    /// In how many ways some things can be named, each with a name of its own.
    private func arrangements(of count: Int, among names: Int) -> Int {
        (0..<count).reduce(1) { $0 * (names - $1) }
    }
}

extension TableViewModel where HeaderFooter == Int, Cell == TestCell {
    fileprivate init(_ outline: Outline) {
        var cells = outline.cells[...]
        self.init(sections: outline.sections.map { section in
            defer { cells = cells.dropFirst(section.cellCount) }
            let name = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(section.id)))
            return TestSection(id: name, header: 0, cells: cells.prefix(section.cellCount).map { TestCell(id: Int($0.id), content: Int($0.content)) })
        })
    }
}

extension Outline {
    /// How many cells of this target its source has, too.
    fileprivate var survivorCount: Int { cells.count { $0.id < SmallModels.firstNewCell } }

    /// Names are given out in order.
    fileprivate var greatestName: Int { cells.reduce(0) { max($0, Int($1.id)) } }

    /// Gives other contents to those for which a bit of `choice` is set.
    fileprivate mutating func change(_ choice: Int) {
        var rest = choice
        for cell in cells.indices where cells[cell].id < SmallModels.firstNewCell {
            cells[cell].content = UInt64(rest & 1)
            rest >>= 1
        }
    }
}

/// The tests that compute for long, one after another.
///
/// They never wait, and tests share as many threads as there are cores: side by side they would leave
/// none to the tests that talk to a server.
@Suite(.serialized) enum Proof {}
