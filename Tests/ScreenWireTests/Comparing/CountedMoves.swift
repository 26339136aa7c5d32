import Foundation

/// How many cells and sections a changeset moves, or has to move by the definition in rule 7.
///
/// Foundation reads the documents, and a textbook's quadratic method finds the longest subsequences: neither
/// the reader nor the differ of these libraries has a say.
struct CountedMoves: Equatable {
    private let cells: Int
    private let sections: Int

    /// Counts what a changeset does.
    init(_ changeset: String) throws {
        let stages = try object(changeset)["stages"] as? [[String: Any]] ?? []
        cells = stages.flatMap { $0["moveCells"] as? [[Int]] ?? [] }.reduce(0) { $0 + $1[4] }
        sections = stages.reduce(0) { $0 + (($1["moveSections"] as? [[Int]])?.count ?? 0) }
    }

    /// Counts what must be done: one for each cell that changes section, and in each section those that
    /// are not in a longest increasing subsequence. Sections likewise.
    init(from source: ListedIDs, to target: ListedIDs) {
        var moved = 0
        for (section, cells) in zip(source.sections, source.cellsOfSections) {
            let staying = target.cells(of: section)
            let places = cells.compactMap { staying.firstIndex(of: $0) }
            moved += cells.filter { target.cells.contains($0) }.count - Self.longestRun(places)
        }
        cells = moved
        let places = source.sections.compactMap { target.sections.firstIndex(of: $0) }
        sections = places.count - Self.longestRun(places)
    }

    private static func longestRun(_ numbers: [Int]) -> Int {
        var lengths: [Int] = []
        for number in numbers {
            lengths.append(1 + (zip(numbers, lengths).filter { $0.0 < number }.map(\.1).max() ?? 0))
        }
        return lengths.max() ?? 0
    }
}

/// The ids of a snapshot, as Foundation reads it.
struct ListedIDs {
    let sections: [String]
    let cellsOfSections: [[String]]

    init(_ snapshot: String) throws {
        let all = try object(snapshot)["sections"] as? [[String: Any]] ?? []
        sections = all.compactMap { $0["id"] as? String }
        cellsOfSections = all.map { ($0["cells"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String } }
    }

    var cells: [String] { cellsOfSections.flatMap(\.self) }

    func cells(of section: String) -> [String] {
        zip(sections, cellsOfSections).first { $0.0 == section }?.1 ?? []
    }
}

private func object(_ text: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
}
