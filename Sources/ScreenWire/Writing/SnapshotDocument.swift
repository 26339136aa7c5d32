import ScreenModel

/// A rendered snapshot: the bytes of its document, and where in them each cell and view stands.
///
/// Changesets that lead to it splice their payloads from these bytes, so nothing is encoded twice.
public struct SnapshotDocument: Sendable {
    /// The whole document, in UTF-8.
    public let bytes: [UInt8]
    public let screen: String
    public let version: String
    public let title: String
    public let sections: [Section]
    /// The places of the cells, through all sections. Between neighbours of a section is one comma.
    public let cells: [Span]

    /// A range of the document's bytes.
    public struct Span: Sendable {
        public let start: UInt32
        public let end: UInt32

        package init(_ range: Range<Int>) {
            start = UInt32(range.lowerBound)
            end = UInt32(range.upperBound)
        }

        package var range: Range<Int> { Int(start)..<Int(end) }
    }

    /// The places of the parts of a section: `{"id":…` `,"header":…` `,"cells":[` … `]` `,"footer":…` `}`.
    public struct Section: Sendable {
        /// Its cells among those of all sections.
        public let cells: Range<Int>
        /// Everything before the first cell, from the brace on.
        public let head: Span
        /// The header with its key and the comma before it; empty if there is none.
        public let header: Span
        /// Footer and supplementary views with their keys and the commas before them.
        public let tail: Span

        package init(cells: Range<Int>, head: Span, header: Span, tail: Span) {
            self.cells = cells
            self.head = head
            self.header = header
            self.tail = tail
        }
    }

    package init(
        bytes: [UInt8], screen: String, version: String, title: String, sections: [Section], cells: [Span]
    ) {
        self.bytes = bytes
        self.screen = screen
        self.version = version
        self.title = title
        self.sections = sections
        self.cells = cells
    }

    /// The first bytes of every snapshot.
    static let opening: StaticString = #"{"kind":"snapshot","#

    /// Returns the document as an answer to a request for changes, which says why it is no changeset.
    public func bytes(reason: SnapshotReason) -> [UInt8] {
        var writer = JSONWriter(capacity: bytes.count + 32)
        writer.write(raw: Self.opening)
        writer.write(raw: #""reason":"#)
        writer.write(reason.rawValue)
        writer.write(raw: ",")
        writer.write(raw: bytes[Self.opening.utf8CodeUnitCount...])
        return writer.bytes
    }

    /// Returns how many bytes ``bytes(reason:)`` has.
    public func byteCount(reason: SnapshotReason) -> Int {
        bytes.count + reason.rawValue.utf8.count + #""reason":"","#.utf8.count
    }

    /// Returns the cells of a section from one item to another, with the commas between them.
    func bytes(ofCells items: Range<Int>, in section: Int) -> ArraySlice<UInt8> {
        guard !items.isEmpty else { return [] }
        let first = sections[section].cells.lowerBound
        return bytes[Int(cells[first + items.lowerBound].start)..<Int(cells[first + items.upperBound - 1].end)]
    }
}

/// The reason why a request for changes is answered with a snapshot.
public enum SnapshotReason: String, Hashable, Sendable {
    /// No version was given.
    case initial
    /// The version is not in history, or never was one.
    case unknownVersion = "unknown-version"
    /// A changeset would have had more bytes.
    case smaller
}

/// The kind of view that shows a screen.
public enum Layout: String, Hashable, Sendable {
    case table
    case collection
}
