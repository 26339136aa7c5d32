import ScreenModel

/// A pair of models to compare.
package struct ModelPair: Equatable, CustomStringConvertible {
    package var source: TestModel
    package var target: TestModel

    package init(source: TestModel, target: TestModel) {
        self.source = source
        self.target = target
    }

    /// Checks the pair with `judge`. If the check fails, removes parts of the pair as long as the check still fails, and returns a
    /// text with the failure and the rest of the pair.
    package func smallestFailure(of judge: (TestModel, TestModel) throws -> Void) -> String? {
        func failure(_ pair: ModelPair) -> String? {
            do { try judge(pair.source, pair.target) } catch { return "\(error)" }
            return nil
        }
        guard failure(self) != nil else { return nil }
        let small = shrunk { failure($0) != nil }
        return "\(failure(small) ?? ""): \(small)"
    }

    /// Removes sections, cells and contents from a copy of this pair, as long as `fails` returns true for the copy. Returns the
    /// copy.
    package func shrunk(while fails: (ModelPair) -> Bool) -> ModelPair {
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

    /// Both models in the notation of the differ tests, such as `["a": [1, 2]]`. Contents and headers are included if they are
    /// not 0.
    package var description: String { "\(Self.text(source)) to \(Self.text(target))" }

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
