import ScreenWire
import Testing

/// Is a screen as a client holds it: folded from all that it received, as the protocol says.
struct HeldScreen {
    private(set) var version: String?
    /// Why it received a snapshot last; nil where the document says nothing of it.
    private(set) var reason: String?
    private var tree: SnapshotTree?

    struct NoDocument: Error {
        let text: String
    }

    /// What it shows, as a GET would write it.
    var document: String? {
        tree.map { String(decoding: $0.document().bytes, as: UTF8.self) }
    }

    /// The ids of its cells of a type.
    func cells(of type: String) throws -> [String] {
        guard let tree else { return [] }
        let sections = try JSONReader.read(tree.document().bytes)["sections"]?.elements ?? []
        let cells = sections.flatMap { $0["cells"]?.elements ?? [] }
        return cells.filter { $0["type"]?.text == type }.compactMap { $0["id"]?.text }
    }

    /// Takes a document that answers this client: a changeset has to be from the version that it holds.
    ///
    /// - Returns: its kind.
    @discardableResult
    mutating func fold(_ bytes: [UInt8]) throws -> String {
        let json = try JSONReader.read(bytes)
        switch json["kind"]?.text {
        case "snapshot"?: tree = try SnapshotTree(json.without("reason"))
        case "changeset"?:
            let held = try #require(tree)
            tree = try Playback(of: ChangesetTree(json), on: held).result
        default: throw NoDocument(text: String(decoding: bytes, as: UTF8.self))
        }
        version = json["version"]?.text
        reason = json["reason"]?.text
        return json["kind"]?.text ?? ""
    }

    /// Takes an event of a stream.
    ///
    /// - Returns: the kind of its document.
    @discardableResult
    mutating func take(_ event: String) throws -> String {
        let lines = event.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 5 && lines[2].hasPrefix("data: "))
        let kind = try fold(Array(lines[2].dropFirst(6).utf8))
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
