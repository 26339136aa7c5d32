/// A document about a screen: a snapshot or a changeset.
public enum ScreenDocument: Sendable {
    /// A snapshot, and the reason why it is the response to a request for changes. The reason is `nil` if it is missing or unknown.
    case snapshot(SnapshotTree, reason: SnapshotReason?)
    case changeset(ChangesetTree)

    /// Reads a document in UTF-8.
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: ``JSONSyntaxError`` if the text is not JSON or too long, or ``DocumentFaults`` with all faults of the document.
    public init(_ bytes: [UInt8], limit: Int) throws {
        try self.init(JSONReader.read(bytes, limit: limit))
    }

    /// Reads a document.
    ///
    /// - Throws: All faults of the document.
    public init(_ json: JSONValue) throws(DocumentFaults) {
        if json["kind"] == .string("changeset") {
            self = .changeset(try ChangesetTree(json))
        } else {
            let reason: SnapshotReason? = if case .string(let text) = json["reason"] { SnapshotReason(rawValue: text) } else { nil }
            self = .snapshot(try SnapshotTree(json), reason: reason)
        }
    }

    /// The version that a client has after it has used the document.
    public var version: String {
        switch self {
        case .snapshot(let tree, _): tree.version
        case .changeset(let changeset): changeset.version
        }
    }
}
