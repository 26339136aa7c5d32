import ScreenDiff
import ScreenModel

/// Rule 7 from its definition, by quadratic methods: one for each cell that changes section, and in each section
/// those that are not in a longest increasing subsequence; of several such the one that leaves the fewest runs.
struct LeastMoves: Equatable {
    var cells = 0
    /// The moves that it takes, as neighbours that stay neighbours move as one.
    var runs = 0
    /// Whether the anchor is among the cells.
    var movesAnchor = false

    /// - Parameter anchor: the id of a cell that stays where that costs no further cell, though it may cost runs.
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

/// Rule 7 for sections.
func leastSectionMoves(_ source: TestModel, _ target: TestModel) -> Int {
    let survivors = source.enumerated().compactMap { number, section in
        target.firstIndex { $0.id == section.id }.map { Survivor(id: 0, number: number, place: $0, isAtHome: true, beginsRun: true) }
    }
    return survivors.count - survivors.mostThatStay().cells
}

/// A cell of one section that is in both lists.
private struct Survivor {
    let id: UInt64
    let number: Int
    /// Its number in the target.
    let place: Int
    /// Whether it is in its section in the target, too.
    let isAtHome: Bool
    /// Whether the cell before it in its section is not the one before it in its section of the target.
    let beginsRun: Bool

    static func all(of cells: Range<Int>, in section: UInt64, _ source: Outline, _ target: Outline) -> [Survivor] {
        var survivors: [Survivor] = []
        for number in cells {
            let id = source.cells[number].id
            guard let place = target.cells.firstIndex(where: { $0.id == id }) else { continue }
            let (home, isFirst) = target.section(ofCell: place)
            let follows = survivors.last.map { $0.number == number - 1 && $0.place == place - 1 && !isFirst }
            survivors.append(Survivor(
                id: id, number: number, place: place, isAtHome: home == section, beginsRun: follows != true
            ))
        }
        return survivors
    }
}

extension [Survivor] {
    /// The most cells in increasing order, and the most beginnings of runs among so many, by the textbook's
    /// quadratic method.
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
    /// The id of the section that a cell is in, and whether the cell is its first.
    fileprivate func section(ofCell number: Int) -> (id: UInt64, isFirst: Bool) {
        var start = 0
        for section in sections {
            if number < start + section.cellCount { return (section.id, number == start) }
            start += section.cellCount
        }
        preconditionFailure("no cell \(number)")
    }
}
