import ArgumentParser
import Relist

/// The program `relist` with its commands.
@main
struct RelistProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relist",
        abstract: "Serves list screens as snapshots, and as changesets from the version that a client holds.",
        subcommands: [Serve.self, Check.self, Tokens.command, New.self, Diff.self, Apply.self, Watch.self],
        defaultSubcommand: Serve.self
    )

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        } catch {
            end(over: error)
        }
    }
}
