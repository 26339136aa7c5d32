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
    }

    /// A cell with its content as JSON.
    @dynamicMemberLookup
    public struct Cell: Sendable {
        public let id: String
        let content: JSONValue

        /// The type of the cell, which is its reuse identifier.
        public var type: String { content["type"]?.text ?? "" }

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
                id: section.id, header: section.header?.content, cells: section.cells.map { Cell(id: $0.id, content: $0.content) },
                footer: section.footer?.content
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
