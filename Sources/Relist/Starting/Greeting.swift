import Foundation
import HTTPServer
import ScreenHTTP
import ScreenService

/// The text that the server prints at its start: its address, with command lines to try.
struct Greeting {
    let address: BoundAddress
    /// The address of the port for operators, if there is one.
    var administration: BoundAddress?
    let service: ScreenService
    /// The caller whose screens are requested by the printed command lines.
    let caller: Caller
    let hasPage: Bool
    /// The development authentication of the server, if it has one.
    var development: Development?
    /// The maximum duration of computing a screen for the greeting.
    var deadline = Deadline.after(.seconds(3))

    /// The properties of development authentication that the greeting shows.
    struct Development {
        /// The path of the database beside which the key is stored.
        let database: String
        /// The command line that signs a token; `nil` if the program has no such command.
        let tokenCommand: String?
        let user: DevelopmentUser?
    }

    /// Prints the greeting. If programs read the output, the log has a line with the address instead.
    func show(by configuration: ServerConfiguration) async {
        if configuration.logFormat == .json || configuration.accessLog == AccessLog.standardOutput {
            RelistServer.logger(configuration).notice(
                "the server listens",
                metadata: administration.map { ["address": "\(address)", "adminAddress": "\($0)"] } ?? ["address": "\(address)"]
            )
            return
        }
        // `print` would buffer the lines if standard output is a pipe or a file.
        // An error is ignored, because the server can run without a reader of its output.
        try? FileHandle.standardOutput.write(contentsOf: Data(await text().utf8))
    }

    func text() async -> String {
        let operators = administration.map { " Metrics are at http://\($0)/metrics." } ?? ""
        let listens = "Relist listens on http://\(address).\(operators)"
        let names = service.catalog.offering(to: caller).screens.map(\.name).prefix(Self.shownCount)
        guard !service.catalog.names.isEmpty else { return listens + " There are no screens.\n\n" }
        // A slow screen must not delay the greeting for long.
        let changes = try? await deadline.value(of: changesLine) { _ in DeadlineFault.notComputed }
        let lines =
            names.map { "curl http://\(address)/screens/\($0)" } + [changes, development.flatMap(signedInLine)].compactMap(\.self)
        guard !lines.isEmpty else {
            guard let user = caller.user else { return listens + " Its screens are for users with a token.\n\n" }
            return listens
                + " Every caller is the user \(user), who may use none of its screens. Start it with another --authentication.\n\n"
        }
        return """
            \(listens) \(hasPage ? "Open it in a browser, or try" : "Try"):

            \(lines.map { "  \($0)\n" }.joined())

            """
    }

    /// Returns a command line that requests a screen with a token of the development user. The screen is the first one that this user may
    /// request and anonymous callers may not. If there is none, it is the first one that this user may request. If the program signs no
    /// tokens, the command line requests the tokens of the page.
    private func signedInLine(_ development: Development) -> String? {
        guard let command = development.tokenCommand, let user = development.user else {
            return "curl http://\(address)/development/users"
        }
        let names = service.catalog.offering(to: .user(user.name, claims: Claims(user.claims))).screens.map(\.name)
        let open = Set(service.catalog.offering(to: .anonymous).screens.map(\.name))
        guard let screen = names.first(where: { !open.contains($0) }) ?? names.first else { return nil }
        let database = development.database
        let beside = database == Setting.database.defaultValue ? "" : " --database \(database.shellWord)"
        let flags = "--user \(user.name.quotedIfNeeded)\(user.claimFlags)\(beside)"
        return #"curl http://\#(address)/screens/\#(screen) -H "Authorization: Bearer $(\#(command) \#(flags))""#
    }

    /// The maximum number of screens for which the greeting shows a command line.
    private static let shownCount = 2

    /// Returns a command line that requests the changes of a screen, or `nil` if no screen can be computed.
    ///
    /// The version in the command line is the version of the screen with the default values of its parameters. The query sets one
    /// parameter to another value, so that there are changes.
    ///
    /// The screen is the first one that can be computed and has a parameter with choices. If there is none, the screen is the first
    /// one that can be computed, and the command line has no query.
    ///
    /// Errors of screens are ignored, because they are reported to clients and must not keep the server from starting.
    @Sendable private func changesLine() async -> String? {
        let catalog = service.catalog
        for choice in [true, false] {
            for name in catalog.offering(to: caller).screens.map(\.name) {
                // The task is cancelled when the deadline for the greeting has passed.
                if Task.isCancelled { return nil }
                let query = choice ? catalog.otherChoice(of: name) : ""
                guard let query,
                    let view = try? catalog.view(of: name, parameters: [], locale: catalog.locales[0], caller: caller),
                    let version = try? await service.snapshot(of: view).value.version
                else { continue }
                return #"curl 'http://\#(address)/screens/\#(name)/changes\#(query)' -d '{"version":"\#(version)"}'"#
            }
        }
        return nil
    }
}

extension DevelopmentUser {
    /// The claims as flags of the command `token`, such as ` --claim role=cook`. The command signs texts and lists of texts only.
    fileprivate var claimFlags: String {
        guard case .object(let members) = claims else { return "" }
        return members.flatMap { member in
            let texts = if case .array(let elements) = member.value { elements } else { [member.value] }
            return texts.compactMap {
                if case .string(let text) = $0 { " --claim \(member.name.quotedIfNeeded)=\(text.quotedIfNeeded)" } else { nil }
            }
        }.joined()
    }
}

extension ScreenCatalog {
    /// Returns a query string, such as `?sort=height`, that sets one parameter to a choice other than its default. Returns `nil` if no
    /// parameter has such a choice.
    fileprivate func otherChoice(of screen: String) -> String? {
        for parameter in parameters(of: screen) {
            guard case .choice(let words) = parameter.type, parameter.name.isPlainWord else { continue }
            let word = words.first { $0 != parameter.defaultText && $0.isPlainWord }
            guard let word else { continue }
            return "?\(parameter.name)=\(word)"
        }
        return nil
    }
}

extension String {
    /// A Boolean value that indicates whether the text needs no quoting in a query or a shell.
    fileprivate var isPlainWord: Bool {
        !isEmpty
            && utf8.allSatisfy { character in
                switch character {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// The text as one word of a shell command.
    fileprivate var quotedIfNeeded: String { isPlainWord ? self : shellWord }

    /// The text, quoted as one word of a shell command.
    package var shellWord: String { "'" + replacing("'", with: #"'\''"#) + "'" }
}
