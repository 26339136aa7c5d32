import ScreenTesting
import ScreenWire
import Testing

/// A screen in the state that a client holds. The state is computed from the documents that the client has received, by the rules of the
/// protocol. Each changeset must be one that a list view could perform.
struct HeldScreen {
    private(set) var version: String?
    /// The value of `reason` in the last document: the reason why a request for changes received a snapshot. It is nil if the document has
    /// no such key.
    private(set) var reason: String?
    private var tree: SnapshotTree?

    struct NoDocument: Error {
        let text: String
    }

    /// The content as JSON. It equals the document that a GET request would return.
    var document: String? {
        tree.map { String(decoding: $0.document().bytes, as: UTF8.self) }
    }

    /// Returns the ids of the cells with the given type.
    func cells(of type: String) throws -> [String] {
        guard let tree else { return [] }
        let sections = try JSONReader.read(tree.document().bytes)["sections"]?.elements ?? []
        let cells = sections.flatMap { $0["cells"]?.elements ?? [] }
        return cells.filter { $0["type"]?.text == type }.compactMap { $0["id"]?.text }
    }

    /// Applies a document that was sent to this client. A changeset must start from the version that the client holds.
    ///
    /// - Returns: the kind of the document.
    @discardableResult
    mutating func apply(_ bytes: [UInt8]) throws -> String {
        let json = try JSONReader.read(bytes)
        switch json["kind"]?.text {
        case "snapshot"?: tree = try SnapshotTree(json.without("reason"))
        case "changeset"?:
            let held = try #require(tree)
            let changeset = try ChangesetTree(json)
            try StrictStages.check(changeset, on: held, in: held.layout == .table ? .tableView : .collectionView)
            tree = try Playback(of: changeset, on: held).result
        default: throw NoDocument(text: String(decoding: bytes, as: UTF8.self))
        }
        version = json["version"]?.text
        reason = json["reason"]?.text
        return json["kind"]?.text ?? ""
    }

    /// Applies an event of a stream to the held screen.
    ///
    /// - Returns: the kind of the document in the event.
    @discardableResult
    mutating func applyEvent(_ event: String) throws -> String {
        let lines = event.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 5 && lines[2].hasPrefix("data: "))
        let kind = try apply(Array(lines[2].dropFirst(6).utf8))
        #expect(lines[0] == "event: \(kind)" && lines[1] == "id: \(version ?? "")")
        return kind
    }
}

extension JSONValue {
    fileprivate func without(_ name: String) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.name != name })
    }
}
