package import ScreenDiff

/// Lists pairs of small outlines. A source has the sections 0, 1, … and the cells 1, 2, …. A target has some of these sections and cells,
/// and some new sections and cells. All orders are listed, and all ways to distribute the cells over the sections.
///
/// If several pairs differ only in names, only one of these pairs is listed. In this pair, names are numbered in the order of
/// their first use.
package struct SmallModels: Sendable {
    package let sectionLimit: Int
    package let cellLimit: Int
    /// A Boolean value that indicates whether ids of cells may repeat.
    package var repeats: Bool

    /// The first numbers that are used as names of new cells and of new sections.
    package static let firstNewCell: UInt64 = 100, firstNewSection: UInt64 = 10

    package init(sectionLimit: Int, cellLimit: Int, repeats: Bool = false) {
        self.sectionLimit = sectionLimit
        self.cellLimit = cellLimit
        self.repeats = repeats
    }

    package var sources: [Outline] {
        (0...sectionLimit).flatMap { sections -> [Outline] in
            let names = Array(0..<UInt64(sections))
            return Self.arrangements(of: [], new: 1, limit: sections == 0 ? 0 : cellLimit, repeats: repeats).flatMap { cells in
                Self.spreads(of: cells.count, over: sections).map { Self.outline(sections: names, counts: $0, cells: cells) }
            }
        }
    }

    /// Calls `body` with each target of a source. `body` may change the contents of the target.
    package func forEachTarget(of source: Outline, _ body: (inout Outline) throws -> Void) rethrows {
        let names = Self.arrangements(of: source.sections.map(\.id), new: Self.firstNewSection, limit: sectionLimit)
        let old = Set(source.cells.map(\.id)).sorted()
        let cells = Self.arrangements(of: old, new: Self.firstNewCell, limit: cellLimit, repeats: repeats)
        let spreads = (0...sectionLimit).map { sections in (0...cellLimit).map { Self.spreads(of: $0, over: sections) } }
        for names in names {
            for cells in cells {
                for counts in spreads[names.count][cells.count] {
                    var target = Self.outline(sections: names, counts: counts, cells: cells)
                    try body(&target)
                }
            }
        }
    }

    /// Returns all sequences of at most `limit` names. Each name is an element of `old`, or a new name.
    private static func arrangements(of old: [UInt64], new: UInt64, limit: Int, repeats: Bool = false) -> [[UInt64]] {
        var all: [[UInt64]] = [[]]
        var longest: [[UInt64]] = [[]]
        for _ in 0..<limit {
            longest = longest.flatMap { start in
                let firstUnused = start.filter { $0 >= new }.max().map { $0 + 1 } ?? new
                let names = old + Array(new..<firstUnused)
                return (names.filter { repeats || !start.contains($0) } + [firstUnused]).map { start + [$0] }
            }
            all += longest
        }
        return all
    }

    /// Returns all ways to distribute cells, in order, over sections.
    package static func spreads(of cells: Int, over sections: Int) -> [[Int]] {
        guard sections > 0 else { return cells == 0 ? [[]] : [] }
        return (sections == 1 ? cells...cells : 0...cells).flatMap { count in
            spreads(of: cells - count, over: sections - 1).map { [count] + $0 }
        }
    }

    private static func outline(sections: [UInt64], counts: [Int], cells: [UInt64]) -> Outline {
        Outline(
            sections: zip(sections, counts).map { Outline.Section(id: $0, views: 0, cellCount: $1) },
            cells: cells.map { Outline.Cell(id: $0, content: 0) }
        )
    }
}

extension Outline {
    /// The number of cells that the source also contains.
    package var survivorCount: Int { cells.count { $0.id < SmallModels.firstNewCell } }

    /// Sets the contents of surviving cells. The content of each cell is the bit of `choice` that belongs to the cell.
    package mutating func change(_ choice: Int) {
        var rest = choice
        for cell in cells.indices where cells[cell].id < SmallModels.firstNewCell {
            cells[cell].content = UInt64(rest & 1)
            rest >>= 1
        }
    }
}
