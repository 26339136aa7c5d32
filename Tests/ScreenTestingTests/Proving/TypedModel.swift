import ScreenDiff
import ScreenModel
import ScreenTesting
import TestModels

/// A cell whose reuse identifier depends on its content if its id is a multiple of 3.
struct Row: Hashable, Differentiable, ReuseIdentifying {
    var id: Int
    var content: Int

    var differenceIdentifier: Int { id }
    var reuseIdentifier: String { id.isMultiple(of: 3) ? "row\(content)" : "row" }
}

/// A header. Its reuse identifier depends on whether its content is even or odd.
struct Head: Hashable, ContentEquatable, ReuseIdentifying {
    var content: Int

    var reuseIdentifier: String { content.isMultiple(of: 2) ? "head" : "banner" }
}

typealias TypedModel = TableViewModel<Head, Row>

extension TableViewModel where HeaderFooter == Head, Cell == Row {
    /// Creates a typed model from a test model. If the number of a section's header changes, the typed header appears, disappears, changes
    /// its type, or changes only its content.
    init(_ model: TestModel) {
        self.init(
            sections: model.map { section in
                let cells = section.cells.map { Row(id: $0.id, content: $0.content) }
                return Section(id: section.id, header: section.head, cells: cells)
            })
    }
}

extension TestSection {
    /// The typed header. It depends on the number of the header and the id of the section.
    var head: Head? {
        let changed = header ?? 0
        switch id {
        case "a", "d", "g": return changed == 0 ? nil : Head(content: 0)
        case "b", "e", "h": return Head(content: changed)
        default: return Head(content: 2 * changed)
        }
    }
}

struct Mistake: Error, CustomStringConvertible {
    let description: String
}

/// Performs the changeset between two models on a list view.
///
/// - Throws: An error if the view reports a fault, does not show the target, or recreates a cell without need.
@MainActor func performTyped(_ source: TestModel, _ target: TestModel, _ kind: ListViewKind) throws {
    let (old, new) = (TypedModel(source), TypedModel(target))
    var data = old
    let view = StrictListView(kind, showing: { data }, report: { _ in })
    let before = cells(view.cells, by: \.id)
    view.reload(using: old.changeset(to: new)) { data = $0 }
    if let fault = view.faults.first { throw fault }
    guard view.cells.map({ $0.map(\.content) }) == new.map(\.cells) else { throw Mistake(description: "the view shows \(view.cells)") }
    try checkSurvivors(source, target, before, cells(view.cells, by: \.id))
}

/// Performs the changeset between two collections on a list view. Some cells have badges, which appear, disappear, and change their types.
///
/// - Throws: An error if the view reports a fault, or does not show the target.
@MainActor func performBadged(_ source: TestModel, _ target: TestModel) throws {
    func badged(_ model: TestModel) -> CollectionViewModel<Head, Row> {
        CollectionViewModel(
            sections: model.map { section in
                let cells = section.cells.map { Row(id: $0.id, content: $0.content) }
                var collection = CollectionViewSection<Head, Row>(id: section.id, header: section.head, cells: cells)
                for (item, cell) in cells.enumerated() where cell.id.isMultiple(of: 4) {
                    let badge = SupplementaryViewSectionKey(kind: "badge", item: item)
                    collection[badge] = cell.content == 0 && cell.id.isMultiple(of: 8) ? nil : Head(content: section.header ?? 0)
                }
                return collection
            })
    }
    let (old, new) = (badged(source), badged(target))
    var data = old
    let view = StrictListView(.collectionView, showing: { data }, report: { _ in })
    view.reload(using: old.changeset(to: new)) { data = $0 }
    if let fault = view.faults.first { throw fault }
    guard view.cells.map({ $0.map(\.content) }) == new.map(\.cells), data == new else {
        throw Mistake(description: "the view shows \(data)")
    }
}

/// Returns a dictionary of the shown cells. The keys are the ids of the cells. Cells with a repeated id are left out.
@MainActor func cells<Content>(
    _ shown: [[StrictListView<Content>.Cell]], by id: (Content) -> Int
) -> [Int: AnyObject] {
    Dictionary(grouping: shown.joined()) { id($0.content) }.compactMapValues { $0.count == 1 ? $0[0] : nil }
}

/// Checks the cells that are in both models. A cell must have a new view if its reuse identifier changes, or if the header of its section
/// appears, disappears or changes its type. All other cells must keep their views.
func checkSurvivors(
    _ source: TestModel, _ target: TestModel, _ before: [Int: AnyObject], _ after: [Int: AnyObject]
) throws {
    let rows = Dictionary(source.joined().map { ($0.id, Row(id: $0.id, content: $0.content)) }) { first, _ in first }
    for section in target {
        let head = source.first { $0.id == section.id }
        let isReloaded = head.map { $0.head?.reuseIdentifier != section.head?.reuseIdentifier } ?? false
        for cell in section {
            guard let old = before[cell.id], let new = after[cell.id], let row = rows[cell.id] else { continue }
            let hasSameType = row.reuseIdentifier == Row(id: cell.id, content: cell.content).reuseIdentifier
            guard (old === new) == (hasSameType && !isReloaded) else {
                throw Mistake(description: "cell \(cell.id) has \(old === new ? "its old" : "a new") view")
            }
        }
    }
}
