import Foundation
import HTTPServer
import ScreenService

/// Says where the server listens, with two lines to try that work as they stand.
struct Greeting {
    let address: BoundAddress
    let service: ScreenService
    let user: String

    func show() async throws {
        let view = try service.catalog.view(of: "settings", parameters: [], locale: service.catalog.locales[0], user: user)
        let version = try await service.snapshot(of: view).version
        // Not `print`: into a pipe or a file that would keep the lines until there are many.
        let text = """
            Relist listens on http://\(address). Open it in a browser, or try:

              curl http://\(address)/screens/deliveries
              curl 'http://\(address)/screens/settings/changes?layout=merged' -d '{"version":"\(version)"}'


            """
        // Where nobody can read it, the server runs all the same.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
