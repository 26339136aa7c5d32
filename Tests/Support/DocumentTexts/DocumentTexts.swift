package import ScreenWire

/// Functions that create, read and change documents given as strings.
package enum DocumentTexts {
    /// Returns the snapshot that a short text describes. For example, `a: 1 2 | b: 3` means a section `a` with the cells `1` and `2`, and a
    /// section `b` with the cell `3`.
    package static func snapshot(_ list: String, version: String = "v1") -> String {
        let sections = list.split(separator: " | ").map { section($0) }.joined(separator: ",")
        return #"{"kind":"snapshot","screen":"letters","version":"\#(version)","layout":"table","sections":[\#(sections)]}"#
    }

    package static func section(_ list: some StringProtocol) -> String {
        let words = list.split(separator: " ")
        return #"{"id":"\#(words[0].dropLast())","cells":[\#(words.dropFirst().map { cell($0) }.joined(separator: ","))]}"#
    }

    package static func cell(_ id: some StringProtocol) -> String { #"{"id":"\#(id)","type":"row"}"# }

    package static func changeset(_ stages: String) -> String {
        #"{"kind":"changeset","screen":"letters","from":"v1","version":"v2","stages":[\#(stages)]}"#
    }

    package static func changeset(from source: String, to target: String) throws -> String {
        text(try tree(source).changeset(to: tree(target)))
    }

    package static func applied(_ changeset: String, to source: String) throws -> String {
        text(try playback(of: changeset, on: source).result.document().bytes)
    }

    /// Reads a snapshot from JSON, writes it as JSON again, and returns the written JSON.
    package static func rewritten(_ source: String) throws -> String {
        text(try tree(source).document().bytes)
    }

    package static func tree(_ source: String) throws -> SnapshotTree {
        try SnapshotTree(JSONReader.read(Array(source.utf8)))
    }

    /// Applies a changeset to a snapshot as a client does, and returns the resulting snapshot.
    package static func appliedByClient(_ changeset: String, to source: String) throws -> String {
        var held = try tree(source)
        try held.apply(Self.changeset(read: changeset))
        return text(held.document().bytes)
    }

    package static func changeset(read changeset: String) throws -> ChangesetTree {
        try ChangesetTree(JSONReader.read(Array(changeset.utf8)))
    }

    package static func playback(of changeset: String, on source: String) throws -> Playback {
        try Playback(of: ChangesetTree(JSONReader.read(Array(changeset.utf8))), on: tree(source))
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
