import ScreenModel
import SeededRandom

/// Pairs of models that share much, so that everything happens: moves across sections,
/// sections that go and come, updates, empty sections.
struct ModelPairs {
    var generator: SeededGenerator
    let size: Int
    let isDuplicating: Bool

    /// - Parameter size: how many cells a source has at most.
    init(seed: UInt64, size: Int = 100, duplicates: Bool = false) {
        generator = SeededGenerator(seed: seed)
        self.size = size
        isDuplicating = duplicates
    }

    mutating func next() -> (TestModel, TestModel) {
        let cells = Int.random(in: 0...Int.random(in: 0...size, using: &generator), using: &generator)
        let source = model(cells: cells, from: Array(0..<cells))
        let share = Double.random(in: 0...1, using: &generator)
        let kept = (0..<cells).filter { _ in Double.random(in: 0...1, using: &generator) < share }
        let ids = mixed(kept) + Array(cells..<cells + Int.random(in: 0...10, using: &generator))
        return (source, model(cells: ids.count, from: ids))
    }

    /// Leaves the order alone, rotates, swaps or shuffles: each makes other moves.
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
            let name = isDuplicating ? id % 7 : id
            let place = Bool.random(using: &generator) ? id * count / max(1, ids.count * 2) % count : Int.random(in: 0..<count, using: &generator)
            sections[place].cells.append(TestCell(id: name, content: content))
        }
        return TestModel(sections: sections)
    }
}
