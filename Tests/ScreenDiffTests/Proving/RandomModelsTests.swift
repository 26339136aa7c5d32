import Foundation
import ScreenDiff
import ScreenModel
import SeededRandom
import TestModels
import Testing

extension Proof {
    @Suite struct RandomModels {
        static let seeds = Seeds.first(250)

        @Test(arguments: seeds) func changesetsBetweenRandomModelsFollowTheProtocolRules(seed: UInt64) {
            expectAll(ModelPairs(seed: seed), from: seed) { source, target in
                try judge(source.changeset(to: target).stages, source, target)
            }
        }

        @Test(arguments: seeds) func stagesBetweenRandomOutlinesFollowTheProtocolRules(seed: UInt64) {
            expectAll(ModelPairs(seed: seed), from: seed) { source, target in
                try judge(target.outline.stages(from: source.outline), source, target)
            }
        }

        @Test(arguments: seeds, [ModelPairs.Repeats.few, .many])
        func changesetsBetweenModelsWithRepeatedIDsFollowTheProtocolRules(seed: UInt64, repeats: ModelPairs.Repeats) {
            expectAll(ModelPairs(seed: seed, repeats: repeats), from: seed) { source, target in
                try judge(source.changeset(to: target).stages, source, target)
            }
        }

        @Test(arguments: seeds) func applyingAChangesetResultsInItsTarget(seed: UInt64) {
            expectAll(ModelPairs(seed: seed, repeats: seed % 2 == 0 ? .many : .none), from: seed) { source, target in
                let result = try source.applying(source.changeset(to: target))
                guard result == target else { throw Referee.Violation("applying gives \(result)") }
            }
        }

        @Test(arguments: seeds.prefix(20)) func changesetsBetweenLongListsFollowTheProtocolRules(seed: UInt64) {
            let repeats = ModelPairs.Repeats.allCases[Int(seed % 3)]
            let pairs = ModelPairs(seed: seed, size: 2000, repeats: repeats)
            expectAll(pairs, count: 5, from: seed) { source, target in
                try judge(source.changeset(to: target).stages, source, target)
            }
        }

        private func expectAll(
            _ pairs: ModelPairs, count: Int = 100, from seed: UInt64, _ judge: (TestModel, TestModel) throws -> Void
        ) {
            var pairs = pairs
            for number in 0..<count {
                let (source, target) = pairs.next()
                expect(source, target, from: "pair \(number) of RELIST_SEED=\(seed)", judge)
            }
        }

        @Test func applyingChangesetsBetweenTwoHundredModelsResultsInTheirTargets() throws {
            var pairs = ModelPairs(seed: Self.seeds[7])
            let models = (0..<100).flatMap { _ in [pairs.next()].flatMap { [$0.0, $0.1] } }
            for source in models {
                for target in models {
                    #expect(try source.applying(source.changeset(to: target)) == target)
                }
            }
        }
    }
}

/// Checks the changesets for the inputs that the fuzzer of `make fuzz` selected.
@Suite struct Corpus {
    static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../OnDemand/Fuzzing/Seeds/differ").standardized

    @Test func changesetsForAllInputsOfTheFuzzerFollowTheProtocolRules() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(names.count > 50)
        for name in names.sorted() {
            let input = Array(try Data(contentsOf: Self.folder.appending(path: name)))
            let (source, target) = ModelReader.pair(from: input)
            #expect(throws: Never.self, "\(name): \(source) to \(target)") { try judge(source, target) }
            let (oldTwins, newTwins) = ModelReader.pair(from: input, repeats: true)
            #expect(throws: Never.self, "\(name): \(oldTwins) to \(newTwins)") { try judgeTyped(oldTwins, newTwins) }
        }
    }
}
