import ScreenModel

/// A rendered snapshot: the bytes of its document, and the ranges of its cells and views in these bytes. Changesets copy cells and views
/// from these ranges.
public struct SnapshotDocument: Sendable {
    /// The whole document, in UTF-8.
    public let bytes: [UInt8]
    public let screen: String
    public let version: String
    public let title: String
    package let sections: [Section]
    /// The ranges of the cells of all sections. One byte, a comma, separates consecutive cells of a section.
    package let cells: [Span]

    /// A range of the document's bytes.
    package struct Span: Sendable {
        package let start: UInt32
        package let end: UInt32

        init(_ range: Range<Int>) {
            start = UInt32(range.lowerBound)
            end = UInt32(range.upperBound)
        }

        package var range: Range<Int> { Int(start)..<Int(end) }
    }

    /// The ranges of the parts of a section such as `{"id":…,"header":…,"cells":[…],"footer":…}`.
    package struct Section: Sendable {
        package let cells: Range<Int>
        /// The part from the opening brace to the first cell, including the header.
        package let head: Span
        /// The header with its key and the preceding comma. The range is empty if there is no header.
        package let header: Span
        /// The footer and the supplementary views, with their keys and the preceding commas.
        package let tail: Span
    }

    /// The bytes that every snapshot starts with.
    static let opening: StaticString = #"{"kind":"snapshot","#

    /// Returns the document with an additional member `reason`.
    public func bytes(reason: SnapshotReason) -> [UInt8] {
        var writer = JSONWriter(capacity: bytes.count + 32)
        writer.write(raw: Self.opening)
        writer.write(raw: #""reason":"#)
        writer.write(reason.rawValue)
        writer.write(raw: ",")
        writer.write(raw: bytes[Self.opening.utf8CodeUnitCount...])
        return writer.bytes
    }

    /// Returns the number of bytes of ``bytes(reason:)``, without creating them.
    public func byteCount(reason: SnapshotReason) -> Int {
        bytes.count + reason.rawValue.utf8.count + #""reason":"","#.utf8.count
    }

    func bytes(ofCells items: Range<Int>, in section: Int) -> ArraySlice<UInt8> {
        guard !items.isEmpty else { return [] }
        let first = sections[section].cells.lowerBound
        return bytes[Int(cells[first + items.lowerBound].start)..<Int(cells[first + items.upperBound - 1].end)]
    }
}

/// The reason why the response to a request for changes is a snapshot.
public enum SnapshotReason: String, Hashable, Sendable {
    /// The request has no version.
    case initial
    /// The version is not in history.
    case unknownVersion = "unknown-version"
    /// The snapshot is smaller than the changeset would be.
    case smaller
}

/// The kind of list view that shows a screen.
public enum Layout: String, Hashable, Sendable {
    case table
    case collection
}
