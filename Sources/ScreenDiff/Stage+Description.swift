extension Stage {
    /// How many cells and sections are deleted, inserted, moved or updated. Cells that come with an
    /// inserted section count, those that go with a deleted one do not: the stage does not name them.
    public var changeCount: Int {
        let cells = updateCells.count + deleteCells.reduce(0) { $0 + $1.count }
            + insertCells.reduce(0) { $0 + $1.run.count } + moveCells.reduce(0) { $0 + $1.count }
        let newCells = insertSections.reduce(0) { $0 + $1.newItems.reduce(0) { $0 + $1.count } }
        return cells + newCells + insertSections.count + deleteSections.count + moveSections.count + updateSections.count
    }
}

extension Stage: CustomDebugStringConvertible {
    /// A line for each kind of operation that there is: `  moveCells [1, 0]→[0, 2]×3`.
    public var debugDescription: String {
        let lines: [(String, [String])] = [
            ("updateCells", updateCells.map { "\($0.place)" }),
            ("insertSections", insertSections.map { "\($0.place) with \($0.newItems.reduce(0) { $0 + $1.count })" }),
            ("deleteCells", deleteCells.map { "\($0.place)" + Self.times($0.count) }),
            ("insertCells", insertCells.map { "\($0.run.place)" + Self.times($0.run.count) }),
            ("moveCells", moveCells.map { "\($0.source)→\($0.destination)" + Self.times($0.count) }),
            ("deleteSections", deleteSections.map { "\($0)" }),
            ("moveSections", moveSections.map { "\($0.source)→\($0.destination)" }),
            ("updateSections", updateSections.map { "\($0)" }),
        ]
        return lines.filter { !$0.1.isEmpty }.map { "  \($0) \($1.joined(separator: ", "))" }.joined(separator: "\n")
    }

    private static func times(_ count: Int) -> String {
        count == 1 ? "" : "×\(count)"
    }
}

extension CellPlace: CustomStringConvertible {
    public var description: String { "[\(section), \(item)]" }
}
