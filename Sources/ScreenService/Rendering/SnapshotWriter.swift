import ScreenDiff
import ScreenModel
import ScreenWire

/// A writer that renders a model. It writes the bytes of the document, and computes a fingerprint of each cell and section.
///
/// Most cells of a view are the same as in its previous snapshot. The writer copies their bytes and fingerprints from the previous
/// snapshot, under these conditions:
/// - The cell is known to equal the cell with the same id in the previous model.
/// - The bytes of the cell are plain: they contain only characters that `==` distinguishes from all other characters. Other strings can be
///   equal by `==` although their bytes differ.
/// - The id of the cell is not used yet. As long as the cells have the same order as in the previous snapshot, this is certain. The set of
///   used ids is filled only when a cell breaks this order, because the set takes a long time for a hundred thousand cells.
///
/// The version is a hash of the whole document with zeros in place of the version. If the audience is a user, the version also depends on
/// the user's id.
public struct SnapshotWriter {
    private static let blankVersion = String(repeating: "0", count: Version.textLength)

    var document: SnapshotDocumentWriter
    let hash: ContentHash
    private let title: String
    let frame: Size?
    private var outlineSections: [Outline.Section] = []
    var outlineCells: [Outline.Cell] = []
    private var sectionIDs: UniqueIDs
    /// The ids of the written cells, or `nil` while the previous snapshot has these ids in the same order.
    var cellIDs: UniqueIDs?
    /// The index of the last cell of the previous snapshot that was copied or whose id was written again.
    var lastMatched = -1
    var earlier: EarlierCells?
    var copiedCount = 0
    var hasPlainCells: Bool

    static func render(
        _ content: ScreenContent<some RenderableModel>, of screen: String, for audience: Audience = .everyone,
        withholding actions: [String] = [], hash: ContentHash
    ) -> RenderedSnapshot {
        var writer = SnapshotWriter(content, of: screen, withholding: actions, hash: hash, after: nil)
        writer.write(content.model)
        return writer.finish(for: audience)
    }

    /// Creates a writer, and writes the part of the document before the sections.
    ///
    /// - Parameters:
    ///   - actions: The names of actions that the cells and views do not offer.
    ///   - earlier: The previous snapshot of the view.
    ///   - isKept: A Boolean value that indicates whether a later rendering may copy cells from this rendering.
    init<Model: RenderableModel>(
        _ content: ScreenContent<Model>, of screen: String, withholding actions: [String] = [], hash: ContentHash,
        after earlier: RenderedSnapshot?, isKept: Bool = true
    ) {
        hasPlainCells = isKept
        document = SnapshotDocumentWriter(
            screen: screen, version: Self.blankVersion, layout: Model.layout, title: content.title,
            capacity: earlier.map { $0.document.bytes.count + 4096 } ?? 4096
        )
        document.withhold(actions)
        self.hash = hash
        title = content.title
        frame = content.frame
        sectionIDs = UniqueIDs()
        // Cells are not copied if their sizes were computed for another frame, or if some of them were renamed.
        if let earlier, earlier.frame == content.frame, earlier.renamedCount == 0 { self.earlier = EarlierCells(of: earlier) }
    }

    mutating func write<Model: RenderableModel>(_ model: Model, after earlier: Model? = nil) {
        if earlier == nil { self.earlier = nil }
        model.write(to: &self, after: earlier)
    }

    mutating func finish(for audience: Audience) -> RenderedSnapshot {
        document.close()
        let version = hash.version(of: document.bytes, for: audience)
        document.replaceVersion(with: version.description)
        return RenderedSnapshot(
            document: document.document(), version: version, outline: Outline(sections: outlineSections, cells: outlineCells),
            title: hash.hash(title), frame: frame, renamedCount: sectionIDs.renamedCount + (cellIDs?.renamedCount ?? 0),
            copiedCount: copiedCount, hasPlainCells: hasPlainCells
        )
    }
}

extension SnapshotWriter {
    /// Writes a section. `earlier` contains the sections of the previous model.
    mutating func write<Section: ModelSection>(
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

    /// Writes supplementary views, sorted by their kind and the id of their cell, so that the bytes stay the same if a cell moves within
    /// its section.
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

/// A supplementary view, its kind and its item index (`key`), and the id of the cell that it belongs to, or `nil` if it belongs to no cell.
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

/// A rendered model with its document, its version, and the outline that the differ compares.
public struct RenderedSnapshot: Sendable {
    let document: SnapshotDocument
    let version: Version
    let outline: Outline
    /// The hash of the title.
    let title: UInt64
    /// The frame for which sizes were computed, or `nil` if none were computed.
    let frame: Size?
    /// The number of cells and sections whose ids were already used.
    let renamedCount: Int
    let copiedCount: Int
    /// A Boolean value that indicates whether the bytes of all cells are known to be plain (see ``SnapshotWriter``).
    let hasPlainCells: Bool
}
