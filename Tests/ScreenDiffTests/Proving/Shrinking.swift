import ScreenModel
import TestModels
import Testing

/// Checks a pair of models with `judge`. If the check fails, reports the smallest pair that still fails.
///
/// - Parameter origin: the origin of the pair, such as its seed.
func expect(
    _ source: TestModel, _ target: TestModel, from origin: String, at location: SourceLocation = #_sourceLocation,
    _ judge: (TestModel, TestModel) throws -> Void
) {
    guard let failure = ModelPair(source: source, target: target).smallestFailure(of: judge) else { return }
    Issue.record("\(failure), shrunk from \(origin)", sourceLocation: location)
}

@Suite struct Shrinking {
    @Test func aShrunkPairContainsOnlyWhatIsNecessaryForTheFailure() throws {
        var pairs = ModelPairs(seed: 3)
        let (source, target) = try #require((0..<100).lazy.map { _ in pairs.next() }.first { moves(1, $0, $1) })
        let small = ModelPair(source: source, target: target).shrunk { moves(1, $0.source, $0.target) }
        #expect(small.source.flatMap(\.cells) == [TestCell(id: 1)])
        #expect(small.source.count + small.target.count == 4)
        #expect(small.target.flatMap(\.cells) == [TestCell(id: 1)])
        #expect(small.description.contains("[1]"))
    }

    /// Returns a Boolean value that indicates whether a cell moves between two sections that both exist in the source and in the target.
    private func moves(_ cell: Int, _ source: TestModel, _ target: TestModel) -> Bool {
        func home(_ model: TestModel) -> String? { model.first { $0.contains { $0.id == cell } }?.id }
        guard let old = home(source), let new = home(target) else { return false }
        return old != new && target.contains { $0.id == old } && source.contains { $0.id == new }
    }
}
