import ScreenModel

/// Rule 7, from the definition: one for each cell that changes section, and in each section those
/// that are not in a longest increasing subsequence.
func leastMoves(_ source: TestModel, _ target: TestModel) -> Int {
    var home: [Int: (section: String, item: Int)] = [:]
    for section in target {
        for (item, cell) in section.enumerated() { home[cell.id] = (section.id, item) }
    }
    return source.reduce(0) { moves, section in
        let survivors = section.compactMap { home[$0.id] }
        let remaining = survivors.filter { $0.section == section.id }.map(\.item)
        return moves + survivors.count - longestRun(remaining)
    }
}

func leastSectionMoves(_ source: TestModel, _ target: TestModel) -> Int {
    let places = source.compactMap { section in target.firstIndex { $0.id == section.id } }
    return places.count - longestRun(places)
}

/// The length of a longest increasing subsequence, by the textbook's quadratic method.
func longestRun(_ numbers: [Int]) -> Int {
    var lengths: [Int] = []
    for (index, number) in numbers.enumerated() {
        lengths.append(1 + (numbers[..<index].indices.filter { numbers[$0] < number }.map { lengths[$0] }.max() ?? 0))
    }
    return lengths.max() ?? 0
}
