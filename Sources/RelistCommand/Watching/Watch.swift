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
            ~ updated, > moved, - deleted.
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
        if let parameter = parameters.first(where: { !$0.contains("=") || $0.hasPrefix("=") }) {
            throw ValidationError("\(parameter) is no parameter: write name=value.")
        }
    }

    func run() async throws {
        do {
            try await watch()
        } catch let error as ScreenError {
            Output.complain([error.message])
            throw ExitCode(69)
        }
    }

    @MainActor
    private func watch() async throws {
        guard let base = URL(string: url) else { return }
        let token = token ?? ProcessInfo.processInfo.environment["RELIST_TOKEN"]
        let transport = CountingTransport(CurlTransport())
        let source = token.map { token -> TokenSource in { @Sendable _ in token } }
        let client = ScreenClient(base: base, locale: locale, transport: transport, snapshots: nil, attempts: nil, tokenSource: source)
        // This client has no counting transport, because the bytes of the list of screens must not be counted.
        let lister = ScreenClient(base: base, locale: locale, snapshots: nil, attempts: nil, tokenSource: source)
        guard let screen else {
            for screen in try await lister.catalog().screens {
                try Output.print(Array("\(screen.name.shown)  \(screen.title.printable)".utf8))
            }
            return
        }
        let live = client.screen(screen, Dictionary(parameters.map(Self.parameter)) { $1 })
        if once || isatty(STDOUT_FILENO) == 0 || isatty(STDIN_FILENO) == 0 {
            try await WatchedLines(live, transport).run(once: once)
        } else {
            try await WatchedTerminal(client, live, transport) { try? await lister.catalog() }.run()
        }
    }

    private static func parameter(_ text: String) -> (String, String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), String(parts[1]))
    }
}

extension ScreenError {
    /// A sentence for the user of the terminal. It contains texts of the server, but no characters that could control the terminal.
    var message: String {
        let text =
            switch self {
            case .unreachable: "the server cannot be reached, or it is no server of screens"
            case .unreadable(let error): "the document cannot be read: \(error)"
            case .problem(let problem):
                ([problem.detail.isEmpty ? problem.title : problem.detail] + problem.errors.map(\.detail)).joined(separator: " ")
            case .token(let error): "the token cannot be read: \(error)"
            case .cancelled: "the request was cancelled"
            }
        return text.printable
    }
}
