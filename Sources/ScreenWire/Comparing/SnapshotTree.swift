import ScreenModel

/// A snapshot that was read from a document.
///
/// Members that the protocol does not define are kept. Optional members whose value is null are treated as absent. The ids of the sections
/// are unique, and so are the ids of all cells.
public struct SnapshotTree: Sendable {
    public let screen: String
    public internal(set) var version: String
    public let layout: Layout
    public internal(set) var title: String?
    public internal(set) var sections: [Section]
    let unknownMembers: [JSONValue.Member]

    public struct Section: Sendable {
        public let id: String
        package internal(set) var views: Views
        public internal(set) var cells: Cells
        let unknownMembers: [JSONValue.Member]

        public var header: View? { views.header }
        public var footer: View? { views.footer }
        public var supplementary: [SupplementaryView] { views.supplementary }
    }

    /// The views of a section other than its cells.
    package struct Views: Sendable {
        package let header: View?
        package let footer: View?
        package let supplementary: [SupplementaryView]
        /// The contents of the supplementary views, by their places.
        package let places: [SupplementaryPlace: View]

        init(header: View?, footer: View?, supplementary: [SupplementaryView]) {
            (self.header, self.footer, self.supplementary) = (header, footer, supplementary)
            places = Dictionary(supplementary.lazy.map { (SupplementaryPlace($0), $0.view) }) { first, _ in first }
        }
    }

    /// The place of a supplementary view in its section.
    package struct SupplementaryPlace: Hashable, Sendable {
        package let kind: ExactText
        package let cell: ExactText?
        package let item: Int?

        package init(kind: String, cell: String?, item: Int?) {
            (self.kind, self.cell, self.item) = (ExactText(kind), cell.map(ExactText.init), item)
        }

        fileprivate init(_ view: SupplementaryView) { self.init(kind: view.kind, cell: view.cell, item: view.item) }
    }

    /// A cell. Copying a cell copies only a reference to its object. A cell keeps its object until a changeset replaces the cell.
    public struct Cell: SnapshotContent {
        package let object: ContentObject

        init(id: String, type: String, content: JSONValue) {
            object = ContentObject(id: id, type: type, content: content)
        }

        public var id: String { object.id }
        public var type: String { object.type }
        /// The JSON object that represents the cell, including its id.
        public var content: JSONValue { object.content }
    }

    /// A header, a footer, the view inside a ``SupplementaryView``, or a fallback. Copying a view copies only a reference to its object.
    public struct View: SnapshotContent {
        package let object: ContentObject

        init(type: String, content: JSONValue) {
            object = ContentObject(id: "", type: type, content: content)
        }

        public var type: String { object.type }
        /// The JSON object that represents the view.
        public var content: JSONValue { object.content }
    }

    /// A supplementary view with its place in a section.
    public struct SupplementaryView: Sendable {
        /// The kind of the view, such as `badge`.
        public let kind: String
        /// The id of the cell that the view belongs to, or `nil` if the view is at the index ``item`` instead.
        public let cell: String?
        /// The index at which the view is placed in its section, or `nil` if the view belongs to a cell.
        public let item: Int?
        public let view: View
        /// The JSON object with the kind, the place and the view.
        public let content: JSONValue
    }
}

/// The content of a cell or a view. It does not change. A value that was decoded from the content can be cached here.
package final class ContentObject: @unchecked Sendable {
    /// The id of a cell. Empty for a view.
    package let id: String
    package let type: String
    package let content: JSONValue

    private let lock = Lock()
    /// Protected by `lock`.
    private var cache: (any AnyObject & Sendable)?

    init(id: String, type: String, content: JSONValue) {
        self.id = id
        self.type = type
        self.content = content
    }

    package var cached: (any AnyObject & Sendable)? {
        lock.withLock { cache }
    }

    /// Replaces the cached object, unless a different thread has replaced it since `old` was read. Returns the object that is cached now.
    package func cache(
        _ new: any AnyObject & Sendable, insteadOf old: (any AnyObject & Sendable)?
    ) -> any AnyObject & Sendable {
        lock.withLock {
            if let cache, cache !== old { return cache }
            cache = new
            return new
        }
    }
}

extension SnapshotTree.Views {
    package func isSame(as other: SnapshotTree.Views) -> Bool {
        header.isSame(as: other.header) && footer.isSame(as: other.footer)
            && supplementary.count == other.supplementary.count
            && zip(supplementary, other.supplementary).allSatisfy { $0.content.isSame(as: $1.content) }
    }
}

extension SnapshotTree.View? {
    fileprivate func isSame(as other: SnapshotTree.View?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.object === other.object || self.content.isSame(as: other.content)
    }
}

extension SnapshotTree {
    /// Returns the document of the snapshot, with members in the order of the protocol. Unknown top-level members come last.
    public func document() -> SnapshotDocument {
        var writer = SnapshotDocumentWriter(screen: screen, version: version, layout: layout, title: title)
        for section in sections { section.write(to: &writer) }
        writer.close(unknownMembers: unknownMembers)
        return writer.document()
    }
}

extension SnapshotTree.Section {
    fileprivate func write(to document: inout SnapshotDocumentWriter) {
        document.openSection(id: id, unknownMembers: unknownMembers)
        if let header = views.header { document.writeHeader(header.content.write(to:)) }
        document.openCells()
        for cell in cells { document.writeCell(cell.content.write(to:)) }
        document.closeCells()
        if let footer = views.footer { document.writeFooter(footer.content.write(to:)) }
        for view in views.supplementary { document.writeSupplementaryView(view.content.write(to:)) }
        document.closeSection()
    }
}
