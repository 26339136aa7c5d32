import ScreenDiff
import ScreenModel
import ScreenWire

/// The rendering of a model, once: to the bytes of its document, with a fingerprint of each cell and section.
///
/// The version is a hash of the whole document with the version itself left blank.
public struct SnapshotWriter {
    private static let blankVersion = String(repeating: "0", count: Version.textLength)

    private var document: SnapshotDocumentWriter
    private let hash: ContentHash
    private let title: String
    private let frame: Size?
    private var outlineSections: [Outline.Section] = []
    private var outlineCells: [Outline.Cell] = []
    private var sectionIDs = UniqueIDs()
    private var cellIDs = UniqueIDs()

    /// Renders what a screen computed.
    static func render(_ content: ScreenContent<some RenderableModel>, of screen: String, hash: ContentHash) -> RenderedSnapshot {
        var writer = SnapshotWriter(content, of: screen, hash: hash)
        writer.write(content.model)
        return writer.finish()
    }

    /// Writes what stands before the model.
    init<Model: RenderableModel>(_ content: ScreenContent<Model>, of screen: String, hash: ContentHash) {
        document = SnapshotDocumentWriter(
            screen: screen, version: Self.blankVersion, layout: Model.layout, title: content.title
        )
        self.hash = hash
        title = content.title
        frame = content.frame
    }

    /// Writes all sections.
    mutating func write(_ model: some RenderableModel) {
        model.write(to: &self)
    }

    /// Closes the document and names its version.
    mutating func finish() -> RenderedSnapshot {
        document.close()
        let version = hash.version(of: document.bytes)
        document.replaceVersion(with: version.description)
        return RenderedSnapshot(
            document: document.document(), version: version, outline: Outline(sections: outlineSections, cells: outlineCells),
            title: hash.hash(title), renamedCount: sectionIDs.renamedCount + cellIDs.renamedCount
        )
    }
}

// Sections.
extension SnapshotWriter {
    /// Writes a section of a table.
    mutating func write<View: ViewContent, Cell: CellContent>(_ section: TableViewSection<View, Cell>) {
        write(section, supplementary: [SupplementaryViewSectionKey: View]())
    }

    /// Writes a section with its supplementary views.
    mutating func write<Section: ModelSection, Supplementary: ViewContent>(
        _ section: Section, supplementary: [SupplementaryViewSectionKey: Supplementary]
    ) where Section.HeaderFooter == Supplementary, Section.Cell: CellContent {
        let (id, idHash) = sectionIDs.unique(section.id, hash)
        document.openSection(id: id)
        if let header = section.header { document.writeHeader { [frame] in $0.write(header, in: frame) } }
        document.openCells()
        var ids: [String] = []
        for cell in section.cells { ids.append(write(cell)) }
        document.closeCells()
        if let footer = section.footer { document.writeFooter { [frame] in $0.write(footer, in: frame) } }
        write(supplementary: supplementary, of: ids)
        let parts = document.closeSection()
        let fingerprint = hash.hash(fingerprint(parts.header.range), fingerprint(parts.tail.range))
        outlineSections.append(Outline.Section(id: idHash, views: fingerprint, cellCount: ids.count))
    }

    /// Writes them by kind and then by cell, not by place: so a cell that only moves within its
    /// section leaves them as they are.
    private mutating func write(supplementary: [SupplementaryViewSectionKey: some ViewContent], of ids: [String]) {
        guard !supplementary.isEmpty else { return }
        let places = supplementary.map { SupplementaryPlace(key: $0, cell: ids.indices.contains($0.item) ? ids[$0.item] : nil, content: $1) }
        for place in places.sorted(by: SupplementaryPlace.precedes) {
            document.writeSupplementaryView(kind: place.key.kind, cell: place.cell, item: place.key.item) { [frame] in
                $0.write(place.content, in: frame)
            }
        }
    }

    /// Writes a cell and gives the id that it got.
    private mutating func write(_ cell: some CellContent) -> String {
        let (id, idHash) = cellIDs.unique(cell.id, hash)
        let range = document.writeCell { [frame] json in
            json.write(raw: "{")
            json.field("id", id)
            json.write(fieldsOf: cell, in: frame)
            json.write(raw: "}")
        }
        outlineCells.append(Outline.Cell(id: idHash, content: fingerprint(range)))
        return id
    }

    private func fingerprint(_ range: Range<Int>) -> UInt64 {
        hash.hash(document.bytes, range)
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ content: some ViewContent, in frame: Size?) {
        write(raw: "{")
        write(fieldsOf: content, in: frame)
        write(raw: "}")
    }

    fileprivate mutating func write(fieldsOf content: some ViewContent, in frame: Size?) {
        field("type", content.reuseIdentifier)
        content.writeFields(to: &self)
        field("size", content.size(in: frame))
        let selection = content.selection
        field("action", selection?.action)
        let actions = content.actions
        field("actions", actions.isEmpty ? nil : actions)
        field("link", selection?.link)
    }
}

/// A supplementary view with the cell that it belongs to, or its place where there is none.
private struct SupplementaryPlace<Supplementary> {
    let key: SupplementaryViewSectionKey
    let cell: String?
    let content: Supplementary

    static func precedes(_ a: SupplementaryPlace, _ b: SupplementaryPlace) -> Bool {
        if a.key.kind != b.key.kind { return a.key.kind.utf8.lexicographicallyPrecedes(b.key.kind.utf8) }
        guard let first = a.cell, let second = b.cell else {
            return (a.cell == nil ? 1 : 0, a.key.item) < (b.cell == nil ? 1 : 0, b.key.item)
        }
        return first.utf8.lexicographicallyPrecedes(second.utf8)
    }
}

/// A model once it is rendered: its document, its version, and the outline to diff it by.
public struct RenderedSnapshot: Sendable {
    let document: SnapshotDocument
    let version: Version
    let outline: Outline
    /// The hash of the title, as history has it.
    let title: UInt64
    /// How many cells and sections got another id, because theirs was taken.
    let renamedCount: Int
}
