import ArgumentParser
import ScreenWire

/// `relist diff`: the changeset between two snapshots.
struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the changeset between two snapshot documents.",
        discussion: DocumentArgument.discussion
    )

    @Argument(help: "The snapshot that a client holds.")
    var old: DocumentArgument
    @Argument(help: "The snapshot that it is to have.")
    var new: DocumentArgument
    @Flag(help: "Say of each operation why it is there, in words, instead of printing the changeset.")
    var explain = false

    func validate() throws {
        try DocumentArgument.validate(old, new)
    }

    func run() throws {
        try CommandFault.exit {
            let (source, target) = try DocumentArgument.read(old, SnapshotTree.init, new, SnapshotTree.init)
            let bytes = try new.blamed { try source.changeset(to: target) }
            try Output.print(explain ? explanation(of: bytes, on: source) : bytes)
        }
    }

    /// Reads what was written, so that it says what the document says.
    private func explanation(of bytes: [UInt8], on source: SnapshotTree) throws -> [UInt8] {
        let changeset = try ChangesetTree(JSONReader.read(bytes))
        return Array(Explanation(of: try Playback(of: changeset, on: source)).description.utf8)
    }
}
