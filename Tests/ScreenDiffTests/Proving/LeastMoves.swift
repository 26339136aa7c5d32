import ScreenDiff
import ScreenModel

/// Rule 7, from the definition: one for each cell that changes section, and in each section those
/// that are not in a longest increasing subsequence.
func leastMoves(_ source: Outline, _ target: Outline) -> Int {
    var (moves, start) = (0, 0)
    for section in source.sections {
        var remaining: [Int] = []
        for cell in source.cells[start..<start + section.cellCount] {
            guard let place = target.cells.firstIndex(where: { $0.id == cell.id }) else { continue }
            if target.section(ofCell: place).id == section.id { remaining.append(place) } else { moves += 1 }
        }
        moves += remaining.count - longestRun(remaining)
        start += section.cellCount
    }
    return moves
}

func leastMoves(_ source: TestModel, _ target: TestModel) -> Int {
    leastMoves(source.outline, target.outline)
}

func leastSectionMoves(_ source: Outline, _ target: Outline) -> Int {
    let places = source.sections.compactMap { section in target.sections.firstIndex { $0.id == section.id } }
    return places.count - longestRun(places)
}

func leastSectionMoves(_ source: TestModel, _ target: TestModel) -> Int {
    leastSectionMoves(source.outline, target.outline)
}

/// The length of a longest increasing subsequence, by the textbook's quadratic method.
func longestRun(_ numbers: [Int]) -> Int {
    if numbers.count < 2 { return numbers.count }
    var lengths: [Int] = []
    for (index, number) in numbers.enumerated() {
        lengths.append(1 + (numbers[..<index].indices.lazy.filter { numbers[$0] < number }.map { lengths[$0] }.max() ?? 0))
    }
    return lengths.max() ?? 0
}

extension Outline {
    fileprivate func section(ofCell number: Int) -> Section {
        var end = 0
        return sections.first { section in
            end += section.cellCount
            return number < end
        }!
    }
}
