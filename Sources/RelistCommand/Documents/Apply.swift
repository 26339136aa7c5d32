import ArgumentParser
import ScreenWire

/// `relist apply`: the snapshot that a changeset leads to.
struct Apply: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the snapshot that a changeset leads to.",
        discussion: DocumentArgument.discussion
    )

    @Argument(help: "The snapshot that a client holds.")
    var snapshot: DocumentArgument
    @Argument(help: "The changeset from its version.")
    var changeset: DocumentArgument
    @Flag(help: "Say of each operation why it is there, in words, instead of printing the snapshot.")
    var explain = false

    func validate() throws {
        try DocumentArgument.validate(snapshot, changeset)
    }

    func run() throws {
        try CommandFault.exit {
            let (source, changes) = try DocumentArgument.read(snapshot, SnapshotTree.init, changeset, ChangesetTree.init)
            let playback = try changeset.blamed { try Playback(of: changes, on: source) }
            try Output.print(explain ? Array(Explanation(of: playback).description.utf8) : playback.result.document().bytes)
        }
    }
}
