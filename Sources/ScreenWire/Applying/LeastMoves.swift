import ScreenDiff

/// How many cells and sections have to move from some sections to others.
///
/// By rule 7 itself and without the differ: it judges what the differ finds, too.
struct LeastMoves {
    let cells: Int
    let sections: Int

    init(from source: [SnapshotTree.Section], to target: [SnapshotTree.Section]) {
        var sectionPlaces: [ExactText: Int] = [:]
        var cellPlaces: [ExactText: CellPlace] = [:]
        for (number, section) in target.enumerated() {
            sectionPlaces[ExactText(section.id)] = number
            for (item, cell) in section.cells.enumerated() {
                cellPlaces[ExactText(cell.id)] = CellPlace(section: number, item: item)
            }
        }
        sections = Self.outOfOrder(source.compactMap { sectionPlaces[ExactText($0.id)] })
        cells = source.reduce(0) { sum, section in
            let home = sectionPlaces[ExactText(section.id)]
            let places = section.cells.compactMap { cellPlaces[ExactText($0.id)] }
            let remaining = places.filter { $0.section == home }
            return sum + places.count - remaining.count + Self.outOfOrder(remaining.map(\.item))
        }
    }

    /// How many of some distinct numbers are not in a longest increasing subsequence of them.
    private static func outOfOrder(_ numbers: [Int]) -> Int {
        // The least numbers that one, two, three, … increasing ones end with.
        var ends: [Int] = []
        for number in numbers {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if ends[middle] < number { low = middle + 1 } else { high = middle }
            }
            if low == ends.count { ends.append(number) } else { ends[low] = number }
        }
        return numbers.count - ends.count
    }
}
