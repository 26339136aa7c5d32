import Foundation
import SeededRandom
import Synchronization
import Testing

@testable import ScreenDiff

/// Tests of lists of trivial elements, which hold no references. Separate code compares these lists. It must compute the same stages as
/// the code for other lists.
@Suite struct ListsOfTrivialElements {
    @Test func aFlatListOfTrivialElementsHasTheSameStagesAsASectionWithTheElements() {
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

    @Test func elementsThatHoldReferencesAreNotTrivial() {
        #expect(TrivialLists(["a"], ["b"]) == nil)
        #expect(TrivialLists([Named(number: 1)], []) == nil)
    }

    @Test func trivialElementsCanHaveIdentifiersOfAnySize() {
        expect([Unit](repeating: Unit(), count: 40), [Unit](repeating: Unit(), count: 25))
        expect([Never](), [])
        expect((0..<99).map { Lone(id: Double($0)) }, (30..<120).reversed().map { Lone(id: Double($0)) })
        expect((0..<99).map { Wide(id: SIMD16(repeating: $0)) }, (30..<120).reversed().map { Wide(id: SIMD16(repeating: $0)) })
        expect((0..<99).map { Maybe(id: $0 % 7 == 0 ? nil : $0) }, (30..<120).map { Maybe(id: $0 % 5 == 0 ? nil : $0) })
        let ids = (0..<99).map { _ in UUID() }
        expect(ids, Array(ids[50...].reversed() + ids[..<60]))
    }

    /// The identifiers are not equal to themselves, which is an error in the code of the element. Even then, memory must not be read out of
    /// bounds.
    @Test func comparingTrivialElementsWithInconsistentIdentifiersDoesNotCrash() {
        for count in [0, 1, 7, 40, 300] {
            let lone = (0..<count).map { Lone(id: $0 % 3 == 0 ? .nan : Double($0)) }
            _ = StagedChangeset(source: lone, target: lone.reversed(), anchor: .nan).stages
            let fickle = (0..<count).map { Fickle(number: $0) }
            for _ in 0..<20 { _ = StagedChangeset(source: fickle, target: Array(fickle.reversed() + fickle)).stages }
        }
    }

    private func expect<Element: Differentiable & Equatable>(_ source: [Element], _ target: [Element]) {
        #expect(TrivialLists(source, target) != nil)
        let changeset = StagedChangeset(source: source, target: target)
        #expect(changeset.stages == TypedLists([FlatSection(source)], [FlatSection(target)]).stages(anchor: nil))
        #expect((try? source.applying(changeset)) == target)
    }

    /// Returns a source with up to a hundred elements, and a target in which some elements are deleted, inserted, moved or
    /// changed.
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

/// A trivial element. Its identifier is a string, so the identifier is not trivial.
private struct Named: Differentiable, Hashable {
    let number: Int

    var differenceIdentifier: String { "number \(number)" }
}

private struct Unit: Differentiable, Hashable {}
private struct Lone: Differentiable, Hashable, Identifiable { let id: Double }
private struct Wide: Differentiable, Hashable, Identifiable { let id: SIMD16<Int> }
private struct Maybe: Differentiable, Hashable, Identifiable { let id: UInt8? }

/// An element whose identifier changes almost every time it is read.
private struct Fickle: Differentiable, Hashable {
    static let calls = Atomic(0)
    let number: Int

    var differenceIdentifier: Int { Self.calls.add(1, ordering: .relaxed).newValue * 7919 % (number + 1) }
}
