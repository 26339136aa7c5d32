import Foundation
import HTTPServer
import ScreenService

/// What the server says at its start: where it listens, with lines to try.
struct Greeting {
    let address: BoundAddress
    let service: ScreenService
    /// Who is shown asking.
    let caller: Caller
    let hasPage: Bool
    /// The database beside which the key of development lies; nil where there is none.
    var developmentDatabase: String?
    /// How long it may take to find a version to show.
    var deadline = Deadline.after(.seconds(3))

    func show() async {
        // Not `print`: into a pipe or a file that would keep the lines until there are many.
        // Where nobody can read it, the server runs all the same.
        try? FileHandle.standardOutput.write(contentsOf: Data(await text().utf8))
    }

    func text() async -> String {
        let listens = "Relist listens on http://\(address)."
        let names = service.catalog.offering(to: caller).screens.map(\.name).prefix(Self.shownCount)
        guard !service.catalog.names.isEmpty else { return listens + " There are no screens.\n\n" }
        // Nobody waits for a screen to hear where it is.
        let changes = try? await deadline.value(of: changesLine) { _ in DeadlineFault.notComputed }
        let lines = names.map { "curl http://\(address)/screens/\($0)" } + [changes, developmentDatabase.flatMap(signedInLine)].compactMap(\.self)
        guard !lines.isEmpty else { return listens + " Its screens are for users, who say who they are by tokens.\n\n" }
        return """
            \(listens) \(hasPage ? "Open it in a browser, or try" : "Try"):

            \(lines.map { "  \($0)\n" }.joined())

            """
    }

    /// How a user asks for a screen that nobody known may have; the first of all where there is none such.
    private func signedInLine(_ database: String) -> String? {
        let names = service.catalog.names
        let open = Set(service.catalog.offering(to: .nobody).screens.map(\.name))
        guard let name = names.first(where: { !open.contains($0) }) ?? names.first else { return nil }
        let word = "'" + database.replacing("'", with: #"'\''"#) + "'"
        let beside = database == Setting.database.defaultValue ? "" : " --database \(word)"
        let program = CommandLine.arguments.first.flatMap { $0.hasSuffix("/relist") ? $0 : nil } ?? "relist"
        return #"curl http://\#(address)/screens/\#(name) -H "Authorization: Bearer $(\#(program) token --user alice\#(beside))""#
    }

    /// Of how many screens a line is shown.
    private static let shownCount = 2

    /// What changes from the first screen that can be computed, as it is, to what one of its parameters makes of it. It needs a
    /// version: nil while the data is out of reach, or whatever else is wrong with the screens. That is for who asks for
    /// them to hear, and nothing that a server should end for.
    @Sendable private func changesLine() async -> String? {
        let catalog = service.catalog
        for choice in [true, false] {
            for name in catalog.offering(to: caller).screens.map(\.name) {
                // Nobody waits for it any more.
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

extension ScreenCatalog {
    /// The query for a word that a parameter of a screen does not have by default; nil where none is a choice of words.
    fileprivate func otherChoice(of screen: String) -> String? {
        for parameter in parameters(of: screen) {
            guard case .choice(let words) = parameter.type, parameter.name.utf8.allSatisfy(isPlain) else { continue }
            let word = words.first { $0 != parameter.defaultText && $0.utf8.allSatisfy(isPlain) }
            guard let word else { continue }
            return "?\(parameter.name)=\(word)"
        }
        return nil
    }

    /// Whether it stands for itself in a query and at a shell.
    private func isPlain(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
