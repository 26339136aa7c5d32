import ScreenDiff
import ScreenModel
import ScreenWire

/// Renders a model once: to the bytes of its document, with a fingerprint of each cell and view.
///
/// It writes the document from front to back into one buffer and notes where each part stands. The
/// version is a hash of the whole document with the version itself left blank.
public struct SnapshotWriter {
    private static let blankVersion = String(repeating: "0", count: Version.textLength)

    private var json: JSONWriter
    private let hash: ContentHash
    private let frame: Size?
    private let versionStart: Int
    private var sections: [SnapshotDocument.Section] = []
    private var cells: [SnapshotDocument.Span] = []
    private var outlineSections: [Outline.Section] = []
    private var outlineCells: [Outline.Cell] = []
    private var sectionIDs = UniqueIDs()
    private var cellIDs = UniqueIDs()

    /// Renders what a screen computed.
    ///
    /// - Parameter expectedBytes: how long the document will be, about.
    static func render<Model: RenderableModel>(
        _ content: ScreenContent<Model>, of screen: String, hash: ContentHash, expectedBytes: Int = 4096
    ) -> RenderedSnapshot {
        var writer = SnapshotWriter(content, screen, Model.layout, hash, expectedBytes)
        content.model.write(to: &writer)
        return writer.finish(screen: screen, title: content.title)
    }

    private init<Model>(
        _ content: ScreenContent<Model>, _ screen: String, _ layout: Layout, _ hash: ContentHash, _ expectedBytes: Int
    ) {
        var json = JSONWriter(capacity: expectedBytes)
        json.write(raw: SnapshotDocument.opening)
        json.write(raw: #""screen":"#)
        json.write(screen)
        json.write(raw: #","version":""#)
        versionStart = json.bytes.count
        json.bytes.append(contentsOf: Self.blankVersion.utf8)
        json.write(raw: #"","layout":"#)
        json.write(layout.rawValue)
        json.write(raw: #","title":"#)
        json.write(content.title)
        json.write(raw: #","sections":["#)
        self.json = json
        self.hash = hash
        frame = content.frame
    }

    private consuming func finish(screen: String, title: String) -> RenderedSnapshot {
        json.write(raw: "]}")
        let version = hash.version(of: json.bytes)
        let text = version.description
        json.bytes.replaceSubrange(versionStart..<versionStart + Version.textLength, with: text.utf8)
        let document = SnapshotDocument(
            bytes: json.bytes, screen: screen, version: text, title: title, sections: sections, cells: cells
        )
        return RenderedSnapshot(
            document: document, version: version, outline: Outline(sections: outlineSections, cells: outlineCells),
            title: hash.hash(title), renamedCount: sectionIDs.renamedCount + cellIDs.renamedCount
        )
    }
}

// Sections.
extension SnapshotWriter {
    /// Writes a section of a table.
    mutating func write<View: ViewContent, Cell: CellContent>(_ section: TableViewSection<View, Cell>) {
        write(section, supplementary: [SupplementaryViewKey: View]())
    }

    /// Writes a section with its supplementary views.
    mutating func write<Section: ModelSection, View: ViewContent>(
        _ section: Section, supplementary views: [SupplementaryViewKey: View]
    ) where Section.HeaderFooter == View, Section.Cell: CellContent {
        json.separate()
        let start = json.bytes.count
        let firstCell = cells.count
        json.write(raw: "{")
        let (id, idHash) = sectionIDs.unique(section.id, hash)
        json.field("id", id)
        let header = span { $0.optional("header", section.header) }
        json.write(raw: #","cells":["#)
        let head = SnapshotDocument.Span(start..<json.bytes.count)
        var ids: [String] = []
        for cell in section.cells { ids.append(write(cell)) }
        json.write(raw: "]")
        let tail = span {
            $0.optional("footer", section.footer)
            $0.write(supplementary: views, of: ids)
        }
        json.write(raw: "}")
        let all = firstCell..<cells.count
        sections.append(SnapshotDocument.Section(cells: all, head: head, header: header.span, tail: tail.span))
        let fingerprint = hash.hash(header.fingerprint, tail.fingerprint)
        outlineSections.append(Outline.Section(id: idHash, views: fingerprint, cellCount: all.count))
    }

    /// Notes where what `write` writes stands.
    private mutating func span(
        _ write: (inout SnapshotWriter) -> Void
    ) -> (span: SnapshotDocument.Span, fingerprint: UInt64) {
        let start = json.bytes.count
        write(&self)
        let range = start..<json.bytes.count
        return (SnapshotDocument.Span(range), hash.hash(json.bytes, range))
    }

    private mutating func optional(_ key: String, _ view: (some ViewContent)?) {
        guard let view else { return }
        json.key(key)
        write(view)
    }

    /// Writes views by kind and then by cell, not by place: so a cell that only moves within its
    /// section leaves them as they are.
    private mutating func write(supplementary views: [SupplementaryViewKey: some ViewContent], of ids: [String]) {
        guard !views.isEmpty else { return }
        json.key("supplementary")
        json.write(raw: "[")
        let places = views.map { SupplementaryPlace(key: $0, cell: ids.indices.contains($0.item) ? ids[$0.item] : nil, view: $1) }
        for place in places.sorted(by: SupplementaryPlace.precedes) {
            json.separate()
            json.write(raw: "{")
            json.field("kind", place.key.kind)
            json.field("cell", place.cell)
            json.field("item", place.cell == nil ? place.key.item : nil)
            json.key("view")
            write(place.view)
            json.write(raw: "}")
        }
        json.write(raw: "]")
    }
}

// Cells and views.
extension SnapshotWriter {
    /// Writes a cell and gives the id that it got.
    private mutating func write(_ cell: some CellContent) -> String {
        json.separate()
        let start = json.bytes.count
        let (id, idHash) = cellIDs.unique(cell.id, hash)
        json.write(raw: "{")
        json.field("id", id)
        write(fieldsOf: cell)
        json.write(raw: "}")
        let range = start..<json.bytes.count
        cells.append(SnapshotDocument.Span(range))
        outlineCells.append(Outline.Cell(id: idHash, content: hash.hash(json.bytes, range)))
        return id
    }

    private mutating func write(_ view: some ViewContent) {
        json.write(raw: "{")
        write(fieldsOf: view)
        json.write(raw: "}")
    }

    private mutating func write(fieldsOf view: some ViewContent) {
        json.field("type", view.reuseIdentifier)
        view.writeFields(to: &json)
        json.field("size", view.size(in: frame))
        let selection = view.selection
        json.field("action", selection?.action)
        let actions = view.actions
        json.field("actions", actions.isEmpty ? nil : actions)
        json.field("link", selection?.link)
    }
}

/// Is a supplementary view with the cell that it belongs to, or its place where there is none.
private struct SupplementaryPlace<View> {
    let key: SupplementaryViewKey
    let cell: String?
    let view: View

    static func precedes(_ a: SupplementaryPlace, _ b: SupplementaryPlace) -> Bool {
        if a.key.kind != b.key.kind { return a.key.kind.utf8.lexicographicallyPrecedes(b.key.kind.utf8) }
        guard let first = a.cell, let second = b.cell else {
            return (a.cell == nil ? 1 : 0, a.key.item) < (b.cell == nil ? 1 : 0, b.key.item)
        }
        return first.utf8.lexicographicallyPrecedes(second.utf8)
    }
}
