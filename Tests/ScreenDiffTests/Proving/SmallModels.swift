import ScreenModel

/// Lists pairs of small models: sections `a`, `b`, … with cells 1, 2, … for the source; for the target
/// every choice, order and distribution of those, with new ones among them.
///
/// Names do not matter, only where they stand again: those of a source are in order, and new ones are
/// numbered in order. So of pairs that differ by names one is listed.
struct SmallModels {
    let sectionLimit: Int
    let cellLimit: Int

    /// Cells from this number on are new.
    static let firstNewCell = 100

    var sources: [TestModel] {
        (0...sectionLimit).flatMap { sections in
            (0...(sections == 0 ? 0 : cellLimit)).flatMap { cells in
                Self.spreads(of: Array(1...(cells + 1)).dropLast(), over: sections).map {
                    Self.model(sections: Array(0..<sections), cells: $0)
                }
            }
        }
    }

    /// Calls `body` with each target of a source.
    ///
    /// - Parameter withoutRuns: leaves out the targets that a cell could be taken from, as another fares like it.
    func forEachTarget(of source: TestModel, withoutRuns: Bool = false, _ body: (TestModel) throws -> Void) rethrows {
        let old = source.map { $0.cells.map(\.id) }
        let names = Dictionary(grouping: Self.arrangements(of: Array(old.indices), new: 10, limit: sectionLimit), by: \.count)
        for cells in Self.arrangements(of: old.flatMap { $0 }, new: Self.firstNewCell, limit: cellLimit) {
            for count in 0...sectionLimit {
                for spread in Self.spreads(of: cells[...], over: count) where !withoutRuns || Self.superfluousCell(old, spread) == nil {
                    for names in names[count] ?? [] { try body(Self.model(sections: names, cells: spread)) }
                }
            }
        }
    }

    /// The second of two neighbours that fare as one cell would: they come, go or stay side by side.
    static func superfluousCell(_ source: [[Int]], _ target: [[Int]]) -> Int? {
        let survivors = target.flatMap { $0 }
        let (before, after) = (neighbours(source), neighbours(target))
        let coming = after.first { $0 >= firstNewCell && $1 >= firstNewCell }
        let other = before.first { first, second in
            !survivors.contains(first) && !survivors.contains(second) || after.contains { $0 == (first, second) }
        }
        return (coming ?? other)?.1
    }

    private static func neighbours(_ sections: [[Int]]) -> [(Int, Int)] {
        sections.flatMap { Array(zip($0, $0.dropFirst())) }
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

    /// All ways to spread these cells, in this order, over so many sections.
    private static func spreads(of cells: ArraySlice<Int>, over sections: Int) -> [[[Int]]] {
        guard sections > 0 else { return cells.isEmpty ? [[]] : [] }
        return (sections == 1 ? cells.count...cells.count : 0...cells.count).flatMap { count in
            spreads(of: cells.dropFirst(count), over: sections - 1).map { [Array(cells.prefix(count))] + $0 }
        }
    }

    private static func model(sections: [Int], cells: [[Int]]) -> TestModel {
        TestModel(sections: zip(sections, cells).map { section, cells in
            let name = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(section)))
            return TestSection(id: name, header: 0, cells: cells.map { TestCell(id: $0) })
        })
    }
}
