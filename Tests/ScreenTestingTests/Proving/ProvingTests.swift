import Foundation
import ScreenDiff
import ScreenTesting
import SeededRandom
import TestModels
import Testing

/// Tests that the changesets between all small models, and between random models, follow the rules of list views.
@MainActor @Suite(.serialized) struct Proving {
    /// Pairs of models with up to two sections. If the environment has `RELIST_PROOF=full`, a model has up to three cells, otherwise two.
    nonisolated static let models = SmallModels(
        sectionLimit: 2, cellLimit: ProcessInfo.processInfo.environment["RELIST_PROOF"] == "full" ? 3 : 2)

    @Test(arguments: models.sources.indices) func changesetsBetweenSmallModelsFollowTheRules(index: Int) async {
        var number = 0
        Self.models.forEachTarget(of: Self.models.sources[index]) { target in
            for choice in 0..<1 << target.survivorCount {
                target.change(choice)
                number += 1
                expect(TestModel(Self.models.sources[index]), TestModel(target), number)
            }
        }
        // Other tests on the main actor can run before this test continues.
        await Task.yield()
    }

    @Test(arguments: Seeds.first(30), ModelPairs.Repeats.allCases)
    func changesetsBetweenRandomModelsFollowTheRules(seed: UInt64, repeats: ModelPairs.Repeats) async {
        var pairs = ModelPairs(seed: seed, size: 40, repeats: repeats)
        for number in 0..<10 {
            let (source, target) = pairs.next()
            expect(source, target, number, isReceived: repeats == .none)
        }
        await Task.yield()
    }

    /// - Parameter isReceived: a Boolean value that indicates whether the ids are unique, so that the models can be documents.
    private func expect(_ source: TestModel, _ target: TestModel, _ number: Int, isReceived: Bool = true) {
        let kind = ListViewKind.allCases[number % 2]
        let typed = failure(source, target) { source, target in
            try performTyped(source, target, kind)
            try performBadged(source, target)
        }
        let received = isReceived ? failure(source, target) { try performReceived($0, $1, kind) } : nil
        if let failure = typed ?? received { Issue.record("\(failure)") }
    }

    private func failure(_ source: TestModel, _ target: TestModel, _ perform: (TestModel, TestModel) throws -> Void) -> String? {
        ModelPair(source: source, target: target).smallestFailure(of: perform)
    }
}
