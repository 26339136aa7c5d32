import ScreenDiff
import ScreenTesting

/// A batch that breaks a rule, and the message of the view.
struct BrokenBatch: Sendable, CustomStringConvertible {
    let rule: ListViewRule
    var kind = ListViewKind.collectionView
    /// The cells of each section. A cell is written as its reuse identifier and its name, such as `row 1`.
    let before: [[String]]
    let after: [[String]]
    let operations: [ListOperation]
    let message: String

    init(
        _ rule: ListViewRule, _ kind: ListViewKind = .collectionView, from before: [[String]], to after: [[String]],
        _ operations: [ListOperation], _ message: String
    ) {
        (self.rule, self.kind, self.before, self.after) = (rule, kind, before, after)
        (self.operations, self.message) = (operations, message)
    }

    var description: String { message }

    /// Performs the batch. Returns the faults.
    @MainActor func faults() -> [ListViewFault] {
        var data = before
        let view = StrictListView<String>(
            kind, sections: { data.map { .init(cells: $0) } }, reuseIdentifier: { String($0.prefix { $0 != " " }) }, report: { _ in }
        )
        view.performBatch(
            {
                data = after
                operations.forEach(view.perform)
            }, completion: { _ in })
        return view.faults
    }
}

func place(_ section: Int, _ item: Int) -> CellPlace {
    CellPlace(section: section, item: item)
}
