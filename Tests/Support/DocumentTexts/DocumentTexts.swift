package import ScreenWire

/// The way from texts to texts, through all that documents pass.
package enum DocumentTexts {
    /// A snapshot in short: `a: 1 2 | b: 3` has the cells 1 and 2 in section a, and 3 in b.
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

    /// What a snapshot is written as, once it was read.
    package static func rewritten(_ source: String) throws -> String {
        text(try tree(source).document().bytes)
    }

    package static func tree(_ source: String) throws -> SnapshotTree {
        try SnapshotTree(JSONReader.read(Array(source.utf8)))
    }

    package static func playback(of changeset: String, on source: String) throws -> Playback {
        try Playback(of: ChangesetTree(JSONReader.read(Array(changeset.utf8))), on: tree(source))
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
