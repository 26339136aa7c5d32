package import ScreenModel

/// A writer of snapshot documents, from front to back, that notes where their parts stand.
///
/// It alone knows the order, the names and the separators of a snapshot; what cells and views show is
/// written by its callers, each part by one call. In a section: what opens it, a header or none, its
/// cells between two brackets, a footer or none, supplementary views, what closes it.
package struct SnapshotDocumentWriter {
    private let screen: String
    private var version: String
    private let title: String?
    private var json: JSONWriter
    private let versionStart: Int
    private var sections: [SnapshotDocument.Section] = []
    private var cells: [SnapshotDocument.Span] = []
    private var open = OpenSection()

    /// The places that are known of the section that is being written.
    private struct OpenSection {
        var start = 0
        var firstCell = 0
        var header = 0..<0
        var headEnd = 0
        var tailStart = 0
        var hasSupplementaryViews = false
    }

    /// Writes what stands before the first section.
    ///
    /// - Parameters:
    ///   - version: the version, or as many bytes in its place.
    ///   - capacity: how many bytes to make room for.
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

    /// The JSON that was written so far, in UTF-8.
    package var bytes: [UInt8] { json.bytes }

    /// Closes the document.
    ///
    /// - Parameter rest: members that the protocol does not name.
    package mutating func close(rest: [JSONValue.Member] = []) {
        json.write(raw: "]")
        for member in rest { json.field(member.name, member.value) }
        json.write(raw: "}")
    }

    /// Puts the version in the place of one that was as long.
    package mutating func replaceVersion(with version: String) {
        json.bytes.replaceSubrange(versionStart..<versionStart + self.version.utf8.count, with: version.utf8)
        self.version = version
    }

    /// Returns the document, once it is closed.
    package consuming func document() -> SnapshotDocument {
        SnapshotDocument(
            bytes: json.bytes, screen: screen, version: version, title: title ?? "", sections: sections, cells: cells
        )
    }
}

// Sections.
extension SnapshotDocumentWriter {
    /// - Parameter rest: members that the protocol does not name. They only come with the whole section.
    package mutating func openSection(id: String, rest: [JSONValue.Member] = []) {
        json.separate()
        open = OpenSection(start: json.bytes.count, firstCell: cells.count)
        json.write(raw: "{")
        json.field("id", id)
        for member in rest { json.field(member.name, member.value) }
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

    /// - Returns: where the cell stands in ``bytes``.
    @discardableResult
    package mutating func writeCell(_ write: (inout JSONWriter) -> Void) -> Range<Int> {
        json.separate()
        let start = json.bytes.count
        write(&json)
        let range = start..<json.bytes.count
        cells.append(SnapshotDocument.Span(range))
        return range
    }

    /// Writes cells as they stand in another document, one after the other in one section of it.
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

    /// Writes a view as part of the section, with the id of the cell that it belongs to, or its place
    /// where there is none.
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

    /// Writes a view together with what it belongs to.
    mutating func writeSupplementaryView(_ write: (inout JSONWriter) -> Void) {
        if !open.hasSupplementaryViews {
            json.key("supplementary")
            json.write(raw: "[")
            open.hasSupplementaryViews = true
        }
        json.separate()
        write(&json)
    }

    /// - Returns: where the section's parts stand in ``bytes``.
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
