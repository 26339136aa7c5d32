extension Stage {
    /// Returns the moves of cells within one section as operations that a view performs one after another. The view performs
    /// the moves after the deletes and before the inserts. The moves are computed in O(n log n).
    ///
    /// Invalid moves are left out. A move is invalid in these cases: the cell is deleted, another move has the same source or
    /// the same target, the source or the target is in another section, or a place is negative.
    func sequentialMoves() -> [ListOperation] {
        guard let section = moveCells.first?.source.section else { return [] }
        let moves = fittingMoves(in: section)
        let sources = moves.map(\.source).sorted()
        var moved = FenwickTree(count: sources.count)
        // The moves are visited in ascending order of their targets. For each visited move, this array contains the index of the first
        // unmoved cell after the new place of the moved cell. Each index is an index in the list before all moves. The array is in
        // ascending order.
        var behind: [Int] = []
        // The number of moves, visited or not, whose source is less than the last index in `behind`.
        var passed = 0
        return moves.enumerated().compactMap { number, move in
            let rank = sources.lowerBound(move.source)
            let from = move.source - moved.count(before: rank) + behind.lowerBound(move.source + 1)
            moved.add(at: rank)
            let stayingBefore = move.target - number
            while passed < sources.count, sources[passed] < stayingBefore + passed { passed += 1 }
            behind.append(stayingBefore + passed)
            // The cells of unvisited moves are still at their sources, and `move.target` does not count them. Therefore the number of these
            // cells before the target is added.
            let to = move.target + passed - moved.count(before: passed)
            return from == to ? nil : .moveCell(from: CellPlace(section: section, item: from), to: CellPlace(section: section, item: to))
        }
    }

    /// Returns the valid moves in ascending order of their targets. Each source is an index in the list without the deleted
    /// cells. Each target is an index in the list without the inserted cells.
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

// The functions of this extension require an array in ascending order.
extension [Int] {
    /// Returns the number of elements that are less than `number`, by binary search.
    fileprivate func lowerBound(_ number: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the new index of an item after a removal. This array contains the indices of the removed items. Returns nil if the item
    /// itself is removed, or if its index is negative or too large.
    ///
    /// - Parameter item: the index of the item before the removal.
    fileprivate func placeAmongOthers(of item: Int) -> Int? {
        // Very large indices are rejected, so that sums of indices cannot overflow.
        guard (0..<Int.max / 2).contains(item) else { return nil }
        let index = lowerBound(item)
        return index < count && self[index] == item ? nil : item - index
    }
}

/// A set of indices that counts its members before a given index in O(log n) (Fenwick, "A new data structure for cumulative
/// frequency tables", 1994).
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
