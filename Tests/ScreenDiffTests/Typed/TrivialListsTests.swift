@testable import ScreenDiff
import SeededRandom
import Testing

/// Lists of trivial elements are compared in a way of their own, which leads where the common one does.
@Suite struct ListsOfTrivialElements {
    @Test func areStagedAsIfTheyWereASection() {
        for seed in Seeds.first(50) {
            var random = SeededGenerator(seed: seed)
            for names in [0..<10, 0..<100, 0..<10_000] {
                let (source, target) = lists(of: names, &random)
                let anchor = source.randomElement(using: &random)?.id
                #expect(TrivialLists(source, target) != nil)
                #expect(
                    StagedChangeset(source: source, target: target, anchor: anchor).stages
                        == TypedLists([FlatSection(source)], [FlatSection(target)]).stages(anchor: anchor)
                )
            }
        }
    }

    @Test func areNotThoseThatHoldReferences() {
        #expect(TrivialLists(["a"], ["b"]) == nil)
        #expect(TrivialLists([Named(number: 1)], []) == nil)
    }

    /// Up to a hundred elements, some of which go, some of which come, some move, and some change.
    private func lists(of names: Range<Int>, _ random: inout SeededGenerator) -> (source: [Point], target: [Point]) {
        let source = (0..<Int.random(in: 0...100, using: &random)).map { _ in Point(id: .random(in: names, using: &random), x: 0) }
        var target = source.filter { _ in Int.random(in: 0..<5, using: &random) > 0 }
        for _ in 0..<Int.random(in: 0...10, using: &random) {
            let place = Int.random(in: 0...target.count, using: &random)
            target.insert(Point(id: .random(in: names, using: &random), x: .random(in: 0...1, using: &random)), at: place)
            target[.random(in: target.indices, using: &random)].x = 2
            target.swapAt(.random(in: target.indices, using: &random), .random(in: target.indices, using: &random))
        }
        return (source, target)
    }
}

private struct Point: Differentiable, Hashable, Identifiable {
    let id: Int
    var x: Int
}

/// Trivial, but for its identifier.
private struct Named: Differentiable, Hashable {
    let number: Int

    var differenceIdentifier: String { "number \(number)" }
}
