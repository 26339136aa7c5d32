import ScreenDiff
import ScreenModel
import TestModels

/// The least possible number of moves between two outlines, which rule 7 of the protocol requires. It is computed in quadratic time
/// directly from the definition.
///
/// The cells that stay in place are a longest increasing subsequence of their section. If there are several, one that leaves the fewest
/// runs to move is chosen. A run is a group of cells that are neighbours in the source and in the target.
struct LeastMoves: Equatable {
    var cells = 0
    /// The number of moves if each run is moved as a whole.
    var runs = 0
    /// A Boolean value that indicates whether the anchor moves. The anchor is a cell that should stay in place.
    var movesAnchor = false

    /// Computes the least number of moves.
    ///
    /// - Parameter anchor: the id of a cell that stays in place if this needs no additional move of a cell. An anchor can increase the
    ///   number of runs.
    init(_ source: Outline, _ target: Outline, anchor: UInt64? = nil) {
        var start = 0
        for section in source.sections {
            let cells = start..<start + section.cellCount
            start = cells.upperBound
            add(Survivor.all(of: cells, in: section.id, source, target), anchor)
        }
    }

    init(_ source: TestModel, _ target: TestModel, anchor: Int? = nil) {
        self.init(source.outline, target.outline, anchor: anchor.map(UInt64.init))
    }

    private mutating func add(_ survivors: [Survivor], _ anchor: UInt64?) {
        let remaining = survivors.filter(\.isAtHome)
        var staying = remaining.mostThatStay()
        if let anchor = survivors.first(where: { $0.id == anchor }) {
            let companions = remaining.filter { $0.number == anchor.number || ($0.number < anchor.number) == ($0.place < anchor.place) }
            let companionsStaying = companions.mostThatStay()
            movesAnchor = !anchor.isAtHome || companionsStaying.cells < staying.cells
            if !movesAnchor { staying = companionsStaying }
        }
        cells += survivors.count - staying.cells
        runs += survivors.count(where: \.beginsRun) - staying.runs
    }
}

/// Returns the least possible number of section moves, which rule 7 of the protocol requires.
func leastSectionMoves(_ source: TestModel, _ target: TestModel) -> Int {
    let survivors = source.enumerated().compactMap { number, section in
        target.firstIndex { $0.id == section.id }.map { Survivor(id: 0, number: number, place: $0, isAtHome: true, beginsRun: true) }
    }
    return survivors.count - survivors.mostThatStay().cells
}

/// A cell or a section that is in both the source and the target.
private struct Survivor {
    let id: UInt64
    let number: Int
    /// The index in the target. Cells are numbered consecutively across all sections.
    let place: Int
    let isAtHome: Bool
    /// A Boolean value that indicates whether a run begins with the cell. This is the case if the cell has different predecessors in the
    /// source and in the target.
    let beginsRun: Bool

    static func all(of cells: Range<Int>, in section: UInt64, _ source: Outline, _ target: Outline) -> [Survivor] {
        var survivors: [Survivor] = []
        for number in cells {
            let id = source.cells[number].id
            guard let place = target.cells.firstIndex(where: { $0.id == id }) else { continue }
            let (home, isFirst) = target.section(ofCell: place)
            let follows = survivors.last.map { $0.number == number - 1 && $0.place == place - 1 && !isFirst }
            survivors.append(
                Survivor(
                    id: id, number: number, place: place, isAtHome: home == section, beginsRun: follows != true
                ))
        }
        return survivors
    }
}

extension [Survivor] {
    /// Finds a longest increasing subsequence by the quadratic textbook method. If there are several, chooses one with the most cells that
    /// begin a run. Returns the number of cells in the subsequence, and the number of these cells that begin a run.
    fileprivate func mostThatStay() -> (cells: Int, runs: Int) {
        var best: [(cells: Int, runs: Int)] = []
        for (index, survivor) in enumerated() {
            var before = (cells: 0, runs: 0)
            for other in 0..<index where self[other].place < survivor.place && before < best[other] { before = best[other] }
            best.append((before.cells + 1, before.runs + (survivor.beginsRun ? 1 : 0)))
        }
        return best.max { $0 < $1 } ?? (0, 0)
    }
}

extension Outline {
    /// Returns the id of the section of a cell, and whether the cell is the first cell of the section.
    fileprivate func section(ofCell number: Int) -> (id: UInt64, isFirst: Bool) {
        var start = 0
        for section in sections {
            if number < start + section.cellCount { return (section.id, number == start) }
            start += section.cellCount
        }
        preconditionFailure("no cell \(number)")
    }
}
