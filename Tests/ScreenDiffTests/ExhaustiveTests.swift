import Foundation
import ScreenDiff
import ScreenModel
import Testing

extension Proof {
    /// Judges the stages between all small models.
    ///
    /// Up to three sections and four cells, ten million pairs, where the environment has
    /// `RELIST_PROOF=full`, as `make test` has; up to three cells otherwise.
    @Suite struct ExhaustiveSmallModels {
        static let models = SmallModels(
            sectionLimit: 3, cellLimit: ProcessInfo.processInfo.environment["RELIST_PROOF"] == "full" ? 4 : 3
        )

        /// Which of the cells show something else in the target.
        enum Change: CaseIterable {
            case nowhere, inOneCell, everywhere
        }

        @Test(arguments: models.sources.indices, Change.allCases)
        func allTargetsAreReachedByTheRules(source index: Int, change: Change) throws {
            let source = Self.models.sources[index]
            let outline = source.outline
            let targets = Self.models.targets(sections: source.count, cells: source.reduce(0) { $0 + $1.count })
            for (number, target) in targets.enumerated() {
                let target = target.changed(change, number)
                let stages = target.outline.stages(from: outline)
                let referee = try Referee.judge(stages, from: source, to: target)
                guard referee.moveCount == leastMoves(source, target) else {
                    Issue.record("rule 7: \(source) to \(target) in \(referee.moveCount) moves")
                    return
                }
            }
        }
    }
}

extension TableViewModel where HeaderFooter == Int, Cell == TestCell {
    /// This model with other contents; `number` chooses the one cell.
    fileprivate func changed(_ change: Proof.ExhaustiveSmallModels.Change, _ number: Int) -> TestModel {
        var model = self
        let places = indices.flatMap { section in self[section].indices.map { (section, $0) } }
        switch change {
        case .nowhere: break
        case .inOneCell:
            guard !places.isEmpty else { return model }
            let (section, item) = places[number % places.count]
            model.sections[section].cells[item].content = 1
        case .everywhere:
            for (section, item) in places { model.sections[section].cells[item].content = 1 }
        }
        return model
    }
}
