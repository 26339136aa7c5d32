import ScreenModel
package import SeededRandom

/// A generator of random pairs of models. The two models have many common elements, so that every operation occurs: moves
/// across sections, inserted and deleted sections, updates, and empty sections.
package struct ModelPairs {
    package var generator: SeededGenerator
    package let size: Int
    package let repeats: Repeats

    /// The number of repeated identifiers.
    package enum Repeats: CaseIterable, Sendable { case none, few, many }

    /// Creates a generator.
    ///
    /// - Parameter size: the maximum number of cells of a source.
    package init(seed: UInt64, size: Int = 100, repeats: Repeats = .none) {
        generator = SeededGenerator(seed: seed)
        self.size = size
        self.repeats = repeats
    }

    package mutating func next() -> (TestModel, TestModel) {
        if repeats == .few { return edited() }
        let cells = Int.random(in: 0...Int.random(in: 0...size, using: &generator), using: &generator)
        let source = model(cells: cells, from: Array(0..<cells))
        let share = Double.random(in: 0...1, using: &generator)
        let kept = (0..<cells).filter { _ in Double.random(in: 0...1, using: &generator) < share }
        let ids = mixed(kept) + Array(cells..<cells + Int.random(in: 0...10, using: &generator))
        return (source, model(cells: ids.count, from: ids))
    }

    /// Returns the ids unchanged, rotated, with two ids swapped, or shuffled. The choice is random.
    private mutating func mixed(_ ids: [Int]) -> [Int] {
        var ids = ids
        guard ids.count > 1 else { return ids }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: break
        case 1:
            let first = Int.random(in: 1..<ids.count, using: &generator)
            ids = Array(ids[first...] + ids[..<first])
        case 2: ids.swapAt(ids.indices.randomElement(using: &generator)!, ids.indices.randomElement(using: &generator)!)
        default: ids.shuffle(using: &generator)
        }
        return ids
    }

    private mutating func model(cells: Int, from ids: [Int]) -> TestModel {
        let count = cells == 0 ? Int.random(in: 0...3, using: &generator) : Int.random(in: 1...6, using: &generator)
        var names = Array("abcdefgh".prefix(count + 2)).map(String.init)
        if Bool.random(using: &generator) { names.shuffle(using: &generator) }
        var sections = names.prefix(count).map { TestSection(id: $0, header: Int.random(in: 0...1, using: &generator), cells: []) }
        for id in ids {
            let content = Int.random(in: 0...4, using: &generator) == 0 ? 1 : 0
            let name = repeats == .many ? id % 7 : id
            let place =
                Bool.random(using: &generator) ? id * count / max(1, ids.count * 2) % count : Int.random(in: 0..<count, using: &generator)
            sections[place].cells.append(TestCell(id: name, content: content))
        }
        return TestModel(sections: sections)
    }
}

// Pairs in which most neighbours stay neighbours and a few identifiers are repeated.
extension ModelPairs {
    private mutating func edited() -> (TestModel, TestModel) {
        let cells = Int.random(in: 0...size, using: &generator)
        let sections = Int.random(in: 1...4, using: &generator)
        var source = TestModel()
        for name in "abcdefgh".prefix(sections) {
            let start = source.count * cells / sections
            let ids = start..<(source.count + 1) * cells / sections
            source.sections.append(TestSection(id: String(name), header: 0, cells: ids.map { TestCell(id: $0) }))
        }
        for _ in 0..<Int.random(in: 0...3, using: &generator) { repeatCell(of: &source) }
        var target = source
        for number in 0..<Int.random(in: 0...16, using: &generator) { edit(&target, new: TestCell(id: cells + number)) }
        return (source, target)
    }

    private mutating func edit(_ model: inout TestModel, new cell: TestCell) {
        guard let section = model.indices.randomElement(using: &generator) else { return }
        let item = model[section].indices.randomElement(using: &generator)
        switch (Int.random(in: 0..<9, using: &generator), item) {
        case (0, let item?), (1, let item?): model.sections[section].cells.remove(at: item)
        case (2, let item?): model.sections[section].cells[item].content += 1
        case (3, let item?): insert(model.sections[section].cells.remove(at: item), into: &model)
        case (4, _): repeatCell(of: &model)
        case (5, _) where Bool.random(using: &generator):
            model.sections.swapAt(section, model.indices.randomElement(using: &generator)!)
        case (6, _) where Int.random(in: 0..<4, using: &generator) == 0: model.sections.remove(at: section)
        default: insert(cell, into: &model)
        }
    }

    private mutating func repeatCell(of model: inout TestModel) {
        guard let cell = model.joined().randomElement(using: &generator) else { return }
        insert(cell, into: &model)
    }

    private mutating func insert(_ cell: TestCell, into model: inout TestModel) {
        guard let section = model.indices.randomElement(using: &generator) else { return }
        model.sections[section].cells.insert(cell, at: Int.random(in: 0...model[section].count, using: &generator))
    }
}
