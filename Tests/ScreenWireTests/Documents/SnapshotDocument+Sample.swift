import ScreenWire

extension SnapshotDocument {
    struct SampleSection {
        let id: String
        var header: String?
        var cells: [String]
        var footer: String?
    }

    /// A document of screen `letters`, put together by hand, so that nothing of rendering is in it.
    static func sample(_ sections: [SampleSection]) -> SnapshotDocument {
        var text = #"{"kind":"snapshot","screen":"letters","version":"new","layout":"table","title":"A \"title\"","sections":["#
        var spans: [Span] = []
        var parts: [Section] = []
        func span(_ part: String) -> Span {
            let start = text.utf8.count
            text += part
            return Span(start..<text.utf8.count)
        }
        for (index, section) in sections.enumerated() {
            if index > 0 { text += "," }
            let start = text.utf8.count
            text += #"{"id":"\#(section.id)""#
            let header = span(section.header.map { #","header":\#($0)"# } ?? "")
            text += #","cells":["#
            let head = Span(start..<text.utf8.count)
            let first = spans.count
            for (item, cell) in section.cells.enumerated() {
                if item > 0 { text += "," }
                spans.append(span(#"{"id":"\#(cell)","type":"row"}"#))
            }
            text += "]"
            let tail = span(section.footer.map { #","footer":\#($0)"# } ?? "")
            text += "}"
            parts.append(Section(cells: first..<spans.count, head: head, header: header, tail: tail))
        }
        text += "]}"
        return SnapshotDocument(
            bytes: Array(text.utf8), screen: "letters", version: "new", title: #"A "title""#, sections: parts, cells: spans
        )
    }
}
