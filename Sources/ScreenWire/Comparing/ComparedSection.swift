import ScreenDiff

/// A section of a snapshot as the differ compares it.
struct ComparedSection: DifferentiableSection {
    private let section: SnapshotTree.Section

    init(_ section: SnapshotTree.Section) {
        self.section = section
    }

    init(source: ComparedSection, elements: some Swift.Collection<ComparedCell>) {
        var section = source.section
        section.cells = SnapshotTree.Cells(elements.map(\.cell))
        self.section = section
    }

    var differenceIdentifier: ExactText { ExactText(section.id) }

    var elements: [ComparedCell] { section.cells.map(ComparedCell.init) }

    func isContentEqual(to source: ComparedSection) -> Bool {
        section.views.isSame(as: source.section.views)
    }
}

/// A cell of a snapshot as the differ compares it.
struct ComparedCell: Differentiable {
    let cell: SnapshotTree.Cell

    var differenceIdentifier: ExactText { ExactText(cell.id) }

    func isContentEqual(to source: ComparedCell) -> Bool {
        cell.isSame(as: source.cell)
    }
}

extension SnapshotTree.Cell {
    package func isSame(as other: SnapshotTree.Cell) -> Bool {
        object === other.object || content.isSame(as: other.content)
    }
}

extension SnapshotTree {
    static func stages(from source: [Section], to target: [Section]) -> [Stage] {
        StagedChangeset(source: source.map(ComparedSection.init), target: target.map(ComparedSection.init)).stages
    }
}
