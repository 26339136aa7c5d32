extension Stage {
    /// Moves within one section, one after another, between its deletes and its inserts, found in O(n log n).
    ///
    /// What does not fit is left out: a cell that is deleted or moved twice, a place that two come to, a move that
    /// leaves the section, what is no place.
    func sequentialMoves() -> [ListOperation] {
        guard let section = moveCells.first?.source.section else { return [] }
        let moves = fittingMoves(in: section)
        let sources = moves.map(\.source).sorted()
        var moved = FenwickTree(count: sources.count)
        // For each move that was told, where the cells begin that were behind it at first. Targets ascend, and so do these.
        var behind: [Int] = []
        // The number of sources before that.
        var passed = 0
        return moves.enumerated().compactMap { number, move in
            let rank = sources.lowerBound(move.source)
            let from = move.source - moved.count(before: rank) + behind.lowerBound(move.source + 1)
            moved.add(at: rank)
            let stayingBefore = move.target - number
            while passed < sources.count, sources[passed] < stayingBefore + passed { passed += 1 }
            behind.append(stayingBefore + passed)
            // What is yet to move is still in the way.
            let to = move.target + passed - moved.count(before: passed)
            return from == to ? nil : .moveCell(from: CellPlace(section: section, item: from), to: CellPlace(section: section, item: to))
        }
    }

    /// Moves by ascending targets, in places as if nothing was deleted or inserted.
    private func fittingMoves(in section: Int) -> [(source: Int, target: Int)] {
        let deleted = Self.items(of: deleteCells, in: section)
        let inserted = Self.items(of: insertCells.map(\.run), in: section)
        var sources: Set<Int> = []
        var targets: Set<Int> = []
        return moveCells.flatMap(\.moves).compactMap { move -> (source: Int, target: Int)? in
            guard move.source.section == section, move.target.section == section,
                let source = deleted.placeAmongOthers(of: move.source.item), sources.insert(source).inserted,
                let target = inserted.placeAmongOthers(of: move.target.item), targets.insert(target).inserted
            else { return nil }
            return (source, target)
        }.sorted { $0.target < $1.target }
    }

    private static func items(of runs: [CellRun], in section: Int) -> [Int] {
        Set(runs.flatMap(\.places).filter { $0.section == section && $0.item >= 0 }.map(\.item)).sorted()
    }
}

// Ascending numbers.
extension [Int] {
    /// How many are less, by binary search.
    fileprivate func lowerBound(_ number: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The place that an item has without these; nil if it is one of these, or no place.
    fileprivate func placeAmongOthers(of item: Int) -> Int? {
        // Sums with it shall not overflow.
        guard (0..<Int.max / 2).contains(item) else { return nil }
        let index = lowerBound(item)
        return index < count && self[index] == item ? nil : item - index
    }
}

/// Counts of what was added before an index, in O(log n) (Fenwick, "A new data structure for cumulative frequency
/// tables", 1994).
private struct FenwickTree {
    private var sums: [Int]

    init(count: Int) {
        sums = Array(repeating: 0, count: count + 1)
    }

    mutating func add(at index: Int) {
        var end = index + 1
        while end < sums.count {
            sums[end] += 1
            end += end & -end
        }
    }

    func count(before index: Int) -> Int {
        var (end, count) = (index, 0)
        while end > 0 {
            count += sums[end]
            end -= end & -end
        }
        return count
    }
}
