import ScreenClient
import ScreenDiff
import ScreenModel
import ScreenTesting
import ScreenWire
import TestModels

/// Performs the changeset between two models on a list view, after it was written as a document and read by a client.
///
/// - Throws: An error if the view reports a fault, does not show the target, or recreates a cell without need.
@MainActor func performReceived(_ source: TestModel, _ target: TestModel, _ kind: ListViewKind) throws {
    var tree = try SnapshotTree(source.document(version: "v1"))
    let goal = try SnapshotTree(target.document(version: "v2"))
    let registry = CellRegistry()
    registry.register(ReceivedRow.self, as: "row")
    var sections = ListModel(tree, registry: registry).sections
    let view = StrictListView(kind, showing: { sections }, report: { _ in })
    let before = cells(view.cells, by: \.number)
    let changeset = try ChangesetTree(JSONReader.read(tree.changeset(to: goal)))
    try StrictStages.check(changeset, on: tree, in: kind)
    let steps = try tree.steps(applying: changeset, registry: registry)
    view.reload(using: steps.changeset) { sections = $0 }
    if let fault = view.faults.first { throw fault }
    let shown = view.cells.map { $0.map(\.content.content) }
    guard shown == goal.sections.map({ $0.cells.map(\.content) }) else { throw Mistake(description: "the view shows \(shown)") }
    for cell in view.cells.joined() where cell.reuseIdentifier == "row" {
        guard cell.content.value(as: ReceivedRow.self)?.id == cell.content.id else { throw Mistake(description: "a cell is not decoded") }
    }
    try checkSurvivors(source, target, before, cells(view.cells, by: \.number))
}

private struct ReceivedRow: Decodable, Sendable {
    let id: String
    let content: Int
}

extension ListModel.Cell {
    fileprivate var number: Int { Int(id) ?? 0 }
}

extension TableViewModel where HeaderFooter == Int, Cell == TestCell {
    /// The snapshot of this model, with the reuse identifiers of a ``TypedModel``.
    fileprivate func document(version: String) -> JSONValue {
        .object([
            .init("kind", .string("snapshot")), .init("screen", .string("test")), .init("version", .string(version)),
            .init("layout", .string("table")), .init("sections", .array(map(\.document))),
        ])
    }
}

extension TestSection {
    fileprivate var document: JSONValue {
        var members: [JSONValue.Member] = [.init("id", .string(id))]
        if let head { members.append(.init("header", view(head.reuseIdentifier, head.content))) }
        members.append(
            .init(
                "cells",
                .array(
                    cells.map { cell in
                        let row = Row(id: cell.id, content: cell.content)
                        return view(row.reuseIdentifier, row.content, [.init("id", .string("\(row.id)"))])
                    })))
        return .object(members)
    }

    private func view(_ type: String, _ content: Int, _ members: [JSONValue.Member] = []) -> JSONValue {
        .object(members + [.init("type", .string(type)), .init("content", .number("\(content)"))])
    }
}
