import ScreenModel

/// Lists all small models: sections `a`, `b`, … in order with cells 1, 2, … in order for the source;
/// for the target every choice, order and distribution of those, with new ones among them.
///
/// Names of new sections and cells do not matter, only where they stand; so they are numbered in order.
struct SmallModels {
    let sectionLimit: Int
    let cellLimit: Int

    var sources: [TestModel] {
        (0...sectionLimit).flatMap { sections in
            (0...(sections == 0 ? 0 : cellLimit)).flatMap { cells in
                models(sections: Array(0..<sections), cells: Array(1...(cells + 1)).dropLast())
            }
        }
    }

    /// All targets for a source with so many sections and cells.
    func targets(sections: Int, cells: Int) -> [TestModel] {
        let cellChoices = Self.arrangements(of: Array(1..<(cells + 1)), new: 100, limit: cellLimit)
        return Self.arrangements(of: Array(0..<sections), new: 10, limit: sectionLimit).flatMap { names in
            cellChoices.flatMap { cells in models(sections: names, cells: cells[...]) }
        }
    }

    /// All sequences of distinct members of `old` and of new ones, up to a length.
    private static func arrangements(of old: [Int], new: Int, limit: Int) -> [[Int]] {
        var all: [[Int]] = [[]]
        var longest: [[Int]] = [[]]
        for _ in 0..<limit {
            longest = longest.flatMap { start in
                let rest = old.filter { !start.contains($0) }
                return (rest + [new + start.count { $0 >= new }]).map { start + [$0] }
            }
            all += longest
        }
        return all
    }

    /// All ways to spread these cells, in this order, over these sections.
    private func models(sections: [Int], cells: ArraySlice<Int>) -> [TestModel] {
        guard let first = sections.first else { return cells.isEmpty ? [TestModel()] : [] }
        let name = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(first)))
        let rest = Array(sections.dropFirst())
        let counts = rest.isEmpty ? cells.count...cells.count : 0...cells.count
        return counts.flatMap { count in
            let section = TestSection(id: name, header: 0, cells: cells.prefix(count).map { TestCell(id: $0) })
            return models(sections: rest, cells: cells.dropFirst(count)).map { TestModel(sections: [section] + $0.sections) }
        }
    }
}
