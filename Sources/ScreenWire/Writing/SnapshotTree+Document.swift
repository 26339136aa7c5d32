import ScreenModel

extension SnapshotTree {
    /// The document, in the order of the protocol; what it does not name comes last.
    public func document() -> SnapshotDocument {
        var writer = TreeWriter()
        writer.write(self)
        return SnapshotDocument(
            bytes: writer.json.bytes, screen: screen, version: version, title: title ?? "",
            sections: writer.sections, cells: writer.cells
        )
    }
}

/// Writes a tree from front to back and notes where each part stands.
private struct TreeWriter {
    var json = JSONWriter(capacity: 4096)
    var sections: [SnapshotDocument.Section] = []
    var cells: [SnapshotDocument.Span] = []

    mutating func write(_ tree: SnapshotTree) {
        json.write(raw: SnapshotDocument.opening)
        json.write(raw: #""screen":"#)
        json.write(tree.screen)
        json.field("version", tree.version)
        json.field("layout", tree.layout.rawValue)
        json.field("title", tree.title)
        json.write(raw: #","sections":["#)
        for section in tree.sections { write(section) }
        json.write(raw: "]")
        json.write(tree.rest)
        json.write(raw: "}")
    }

    /// What the protocol does not name stands in the head, which only comes with the whole section.
    private mutating func write(_ section: SnapshotTree.Section) {
        json.separate()
        let start = json.bytes.count
        let firstCell = cells.count
        json.write(raw: "{")
        json.field("id", section.id)
        json.write(section.rest)
        let header = span { $0.json.field("header", section.views.header) }
        json.write(raw: #","cells":["#)
        let head = SnapshotDocument.Span(start..<json.bytes.count)
        for cell in section.cells {
            json.separate()
            cells.append(span { $0.json.write(cell.content) })
        }
        json.write(raw: "]")
        let tail = span {
            $0.json.field("footer", section.views.footer)
            let supplementary = section.views.supplementary
            $0.json.field("supplementary", supplementary.isEmpty ? nil : .array(supplementary))
        }
        json.write(raw: "}")
        let all = firstCell..<cells.count
        sections.append(SnapshotDocument.Section(cells: all, head: head, header: header, tail: tail))
    }

    private mutating func span(_ write: (inout TreeWriter) -> Void) -> SnapshotDocument.Span {
        let start = json.bytes.count
        write(&self)
        return SnapshotDocument.Span(start..<json.bytes.count)
    }
}
