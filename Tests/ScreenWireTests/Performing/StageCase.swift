import Foundation
import ScreenDiff

@testable import ScreenWire

/// A case of `Tests/Fixtures/Stages`.
struct StageCase {
    let name: String
    let before: SnapshotTree
    let changeset: ChangesetTree
    let stages: [Stage]

    /// The operations that a list view performs for a stage, and the list that it then shows.
    struct Stage: Decodable {
        let performs: Places
        let shows: [Section]
    }

    /// Reads the cases of a file. The documents of a case are read as a client reads them.
    static func read(_ file: URL) throws -> [StageCase] {
        let bytes = try Data(contentsOf: file)
        guard case .array(let cases) = try JSONReader.read(Array(bytes)) else { return [] }
        return try zip(cases, JSONDecoder().decode([Described].self, from: bytes)).map { documents, described in
            StageCase(
                name: described.name, before: try SnapshotTree(documents["before"] ?? .null),
                changeset: try ChangesetTree(documents["changeset"] ?? .null), stages: described.stages
            )
        }
    }

    private struct Described: Decodable {
        let name: String
        let stages: [Stage]
    }
}

extension StageCase {
    /// The places of the operations of a stage, with one place for each cell and section.
    struct Places: Decodable, Equatable {
        var updateCells: [[Int]]?
        var deleteCells: [[Int]]?
        var insertCells: [[Int]]?
        var moveCells: [[Int]]?
        var deleteSections: [Int]?
        var insertSections: [Int]?
        var moveSections: [[Int]]?
        var updateSections: [Int]?

        init(_ operations: [ListOperation]) {
            for operation in operations {
                switch operation {
                case .reconfigureCells(let places), .reloadCells(let places): updateCells = (updateCells ?? []) + places.map(\.numbers)
                case .deleteCells(let places): deleteCells = (deleteCells ?? []) + places.map(\.numbers)
                case .insertCells(let places): insertCells = (insertCells ?? []) + places.map(\.numbers)
                case .moveCell(let from, let to): moveCells = (moveCells ?? []) + [from.numbers + to.numbers]
                case .deleteSections(let sections): deleteSections = (deleteSections ?? []) + sections
                case .insertSections(let sections): insertSections = (insertSections ?? []) + sections
                case .moveSection(let from, let to): moveSections = (moveSections ?? []) + [[from, to]]
                case .updateSections(let sections), .reloadSections(let sections): updateSections = (updateSections ?? []) + sections
                }
            }
        }
    }

    /// A section as a list view shows it.
    struct Section: Decodable, Equatable {
        let section: String
        let header: String?
        let cells: [String]
        let footer: String?
        let loose: [String]?

        @MainActor init(_ node: NodeListView.SectionNode) {
            let (views, ids) = (node.views, node.cells.map(\.id))
            section = node.id
            header = views.header.map { "\($0.type) \($0.title)" }
            footer = views.footer.map { "\($0.type) \($0.title)" }
            cells = node.cells.map { cell in
                let titles = views.supplementary.filter { $0.cell == cell.id }.map(\.view.title)
                let text = "\(cell.id) \(cell.content.type) \(cell.content.title)"
                return titles.isEmpty ? text : "\(text) (\(titles.joined(separator: ", ")))"
            }
            let others = views.supplementary.filter { $0.cell.map { !ids.contains($0) } ?? true }.map(\.view.title)
            loose = others.isEmpty ? nil : others
        }
    }
}

extension CellPlace {
    fileprivate var numbers: [Int] { [section, item] }
}

extension SnapshotContent {
    fileprivate var title: String {
        if case .string(let title) = content["title"] { title } else { "" }
    }
}
