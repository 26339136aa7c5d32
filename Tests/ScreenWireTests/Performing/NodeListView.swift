import ScreenDiff
import Testing

@testable import ScreenWire

/// A list view whose cells and sections have nodes, like the views of UIKit. A node shows what it was last given: its content is read
/// again only if an operation inserts or updates it.
@MainActor final class NodeListView: BatchUpdating {
    final class CellNode {
        let id: String
        var content: SnapshotTree.Cell

        init(_ content: SnapshotTree.Cell) {
            id = content.id
            self.content = content
        }
    }

    final class SectionNode {
        let id: String
        var views: SnapshotTree.Views
        var cells: [CellNode]

        init(_ section: SnapshotTree.Section) {
            id = section.id
            views = section.views
            cells = section.cells.map(CellNode.init)
        }
    }

    /// The data source.
    var data: [SnapshotTree.Section]
    private(set) var sections: [SectionNode]
    /// The operations of the last batch.
    private(set) var operations: [ListOperation] = []
    private(set) var isReloaded = false

    init(_ data: [SnapshotTree.Section]) {
        self.data = data
        sections = data.map(SectionNode.init)
    }

    var isShown: Bool { true }

    func reloadData() { isReloaded = true }

    func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
        operations = []
        updates()
        let edit = Edit(operations)
        if edit.changesSections { placeSections(edit) } else { placeCells(edit) }
        for section in edit.updatedSections { sections[section].views = data[section].views }
        for place in edit.updatedCells { sections[place.section].cells[place.item].content = data[place.section].cells[place.item] }
        completion(true)
    }

    func perform(_ operation: ListOperation) { operations.append(operation) }

    private func placeSections(_ edit: Edit) {
        let inserted = Dictionary(uniqueKeysWithValues: edit.insertedSections.map { ($0, SectionNode(data[$0])) })
        let moved = Dictionary(uniqueKeysWithValues: edit.movedSections.map { ($0.to, sections[$0.from]) })
        let gone = Set(edit.deletedSections + edit.movedSections.map(\.from))
        sections = Self.list(sections, without: gone, placing: inserted.merging(moved) { node, _ in node }, count: data.count)
    }

    private func placeCells(_ edit: Edit) {
        let before = sections.map(\.cells)
        for (index, section) in sections.enumerated() {
            let inserted = edit.insertedCells.filter { $0.section == index }.map { ($0.item, CellNode(data[index].cells[$0.item])) }
            let moved = edit.movedCells.filter { $0.to.section == index }.map { ($0.to.item, before[$0.from.section][$0.from.item]) }
            let gone = (edit.deletedCells + edit.movedCells.map(\.from)).filter { $0.section == index }
            section.cells = Self.list(
                before[index], without: Set(gone.map(\.item)), placing: Dictionary(uniqueKeysWithValues: inserted + moved),
                count: data[index].cells.count
            )
        }
    }

    /// Returns a list in which the nodes of `placed` are at their indices, and the remaining nodes fill the other indices in order. Removes
    /// the nodes at the indices in `gone`. Expects that the list has `count` nodes.
    private static func list<Node>(_ nodes: [Node], without gone: Set<Int>, placing placed: [Int: Node], count: Int) -> [Node] {
        var staying = nodes.indices.filter { !gone.contains($0) }.map { nodes[$0] }[...]
        #expect(staying.count + placed.count == count, "Invalid update: invalid number of rows")
        return (0..<count).compactMap { placed[$0] ?? staying.popFirst() }
    }
}

/// The operations of a batch, by kind.
private struct Edit {
    var deletedSections: [Int] = []
    var insertedSections: [Int] = []
    var updatedSections: [Int] = []
    var movedSections: [(from: Int, to: Int)] = []
    var deletedCells: [CellPlace] = []
    var insertedCells: [CellPlace] = []
    var updatedCells: [CellPlace] = []
    var movedCells: [(from: CellPlace, to: CellPlace)] = []

    init(_ operations: [ListOperation]) {
        for operation in operations {
            switch operation {
            case .deleteSections(let sections): deletedSections += sections
            case .insertSections(let sections): insertedSections += sections
            case .updateSections(let sections), .reloadSections(let sections): updatedSections += sections
            case .moveSection(let from, let to): movedSections.append((from, to))
            case .deleteCells(let places): deletedCells += places
            case .insertCells(let places): insertedCells += places
            case .reconfigureCells(let places), .reloadCells(let places): updatedCells += places
            case .moveCell(let from, let to): movedCells.append((from, to))
            }
        }
    }

    var changesSections: Bool { !deletedSections.isEmpty || !insertedSections.isEmpty || !movedSections.isEmpty }
}
