import ScreenDiff

/// A snapshot of any origin, read from its document: what it does not understand it keeps.
///
/// Two of them are compared, or a changeset is applied to one. In it absent and null are one where
/// they mean the same; content is as it came.
public struct SnapshotTree: Sendable {
    package let screen: String
    var version: String
    let layout: Layout
    package internal(set) var title: String?
    package internal(set) var sections: [Section]
    /// The members of the document that the protocol does not name.
    let rest: [JSONValue.Member]

    package struct Section: Sendable {
        package let id: String
        package internal(set) var views: Views
        package internal(set) var cells: [Cell]
        let rest: [JSONValue.Member]
    }

    /// All that a section shows besides its cells.
    package struct Views: Sendable {
        package let header: JSONValue?
        package let footer: JSONValue?
        package let supplementary: [JSONValue]
    }

    package struct Cell: Sendable {
        package let id: String
        /// The whole cell, with its id.
        package let content: JSONValue
    }
}

extension SnapshotTree.Views {
    func isSame(as other: SnapshotTree.Views) -> Bool {
        header.isSame(as: other.header) && footer.isSame(as: other.footer)
            && JSONValue.array(supplementary).isSame(as: .array(other.supplementary))
    }
}

extension SnapshotTree.Cell: Differentiable {
    var differenceIdentifier: ExactText { ExactText(id) }

    func isContentEqual(to source: SnapshotTree.Cell) -> Bool {
        content.isSame(as: source.content)
    }
}

extension SnapshotTree.Section: DifferentiableSection {
    var differenceIdentifier: ExactText { ExactText(id) }

    func isContentEqual(to source: SnapshotTree.Section) -> Bool {
        views.isSame(as: source.views)
    }

    var elements: [SnapshotTree.Cell] { cells }

    init(source: SnapshotTree.Section, elements: some Swift.Collection<SnapshotTree.Cell>) {
        self.init(id: source.id, views: source.views, cells: Array(elements), rest: source.rest)
    }
}

extension SnapshotTree {
    /// Returns the document, in the order of the protocol; what it does not name comes last.
    public func document() -> SnapshotDocument {
        var writer = SnapshotDocumentWriter(screen: screen, version: version, layout: layout, title: title)
        for section in sections { section.write(to: &writer) }
        writer.close(rest: rest)
        return writer.document()
    }
}

extension SnapshotTree.Section {
    fileprivate func write(to document: inout SnapshotDocumentWriter) {
        document.openSection(id: id, rest: rest)
        if let header = views.header { document.writeHeader(header.write(to:)) }
        document.openCells()
        for cell in cells { document.writeCell(cell.content.write(to:)) }
        document.closeCells()
        if let footer = views.footer { document.writeFooter(footer.write(to:)) }
        for view in views.supplementary { document.writeSupplementaryView(view.write(to:)) }
        document.closeSection()
    }
}
