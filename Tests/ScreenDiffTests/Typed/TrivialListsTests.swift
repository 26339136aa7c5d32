import Foundation
@testable import ScreenDiff
import SeededRandom
import Synchronization
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

    @Test func mayHaveIdentifiersOfAnySizeOrNone() {
        expect([Unit](repeating: Unit(), count: 40), [Unit](repeating: Unit(), count: 25))
        expect([Never](), [])
        expect((0..<99).map { Lone(id: Double($0)) }, (30..<120).reversed().map { Lone(id: Double($0)) })
        expect((0..<99).map { Wide(id: SIMD16(repeating: $0)) }, (30..<120).reversed().map { Wide(id: SIMD16(repeating: $0)) })
        expect((0..<99).map { Maybe(id: $0 % 7 == 0 ? nil : $0) }, (30..<120).map { Maybe(id: $0 % 5 == 0 ? nil : $0) })
        let ids = (0..<99).map { _ in UUID() }
        expect(ids, Array(ids[50...].reversed() + ids[..<60]))
    }

    /// It is a mistake of their author, but nothing is read where nothing is.
    @Test func mayBreakTheLawsOfEquality() {
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

private struct Unit: Differentiable, Hashable {}
private struct Lone: Differentiable, Hashable, Identifiable { let id: Double }
private struct Wide: Differentiable, Hashable, Identifiable { let id: SIMD16<Int> }
private struct Maybe: Differentiable, Hashable, Identifiable { let id: UInt8? }

/// Another one most times that it is asked.
private struct Fickle: Differentiable, Hashable {
    static let calls = Atomic(0)
    let number: Int

    var differenceIdentifier: Int { Self.calls.add(1, ordering: .relaxed).newValue * 7919 % (number + 1) }
}
