import ScreenDiff

/// Is a changeset of any origin, read from its document, with the content that it brings.
///
/// Its stages have the shape that rules 2 and 3 give them; whether it fits a snapshot shows when it
/// is played on it.
public struct ChangesetTree: Sendable {
    let screen: String
    let from: String
    let version: String
    /// Nil leaves the title as it is.
    let title: String?
    let stages: [Stage]

    enum Stage: Sendable {
        case updateCells([CellUpdate])
        case insertSections([SectionInsert])
        case changeCells(CellChanges)
        case changeSections(SectionChanges)
        case updateSections([ViewsUpdate])
    }

    struct CellUpdate: Sendable {
        let place: CellPlace
        let cell: SnapshotTree.Cell
    }

    struct SectionInsert: Sendable {
        let place: Int
        let section: SnapshotTree.Section
    }

    struct CellChanges: Sendable {
        let deletes: [CellRun]
        let inserts: [CellInsert]
        let moves: [CellMove]
    }

    struct CellInsert: Sendable {
        let place: CellPlace
        let cells: [SnapshotTree.Cell]
    }

    struct SectionChanges: Sendable {
        let deletes: [Int]
        let moves: [SectionMove]
    }

    struct ViewsUpdate: Sendable {
        let place: Int
        let views: SnapshotTree.Views
    }
}
