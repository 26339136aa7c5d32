import Relist
public import ScreenWire

/// A screen as a client holds it.
public struct ShownScreen: Sendable {
    /// One section, with what it shows as JSON.
    public struct Section: Sendable {
        public let id: String
        public let header: JSONValue?
        public let cells: [Cell]
        public let footer: JSONValue?
    }

    /// One cell, with what it shows as JSON.
    @dynamicMemberLookup
    public struct Cell: Sendable {
        public let id: String
        let content: JSONValue

        /// Its reuse identifier.
        public var type: String { content["type"]?.text ?? "" }

        /// What it shows under a name: `cell.title`. Nil where there is nothing of that name.
        public subscript(dynamicMember name: String) -> JSONValue? { content[name] }
    }

    public let version: String
    public let title: String?
    public let sections: [Section]
    let view: ScreenView
    let tree: SnapshotTree

    /// All cells, in their order.
    public var cells: [Cell] { sections.flatMap(\.cells) }

    init(_ view: ScreenView, _ document: Document) throws {
        self.view = view
        tree = try SnapshotTree(JSONReader.read(document.bytes))
        version = document.version
        title = tree.title
        sections = tree.sections.map { section in
            Section(
                id: section.id, header: section.views.header, cells: section.cells.map { Cell(id: $0.id, content: $0.content) },
                footer: section.views.footer
            )
        }
    }

    /// The cell with that id; nil where there is none.
    public func cell(_ id: String) -> Cell? {
        cells.first { $0.id == id }
    }
}

extension JSONValue {
    /// The text that it is; nil for another kind.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
