import ArgumentParser
import ContentCoding
import ScreenWire

/// The command `relist diff`. It prints the changeset between two snapshots.
struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the changeset between two snapshot documents.",
        discussion: DocumentArgument.discussion
    )

    @Argument(help: "The snapshot that a client holds.")
    var old: DocumentArgument
    @Argument(help: "The snapshot that the client needs.")
    var new: DocumentArgument
    @Flag(help: "Explain each operation in words instead of printing the changeset.")
    var explain = false
    @Flag(help: "Print the sizes of the changeset and of the new snapshot in each content coding instead of the changeset.")
    var sizes = false

    func validate() throws {
        if explain && sizes { throw ValidationError("Only one of --explain and --sizes can be given.") }
        try DocumentArgument.validate(old, new)
    }

    func run() throws {
        try CommandFault.exit {
            let (source, target) = try DocumentArgument.read(old, SnapshotTree.init, new, SnapshotTree.init)
            let bytes = try new.blamed { try source.changeset(to: target) }
            if sizes { return try Output.print(Array(SizeTable(changeset: bytes, snapshot: target.document().bytes).description.utf8)) }
            try Output.print(explain ? explanation(of: bytes, on: source) : bytes)
        }
    }

    /// Returns an explanation of a changeset. The written document is parsed again, so that the explanation describes exactly this
    /// document.
    private func explanation(of bytes: [UInt8], on source: SnapshotTree) throws -> [UInt8] {
        let changeset = try ChangesetTree(JSONReader.read(bytes))
        return Array(Explanation(of: try Playback(of: changeset, on: source)).description.utf8)
    }
}

/// A table with the sizes in bytes of a changeset and of a snapshot, in each content coding, as the server sends them.
private struct SizeTable: CustomStringConvertible {
    let changeset: [UInt8]
    let snapshot: [UInt8]

    var description: String {
        let columns =
            [
                ["", "changeset", "snapshot"], ["identity", String(changeset.count), String(snapshot.count)],
            ]
            + ContentCoding.allCases.map { coding in
                [coding.rawValue] + [changeset, snapshot].map { String((coding.encodeIfSmaller($0) ?? $0).count) }
            }
        return (0..<3).map { row in
            columns.enumerated().map { index, column in
                let width = column.map(\.count).max() ?? 0
                let blanks = String(repeating: " ", count: width - column[row].count)
                return index == 0 ? column[row] + blanks : "  " + blanks + column[row]
            }.joined()
        }.joined(separator: "\n")
    }
}
