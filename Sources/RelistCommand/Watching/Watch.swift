import ArgumentParser
import Foundation
import Glibc
import ScreenClient

/// The command `relist watch`. It shows a screen of any server and each of its changes.
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a screen of a server in the terminal, and each change of it.",
        discussion: """
            Without a screen, the screens of the server are listed. If the output is no terminal, each change is printed as lines: + inserted, \
            ~ updated, > moved, - deleted; standard error says when the screen goes offline, is outdated, or is current again.

            The exit code is 69 if the screen cannot be loaded or the server rejects it, and 75 if the command was ended while it was not \
            known whether an action was performed.
            """
    )

    @Argument(help: "The base URL of the server, such as http://127.0.0.1:8080.")
    var url: String
    @Argument(help: "The name of the screen.")
    var screen: String?
    @Argument(help: "The parameters of the screen, as name=value.")
    var parameters: [String] = []
    @Option(help: "The token of the user. By default, the value of RELIST_TOKEN.")
    var token: String?
    @Option(help: "The language of the screen, such as fr.")
    var locale: String?
    @Flag(help: "Print the screen once and end.")
    var once = false

    func validate() throws {
        guard let url = URL(string: url), ["http", "https"].contains(url.scheme), url.host != nil else {
            throw ValidationError("\(url) is no URL of a server, such as http://127.0.0.1:8080.")
        }
        if url.query != nil || url.fragment != nil {
            throw ValidationError("The base URL \(url) has a query or a fragment: write the parameters after the screen, as name=value.")
        }
        if screen?.isEmpty == true { throw ValidationError("The name of the screen is empty: leave it out to list the screens.") }
        if let parameter = parameters.first(where: { !$0.contains("=") || $0.hasPrefix("=") }) {
            throw ValidationError("\(parameter) is no parameter: write name=value.")
        }
    }

    func run() async throws {
        do {
            try await watch()
        } catch let fault as any ReportedFault {
            Output.complain(fault.lines + hints(for: fault))
            throw fault.exitCode
        }
    }

    @MainActor
    private func watch() async throws {
        guard let base = URL(string: url) else { return }
        // The locale is set before the transport starts its thread.
        _ = Unicode.Scalar.width
        let token = token ?? ProcessInfo.processInfo.environment["RELIST_TOKEN"]
        let source = token.map { token -> TokenSource in { @Sendable _ in token } }
        // The list of screens has a separate transport, because its bytes must not be counted.
        let catalog = WatchedCatalog(ObservedTransport(CurlTransport())) { transport in
            ScreenClient(base: base, locale: locale, transport: transport, snapshots: nil, attempts: nil, tokenSource: source)
        }
        guard let screen else {
            for screen in try await catalog.load().screens {
                try Output.print(Array("\(screen.name.shown)  \(screen.title)".printable.utf8))
            }
            return
        }
        let transport = ObservedTransport(CurlTransport())
        // The client stores attempts only if it has a user. Any name can be given, because the store ends with the process.
        let client = ScreenClient(
            base: base, user: "watch", locale: locale, transport: transport, snapshots: nil, attempts: MemoryStore(), tokenSource: source)
        let live = client.screen(screen, Dictionary(parameters.map(Self.parameter)) { $1 })
        if once || isatty(STDOUT_FILENO) == 0 || isatty(STDIN_FILENO) == 0 {
            try await WatchedLines(live, transport, locale: locale).run(once: once)
        } else {
            try await WatchedTerminal(client, live, transport, catalog, locale: locale).run()
        }
    }

    /// Returns a line that asks for the base URL and the name of the screen as separate arguments, if the given URL may be the URL of a
    /// screen.
    private func hints(for fault: any ReportedFault) -> [String] {
        guard case .failed(.problem(let problem), _)? = fault as? WatchFault, problem.status == 404,
            let url = URL(string: url), url.pathComponents.contains("screens")
        else { return [] }
        return ["write the base URL and the name of the screen separately, such as: relist watch http://127.0.0.1:8080 wifi"]
    }

    private static func parameter(_ text: String) -> (String, String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), String(parts[1]))
    }
}
