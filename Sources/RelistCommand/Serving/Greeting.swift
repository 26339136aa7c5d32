import Foundation
import HTTPServer
import ScreenService

/// What the server says at its start: where it listens, with lines to try that work as they stand.
struct Greeting {
    let address: BoundAddress
    let service: ScreenService
    /// Who is shown asking.
    let caller: Caller

    func show() async {
        // Not `print`: into a pipe or a file that would keep the lines until there are many.
        // Where nobody can read it, the server runs all the same.
        try? FileHandle.standardOutput.write(contentsOf: Data(await text().utf8))
    }

    func text() async -> String {
        let lines = ["curl http://\(address)/screens/deliveries"] + [await changesLine()].compactMap { $0 }
        return """
            Relist listens on http://\(address). Open it in a browser, or try:

            \(lines.map { "  \($0)\n" }.joined())

            """
    }

    /// It needs a version. Nil while the data is out of reach, or whatever else is wrong with the screen: that
    /// is for who asks for it to hear, and nothing that a server should end for.
    private func changesLine() async -> String? {
        let catalog = service.catalog
        guard let view = try? catalog.view(of: "settings", parameters: [], locale: catalog.locales[0], caller: caller),
            let version = try? await service.snapshot(of: view).value.version
        else { return nil }
        return #"curl 'http://\#(address)/screens/settings/changes?layout=merged' -d '{"version":"\#(version)"}'"#
    }
}
