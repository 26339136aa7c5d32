@testable import ScreenWire
import Testing

/// Goes from texts to texts through all that documents pass on the way.
enum DocumentTexts {
    /// A snapshot in short: `a: 1 2 | b: 3` has the cells 1 and 2 in section a, and 3 in b.
    static func snapshot(_ list: String, version: String = "v1") -> String {
        let sections = list.split(separator: " | ").map { section($0) }.joined(separator: ",")
        return #"{"kind":"snapshot","screen":"letters","version":"\#(version)","layout":"table","sections":[\#(sections)]}"#
    }

    static func section(_ list: some StringProtocol) -> String {
        let words = list.split(separator: " ")
        return #"{"id":"\#(words[0].dropLast())","cells":[\#(words.dropFirst().map { cell($0) }.joined(separator: ","))]}"#
    }

    static func cell(_ id: some StringProtocol) -> String { #"{"id":"\#(id)","type":"row"}"# }

    static func changeset(_ stages: String) -> String {
        #"{"kind":"changeset","screen":"letters","from":"v1","version":"v2","stages":[\#(stages)]}"#
    }

    static func changeset(from source: String, to target: String) throws -> String {
        text(try tree(source).changeset(to: tree(target)))
    }

    static func applied(_ changeset: String, to source: String) throws -> String {
        text(try playback(of: changeset, on: source).result.document().bytes)
    }

    static func explanation(of changeset: String, on source: String) throws -> String {
        Explanation(of: try playback(of: changeset, on: source)).description
    }

    /// What a snapshot is written as, once it was read.
    static func rewritten(_ source: String) throws -> String {
        text(try tree(source).document().bytes)
    }

    static func tree(_ source: String) throws -> SnapshotTree {
        try SnapshotTree(JSONReader.read(Array(source.utf8)))
    }

    static func playback(of changeset: String, on source: String) throws -> Playback {
        try Playback(of: ChangesetTree(JSONReader.read(Array(changeset.utf8))), on: tree(source))
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// Is a place that a document is refused for, with the cause.
struct Refusal: Equatable, Sendable, CustomTestStringConvertible {
    let pointer: String
    let cause: DocumentFault.Cause

    init(_ pointer: String, _ cause: DocumentFault.Cause) {
        self.pointer = pointer
        self.cause = cause
    }

    var testDescription: String { "\(pointer) \(cause)" }

    /// All that is refused on the way; none if nothing is.
    static func list(_ body: () throws -> some Any) throws -> [Refusal] {
        do {
            _ = try body()
            return []
        } catch let error as DocumentFaults {
            return error.faults.map { Refusal($0.pointer.description, $0.cause) }
        }
    }
}

extension JSONPointer {
    init(_ steps: Step...) { self.init(steps: steps) }
}
