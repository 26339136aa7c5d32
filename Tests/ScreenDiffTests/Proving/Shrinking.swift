import ScreenModel
import Testing

/// Checks a pair of models with `judge`. If the check fails, reports a smaller pair for which the check fails, too.
///
/// - Parameter origin: the origin of the pair, such as its seed.
func expect(
    _ source: TestModel, _ target: TestModel, from origin: String, at location: SourceLocation = #_sourceLocation,
    _ judge: (TestModel, TestModel) throws -> Void
) {
    func failure(_ pair: ModelPair) -> String? {
        do { try judge(pair.source, pair.target) } catch { return "\(error)" }
        return nil
    }
    let pair = ModelPair(source: source, target: target)
    guard failure(pair) != nil else { return }
    let small = pair.shrunk { failure($0) != nil }
    Issue.record("\(failure(small) ?? ""): \(small), shrunk from \(origin)", sourceLocation: location)
}

struct ModelPair: Equatable, CustomStringConvertible {
    var source: TestModel
    var target: TestModel

    /// Returns a copy of this pair without the sections, cells and contents that can be removed while `fails` returns true.
    func shrunk(while fails: (ModelPair) -> Bool) -> ModelPair {
        var pair = self
        while let smaller = pair.smaller.first(where: fails) { pair = smaller }
        return pair
    }

    /// The pairs that result from removing one section, cell or content from this pair.
    private var smaller: some Sequence<ModelPair> {
        [\ModelPair.source, \.target].lazy.flatMap { side in
            self[keyPath: side].smaller.map { model in
                var pair = self
                pair[keyPath: side] = model
                return pair
            }
        }
    }

    /// Both models in the notation of the differ tests, such as `["a": [1, 2]]`. Contents and headers of 0 are omitted.
    var description: String { "\(Self.text(source)) to \(Self.text(target))" }

    private static func text(_ model: TestModel) -> String {
        let sections = model.map { section in
            let cells = section.cells.map { $0.content == 0 ? "\($0.id)" : "\($0)" }
            return "\"\(section.id)\"\(section.header == 0 ? "" : "/\(section.header ?? 0)"): [\(cells.joined(separator: ", "))]"
        }
        return "[\(sections.joined(separator: ", "))]"
    }
}

extension TableViewModel where HeaderFooter == Int, Cell == TestCell {
    fileprivate var smaller: [TestModel] {
        let places = indices.flatMap { section in self[section].indices.map { (section, $0) } }
        let fewerSections = indices.map { section in changed { $0.sections.remove(at: section) } }
        let fewerCells = places.map { section, item in changed { $0.sections[section].cells.remove(at: item) } }
        let plainHeaders = indices.map { section in changed { $0.sections[section].header = 0 } }
        let plainCells = places.map { section, item in changed { $0.sections[section].cells[item].content = 0 } }
        return fewerSections + fewerCells + (plainHeaders + plainCells).filter { $0 != self }
    }

    private func changed<Result>(_ change: (inout TestModel) -> Result) -> TestModel {
        var model = self
        _ = change(&model)
        return model
    }
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
