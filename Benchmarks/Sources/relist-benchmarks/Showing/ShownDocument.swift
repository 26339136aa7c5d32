import ScreenClient
import ScreenWire

/// A snapshot document with typical cells, as a server sends it.
struct ShownDocument {
    let bytes: [UInt8]

    /// - Parameter changed: the index of the cell whose title is changed; nil to change none.
    init(cells: Int, version: String = "a", changed: Int? = nil) {
        let texts = (0..<cells).map { number in
            #"{"id":"7534-\#(number)","type":"sample","title":"Delivery \#(number)\#(number == changed ? "!" : "")","#
                + #""subtitle":"Thursday, July 12","weight":\#(number).766,"count":\#(number % 17),"isDone":\#(number % 3 == 0)}"#
        }
        let text =
            #"{"kind":"snapshot","screen":"samples","version":"\#(version)","layout":"table","title":"ORGE PLANET","#
            + #""sections":[{"id":"all","cells":[\#(texts.joined(separator: ","))]}]}"#
        bytes = Array(text.utf8)
    }

    func tree() throws -> SnapshotTree {
        guard case .snapshot(let tree, _) = try ScreenDocument(bytes, limit: 1 << 30) else { fatalError("a snapshot is expected") }
        return tree
    }

    /// Returns the changeset from this document to another one.
    func changeset(to other: ShownDocument) throws -> ChangesetTree {
        let bytes = try tree().changeset(to: other.tree())
        guard case .changeset(let changeset) = try ScreenDocument(bytes, limit: 1 << 30) else { fatalError("a changeset is expected") }
        return changeset
    }
}

/// The typed value that an app decodes from a cell of the document.
struct ShownCell: Decodable, Sendable {
    let id: String
    let title: String
    let subtitle: String
    let weight: Double
    let count: Int
    let isDone: Bool
}
