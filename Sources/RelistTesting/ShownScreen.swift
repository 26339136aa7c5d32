import Relist
public import ScreenWire

/// A screen as a client shows it.
public struct ShownScreen: Sendable {
    /// A section with its content as JSON.
    public struct Section: Sendable {
        public let id: String
        public let header: JSONValue?
        public let cells: [Cell]
        public let footer: JSONValue?
        /// The supplementary views of a collection, in the order of the snapshot.
        public let supplementary: [Supplementary]
    }

    /// A supplementary view with its content as JSON.
    public struct Supplementary: Sendable {
        /// The kind of the view, such as `badge`.
        public let kind: String
        /// The id of the cell that the view belongs to, or nil if the view is at an index instead.
        public let cell: String?
        /// The index in the section at which the view is, or nil if the view belongs to a cell.
        public let item: Int?
        public let content: JSONValue
    }

    /// A cell with its content as JSON.
    @dynamicMemberLookup
    public struct Cell: Sendable {
        let cell: SnapshotTree.Cell

        public var id: String { cell.id }
        var content: JSONValue { cell.content }

        /// The type of the cell, which is its reuse identifier.
        public var type: String { cell.type }

        /// The size in points, or nil if the client decides the size.
        public var size: Size? { cell.size }

        /// The names of the actions that the cell offers to the caller: the one that selecting it performs, and those beside it.
        public var offeredActions: [String] {
            [cell.action?.name].compactMap(\.self) + cell.actions.map(\.name)
        }

        /// The value of the content's field with the given name, such as `cell.title`. It is nil if there is no such field.
        public subscript(dynamicMember name: String) -> JSONValue? { content[name] }
    }

    public let version: String
    public let title: String?
    public let sections: [Section]
    let view: ScreenView
    let tree: SnapshotTree

    /// The cells of all sections, in order.
    public var cells: [Cell] { sections.flatMap(\.cells) }

    init(_ view: ScreenView, _ document: Document) throws {
        self.view = view
        tree = try SnapshotTree(JSONReader.read(document.bytes))
        version = document.version
        title = tree.title
        sections = tree.sections.map { section in
            Section(
                id: section.id, header: section.header?.content, cells: section.cells.map { Cell(cell: $0) },
                footer: section.footer?.content,
                supplementary: section.supplementary.map {
                    Supplementary(kind: $0.kind, cell: $0.cell, item: $0.item, content: $0.view.content)
                }
            )
        }
    }

    /// Returns the cell with an id, or nil if the screen has no such cell.
    public func cell(_ id: String) -> Cell? {
        cells.first { $0.id == id }
    }
}

extension JSONValue {
    /// The text of a JSON string, or nil if the value is not a string.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
