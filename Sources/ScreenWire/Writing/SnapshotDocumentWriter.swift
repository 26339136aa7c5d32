package import ScreenModel

/// A writer of snapshot documents. It records the range of each part in the bytes of the document.
///
/// The code that uses the writer writes the content of cells and views. The parts of a section are written in this order: `openSection`,
/// `writeHeader` if there is one, `openCells`, `writeCell` for each cell, `closeCells`, `writeFooter` if there is one,
/// `writeSupplementaryView` for each view, `closeSection`.
package struct SnapshotDocumentWriter {
    private let screen: String
    private var version: String
    private let title: String?
    private var json: JSONWriter
    private let versionStart: Int
    private var sections: [SnapshotDocument.Section] = []
    private var cells: [SnapshotDocument.Span] = []
    private var open = OpenSection()

    /// The recorded positions of the parts of the section that is being written.
    private struct OpenSection {
        var start = 0
        var firstCell = 0
        var header = 0..<0
        var headEnd = 0
        var tailStart = 0
        var hasSupplementaryViews = false
    }

    /// Leaves out the offers of actions in all cells and views that are written afterwards.
    package mutating func withhold(_ actions: [String]) {
        json.withheldActions = actions
    }

    /// Creates a writer and writes the part before the first section. `version` can be a placeholder that has as many bytes as the final
    /// version.
    package init(screen: String, version: String, layout: Layout, title: String?, capacity: Int = 4096) {
        self.screen = screen
        self.version = version
        self.title = title
        var json = JSONWriter(capacity: capacity)
        json.write(raw: SnapshotDocument.opening)
        json.write(raw: #""screen":"#)
        json.write(screen)
        json.write(raw: #","version":"#)
        versionStart = json.bytes.count + 1
        json.write(version)
        json.field("layout", layout.rawValue)
        json.field("title", title)
        json.write(raw: #","sections":["#)
        self.json = json
    }

    package var bytes: [UInt8] { json.bytes }

    /// Writes members that the protocol does not define, and closes the document.
    package mutating func close(unknownMembers: [JSONValue.Member] = []) {
        json.write(raw: "]")
        for member in unknownMembers { json.field(member.name, member.value) }
        json.write(raw: "}")
    }

    /// Replaces the version in the document. The new version must have as many bytes as the old version.
    package mutating func replaceVersion(with version: String) {
        json.bytes.replaceSubrange(versionStart..<versionStart + self.version.utf8.count, with: version.utf8)
        self.version = version
    }

    package consuming func document() -> SnapshotDocument {
        SnapshotDocument(
            bytes: json.bytes, screen: screen, version: version, title: title ?? "", sections: sections, cells: cells
        )
    }
}

extension SnapshotDocumentWriter {
    /// Writes the beginning of a section.
    ///
    /// - Parameter unknownMembers: Members that the protocol does not define. A changeset contains them only if it inserts the section.
    package mutating func openSection(id: String, unknownMembers: [JSONValue.Member] = []) {
        json.separate()
        open = OpenSection(start: json.bytes.count, firstCell: cells.count)
        json.write(raw: "{")
        json.field("id", id)
        for member in unknownMembers { json.field(member.name, member.value) }
        open.header = json.bytes.count..<json.bytes.count
    }

    package mutating func writeHeader(_ write: (inout JSONWriter) -> Void) {
        json.key("header")
        write(&json)
        open.header = open.header.lowerBound..<json.bytes.count
    }

    package mutating func openCells() {
        json.write(raw: #","cells":["#)
        open.headEnd = json.bytes.count
    }

    /// Writes a cell. The closure writes the whole object. Returns the range of the cell in ``bytes``.
    @discardableResult
    package mutating func writeCell(_ write: (inout JSONWriter) -> Void) -> Range<Int> {
        json.separate()
        let start = json.bytes.count
        write(&json)
        let range = start..<json.bytes.count
        cells.append(SnapshotDocument.Span(range))
        return range
    }

    /// Copies cells of one section from another document. `numbers` are their indices among all cells of that document.
    package mutating func copyCells(_ numbers: Range<Int>, of other: SnapshotDocument) {
        guard let first = numbers.first, let last = numbers.last else { return }
        json.separate()
        let (start, end) = (Int(other.cells[first].start), Int(other.cells[last].end))
        let offset = json.bytes.count - start
        json.write(raw: other.bytes[start..<end])
        for span in other.cells[numbers] {
            cells.append(SnapshotDocument.Span(Int(span.start) + offset..<Int(span.end) + offset))
        }
    }

    package mutating func closeCells() {
        json.write(raw: "]")
        open.tailStart = json.bytes.count
    }

    package mutating func writeFooter(_ write: (inout JSONWriter) -> Void) {
        json.key("footer")
        write(&json)
    }

    /// Writes a supplementary view and the id of its cell. If `cell` is `nil`, the index `item` is written instead.
    package mutating func writeSupplementaryView(
        kind: String, cell: String?, item: Int, _ write: (inout JSONWriter) -> Void
    ) {
        writeSupplementaryView { json in
            json.write(raw: "{")
            json.field("kind", kind)
            json.field("cell", cell)
            json.field("item", cell == nil ? item : nil)
            json.key("view")
            write(&json)
            json.write(raw: "}")
        }
    }

    mutating func writeSupplementaryView(_ write: (inout JSONWriter) -> Void) {
        if !open.hasSupplementaryViews {
            json.key("supplementary")
            json.write(raw: "[")
            open.hasSupplementaryViews = true
        }
        json.separate()
        write(&json)
    }

    @discardableResult
    package mutating func closeSection() -> SnapshotDocument.Section {
        if open.hasSupplementaryViews { json.write(raw: "]") }
        let section = SnapshotDocument.Section(
            cells: open.firstCell..<cells.count,
            head: SnapshotDocument.Span(open.start..<open.headEnd),
            header: SnapshotDocument.Span(open.header),
            tail: SnapshotDocument.Span(open.tailStart..<json.bytes.count)
        )
        json.write(raw: "}")
        sections.append(section)
        return section
    }
}
