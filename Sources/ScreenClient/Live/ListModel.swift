public import ScreenDiff
public import ScreenModel
public import ScreenWire

/// The content of a screen. Its cells and views have values of the app's types.
public struct ListModel: Sendable {
    private let tree: SnapshotTree?
    private let registry: CellRegistry

    package init(_ tree: SnapshotTree?, registry: CellRegistry) {
        self.tree = tree
        self.registry = registry
    }

    /// The title of the screen, or `nil` if it has none.
    public var title: String? { tree?.title }
    /// The version of the content, or `nil` if there is none yet.
    public var version: String? { tree?.version }
    /// The layout that the server states for the screen, or `table` before the first content has arrived.
    public var layout: Layout { tree?.layout ?? .table }

    public var sections: Sections { Sections(sections: tree?.sections ?? [], registry: registry) }

    /// Returns the cell at a place. The place must exist.
    public subscript(place: CellPlace) -> Cell { sections[place.section].cells[place.item] }

    /// Returns the place of the cell with this id, or `nil` if there is no such cell. The search takes time in proportion to the number of
    /// cells.
    public func place(of id: String) -> CellPlace? {
        for (index, section) in sections.enumerated() {
            if let item = section.cells.firstIndex(where: { $0.id == id }) { return CellPlace(section: index, item: item) }
        }
        return nil
    }

    /// Returns the document of the snapshot, in UTF-8. It is empty before the first content has arrived.
    public func document() -> [UInt8] { tree?.document().bytes ?? [] }

    /// The sections of a model.
    public struct Sections: RandomAccessCollection, Sendable {
        fileprivate let sections: [SnapshotTree.Section]
        fileprivate let registry: CellRegistry

        fileprivate init(sections: [SnapshotTree.Section], registry: CellRegistry) {
            self.sections = sections
            self.registry = registry
        }

        /// Creates a list without sections, for a list view that has no content yet.
        public init() {
            self.init(sections: [], registry: CellRegistry())
        }

        public var startIndex: Int { 0 }
        public var endIndex: Int { sections.count }
        public subscript(index: Int) -> Section { Section(section: sections[index], registry: registry) }
    }

    /// A section of a model.
    public struct Section: Identifiable, Sendable {
        fileprivate let section: SnapshotTree.Section
        fileprivate let registry: CellRegistry

        public var id: String { section.id }
        public var cells: Cells { Cells(cells: section.cells, registry: registry) }
        public var header: View? { section.header.map { View(view: $0, registry: registry) } }
        public var footer: View? { section.footer.map { View(view: $0, registry: registry) } }
        public var supplementary: [SupplementaryView] {
            section.supplementary.map {
                SupplementaryView(kind: $0.kind, cell: $0.cell, item: $0.item, view: View(view: $0.view, registry: registry))
            }
        }

        /// Returns the supplementary view of a kind at an index: the view that belongs to the cell at this index, or else the view that the
        /// server placed at this index.
        func supplementaryView(of kind: String, at item: Int) -> View? {
            let id = section.cells.indices.contains(item) ? section.cells[item].id : nil
            let view = id.flatMap { section.views.places[.init(kind: kind, cell: $0, item: nil)] }
            return (view ?? section.views.places[.init(kind: kind, cell: nil, item: item)]).map { View(view: $0, registry: registry) }
        }
    }

    /// The cells of a section.
    public struct Cells: RandomAccessCollection, Sendable {
        fileprivate let cells: SnapshotTree.Cells
        fileprivate let registry: CellRegistry

        public var startIndex: Int { 0 }
        public var endIndex: Int { cells.count }
        public subscript(index: Int) -> Cell { Cell(cell: cells[index], registry: registry) }
    }
}

extension ListModel {
    /// A cell.
    public struct Cell: Identifiable, ReuseIdentifying, SnapshotContent {
        fileprivate let cell: SnapshotTree.Cell
        fileprivate let registry: CellRegistry

        public var id: String { cell.id }
        public var type: String { cell.type }
        /// The name of the type that is shown: the `type`, or the type of a fallback that is shown instead.
        ///
        /// If no content could be decoded, this is an identifier that no registered type has.
        public var reuseIdentifier: String { shown.reuseIdentifier }
        public var content: JSONValue { cell.content }

        /// The value of the cell, decoded as the type that the app registered.
        public var value: CellValue { shown.value }

        /// The JSON object that is shown: ``content``, or the content of a fallback. The value is `nil` if nothing is shown.
        public var shownContent: JSONValue? { shown.content }

        private var shown: ShownContent { registry.shown(of: cell.object) }

        /// Returns the value if it is of this type, and `nil` otherwise.
        public func value<Value>(as type: Value.Type) -> Value? { value.as(type) }
    }

    /// A header, a footer or a supplementary view.
    public struct View: ReuseIdentifying, SnapshotContent {
        fileprivate let view: SnapshotTree.View
        fileprivate let registry: CellRegistry

        public var type: String { view.type }
        /// The name of the type that is shown: the `type`, or the type of a fallback that is shown instead.
        ///
        /// If no content could be decoded, this is an identifier that no registered type has.
        public var reuseIdentifier: String { shown.reuseIdentifier }
        public var content: JSONValue { view.content }

        /// The value of the view, decoded as the type that the app registered.
        public var value: CellValue { shown.value }

        /// The JSON object that is shown: ``content``, or the content of a fallback. The value is `nil` if nothing is shown.
        public var shownContent: JSONValue? { shown.content }

        private var shown: ShownContent { registry.shown(of: view.object) }

        /// Returns the value if it is of this type, and `nil` otherwise.
        public func value<Value>(as type: Value.Type) -> Value? { value.as(type) }
    }

    /// A supplementary view with its place.
    public struct SupplementaryView: Sendable {
        /// The kind of the view, such as `badge`.
        public let kind: String
        /// The id of the cell that the view belongs to, or `nil`.
        public let cell: String?
        /// The index, in the section, of the item that the view belongs to. It is `nil` if the view belongs to a cell.
        public let item: Int?
        public let view: View
    }
}

// Unchanged cells and views keep their objects, so these comparisons are fast.
extension ListModel.Cell {
    /// Returns a Boolean value that indicates whether two cells have the same content.
    func showsSame(as other: ListModel.Cell) -> Bool { cell.isSame(as: other.cell) }
}

extension ListModel.Section {
    /// Returns a Boolean value that indicates whether two sections have the same header, footer and supplementary views.
    func showsSameViews(as other: ListModel.Section) -> Bool { section.views.isSame(as: other.section.views) }
}
