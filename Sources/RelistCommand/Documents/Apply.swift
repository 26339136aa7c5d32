import ArgumentParser
import ScreenWire

/// The command `relist apply`. It applies a changeset to a snapshot and prints the resulting snapshot.
struct Apply: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the snapshot that a changeset leads to.",
        discussion: """
            A changeset is applied as clients apply it. A server has to keep more rules: an update changes something, \
            a cell that stays is never deleted and inserted, and there are no more moves than necessary. \
            With --strict, a changeset that breaks one of them is refused.

            """ + DocumentArgument.discussion
    )

    @Argument(help: "The snapshot that a client holds.")
    var snapshot: DocumentArgument
    @Argument(help: "The changeset from the version of that snapshot.")
    var changeset: DocumentArgument
    @Flag(help: "Explain each operation in words instead of printing the snapshot.")
    var explain = false
    @Flag(help: "Refuse a changeset that breaks any rule of the protocol, not only the rules that clients check.")
    var strict = false

    func validate() throws {
        try DocumentArgument.validate(snapshot, changeset)
    }

    func run() throws {
        try CommandFault.exit {
            let (source, changes) = try DocumentArgument.read(snapshot, SnapshotTree.init, changeset, ChangesetTree.init)
            let playback = try changeset.blamed {
                strict ? try Playback(of: changes, on: source) : try Playback(unjudged: changes, on: source)
            }
            try Output.print(explain ? Array(Explanation(of: playback).description.utf8) : playback.result.document().bytes)
        }
    }
}
