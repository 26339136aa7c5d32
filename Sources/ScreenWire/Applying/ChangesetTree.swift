package import ScreenDiff

/// A changeset of any origin, read from its document, with the content that it brings.
///
/// Its stages have the shape that rules 2 and 3 give them; whether it fits a snapshot shows when it
/// is played on it.
public struct ChangesetTree: Sendable {
    package let screen: String
    package let from: String
    package let version: String
    /// Nil leaves the title as it is.
    package let title: String?
    package let stages: [Stage]

    package enum Stage: Sendable {
        case updateCells([CellUpdate])
        case insertSections([SectionInsert])
        case changeCells(CellChanges)
        case changeSections(SectionChanges)
        case updateSections([ViewsUpdate])
    }

    package struct CellUpdate: Sendable {
        package let place: CellPlace
        package let cell: SnapshotTree.Cell
    }

    package struct SectionInsert: Sendable {
        package let place: Int
        package let section: SnapshotTree.Section
    }

    package struct CellChanges: Sendable {
        package let deletes: [CellRun]
        package let inserts: [CellInsert]
        package let moves: [CellMove]
    }

    package struct CellInsert: Sendable {
        package let place: CellPlace
        package let cells: [SnapshotTree.Cell]
    }

    package struct SectionChanges: Sendable {
        package let deletes: [Int]
        package let moves: [SectionMove]
    }

    package struct ViewsUpdate: Sendable {
        package let place: Int
        package let views: SnapshotTree.Views
    }
}
