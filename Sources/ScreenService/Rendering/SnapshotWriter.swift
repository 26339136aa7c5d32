import ScreenDiff
import ScreenModel
import ScreenWire

/// The rendering of a model, once: to the bytes of its document, with a fingerprint of each cell and section.
///
/// Cells that are known to equal those that stood under their ids before keep their bytes and fingerprints. The version
/// is a hash of the whole document with the version itself left blank, and of the user whom it is for.
public struct SnapshotWriter {
    private static let blankVersion = String(repeating: "0", count: Version.textLength)

    var document: SnapshotDocumentWriter
    let hash: ContentHash
    private let title: String
    let frame: Size?
    private var outlineSections: [Outline.Section] = []
    var outlineCells: [Outline.Cell] = []
    private var sectionIDs: UniqueIDs
    /// The ids of cells; nil as long as they are all of earlier cells, in their order.
    var cellIDs: UniqueIDs?
    /// The number of the last earlier cell that was taken over or whose id was.
    var lastTaken = -1
    var earlier: EarlierCells?
    var takenOverCount = 0
    var hasPlainCells: Bool

    /// Renders what a screen computed.
    static func render(
        _ content: ScreenContent<some RenderableModel>, of screen: String, for audience: Audience = .everyone, hash: ContentHash
    ) -> RenderedSnapshot {
        var writer = SnapshotWriter(content, of: screen, hash: hash, after: nil)
        writer.write(content.model)
        return writer.finish(for: audience)
    }

    /// Writes what stands before the model.
    ///
    /// - Parameters:
    ///   - earlier: what the same view showed before.
    ///   - isKept: whether anything may be taken over from this one. Only then is it worth a look at its bytes.
    init<Model: RenderableModel>(
        _ content: ScreenContent<Model>, of screen: String, hash: ContentHash, after earlier: RenderedSnapshot?,
        isKept: Bool = true
    ) {
        hasPlainCells = isKept
        document = SnapshotDocumentWriter(
            screen: screen, version: Self.blankVersion, layout: Model.layout, title: content.title,
            capacity: earlier.map { $0.document.bytes.count + 4096 } ?? 4096
        )
        self.hash = hash
        title = content.title
        frame = content.frame
        sectionIDs = UniqueIDs()
        // With another frame there are other sizes, with renamed ids other bytes under the same.
        if let earlier, earlier.frame == content.frame, earlier.renamedCount == 0 { self.earlier = EarlierCells(of: earlier) }
    }

    /// Writes all sections.
    ///
    /// - Parameter earlier: the model that was rendered to what the view showed before.
    mutating func write<Model: RenderableModel>(_ model: Model, after earlier: Model? = nil) {
        if earlier == nil { self.earlier = nil }
        model.write(to: &self, after: earlier)
    }

    /// Closes the document and names its version.
    mutating func finish(for audience: Audience) -> RenderedSnapshot {
        document.close()
        let version = hash.version(of: document.bytes, for: audience)
        document.replaceVersion(with: version.description)
        return RenderedSnapshot(
            document: document.document(), version: version, outline: Outline(sections: outlineSections, cells: outlineCells),
            title: hash.hash(title), frame: frame, renamedCount: sectionIDs.renamedCount + (cellIDs?.renamedCount ?? 0),
            takenOverCount: takenOverCount, hasPlainCells: hasPlainCells
        )
    }
}

// Sections.
extension SnapshotWriter {
    /// Writes the sections of a table.
    mutating func write<View: ViewContent, Cell: CellContent>(
        _ sections: [TableViewSection<View, Cell>], after earlier: [TableViewSection<View, Cell>]
    ) {
        for (index, section) in sections.enumerated() { write(section, at: index, after: earlier, supplementary: [:]) }
    }

    /// Writes the sections of a collection, with their supplementary views.
    mutating func write<View: ViewContent, Cell: CellContent>(
        _ sections: [CollectionViewSection<View, Cell>], after earlier: [CollectionViewSection<View, Cell>]
    ) {
        for (index, section) in sections.enumerated() {
            write(section, at: index, after: earlier, supplementary: section.supplementaryViews)
        }
    }

    private mutating func write<Section: ModelSection>(
        _ section: Section, at index: Int, after earlier: [Section],
        supplementary: [SupplementaryViewSectionKey: Section.HeaderFooter]
    ) where Section.HeaderFooter: ViewContent, Section.Cell: CellContent {
        let (id, idHash) = sectionIDs.unique(section.id, hash)
        document.openSection(id: id)
        if let header = section.header { document.writeHeader { [frame] in $0.write(header, in: frame) } }
        document.openCells()
        let firstCell = outlineCells.count
        let renamed = writeCells(section.cells, ofSectionAt: index) { earlier[$0].cells }
        document.closeCells()
        if let footer = section.footer { document.writeFooter { [frame] in $0.write(footer, in: frame) } }
        if !supplementary.isEmpty {
            write(supplementary: supplementary) { item in
                section.cells.indices.contains(item) ? renamed[item] ?? section.cells[item].id : nil
            }
        }
        let parts = document.closeSection()
        let fingerprint = hash.hash(fingerprint(parts.header.range), fingerprint(parts.tail.range))
        outlineSections.append(Outline.Section(id: idHash, views: fingerprint, cellCount: outlineCells.count - firstCell))
    }

    /// Writes them by kind and then by cell, not by place: so a cell that only moves within its
    /// section leaves them as they are.
    ///
    /// - Parameter id: of the cell at an item; nil where there is none.
    private mutating func write(
        supplementary: [SupplementaryViewSectionKey: some ViewContent], _ id: (_ item: Int) -> String?
    ) {
        let places = supplementary.map { SupplementaryPlace(key: $0, cell: id($0.item), content: $1) }
        for place in places.sorted(by: SupplementaryPlace.precedes) {
            document.writeSupplementaryView(kind: place.key.kind, cell: place.cell, item: place.key.item) { [frame] in
                $0.write(place.content, in: frame)
            }
        }
    }

    func fingerprint(_ range: Range<Int>) -> UInt64 {
        hash.hash(document.bytes, range)
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ content: some ViewContent, in frame: Size?) {
        write(raw: "{")
        content.writeMembers(to: &self, in: frame)
        write(raw: "}")
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
    /// The frame in which sizes were stated.
    let frame: Size?
    /// How many cells and sections got another id, because theirs was taken.
    let renamedCount: Int
    /// How many cells were not written, but taken over.
    let takenOverCount: Int
    /// Whether no cell has a text that could equal one of other bytes.
    let hasPlainCells: Bool
}
