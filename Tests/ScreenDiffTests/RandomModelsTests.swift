import ScreenDiff
import ScreenModel
import Testing

extension Proof {
    @Suite struct RandomModels {
        /// Printed with a failure by its argument; fixed, so that a run can be repeated.
        static let seeds: [UInt64] = Array(0..<250)

        @Test(arguments: seeds) func changesetsBetweenModelsKeepTheRules(seed: UInt64) throws {
            var pairs = ModelPairs(seed: seed)
            for _ in 0..<100 {
                let (source, target) = pairs.next()
                let stages = source.changeset(to: target).stages
                let referee = try Referee.judge(stages, from: source, to: target)
                #expect(referee.moveCount == leastMoves(source, target), "\(source) to \(target)")
                #expect(referee.sectionMoveCount == leastSectionMoves(source, target))
            }
        }

        @Test(arguments: seeds) func outlinesAndModelsHaveTheSameStages(seed: UInt64) throws {
            var pairs = ModelPairs(seed: seed)
            for _ in 0..<100 {
                let (source, target) = pairs.next()
                let stages = target.outline.stages(from: source.outline)
                let referee = try Referee.judge(stages, from: source, to: target)
                #expect(referee.moveCount == leastMoves(source, target))
            }
        }

        @Test(arguments: seeds) func repeatedIdentifiersAreDiffedToo(seed: UInt64) throws {
            var pairs = ModelPairs(seed: seed, duplicates: true)
            for _ in 0..<100 {
                let (source, target) = pairs.next()
                _ = try Referee.judge(source.changeset(to: target).stages, from: source, to: target)
            }
        }

        @Test(arguments: seeds) func applyingAChangesetGivesItsTarget(seed: UInt64) throws {
            var pairs = ModelPairs(seed: seed, duplicates: seed % 2 == 0)
            for _ in 0..<100 {
                let (source, target) = pairs.next()
                #expect(try source.applying(source.changeset(to: target)) == target)
            }
        }

        @Test func aFewHundredModelsAreReachedFromEachOther() throws {
            var pairs = ModelPairs(seed: 7)
            let models = (0..<100).flatMap { _ in [pairs.next()].flatMap { [$0.0, $0.1] } }
            for source in models {
                for target in models {
                    #expect(try source.applying(source.changeset(to: target)) == target)
                }
            }
        }
    }
}
