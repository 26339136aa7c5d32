import ArgumentParser
import Foundation
import HTTPServer
import RawClient
import ScreenModel
import TemporaryDatabase

@testable import Relist
@testable import ScreenService

extension ServerConfiguration {
    static func toTest(in folder: TemporaryFolder, _ flags: [String] = []) throws -> ServerConfiguration {
        let all = ["--port", "0", "--database", folder.database, "--drain-seconds", "0", "--log-level", "critical"] + flags
        return try ServerConfiguration(ServeOptions.parse(all), environment: [:])
    }
}

extension RelistServer {
    /// Runs the server until `body` returns.
    func running(in folder: TemporaryFolder, _ flags: [String] = [], _ body: (Greeting) async throws -> Void) async throws {
        let configuration = try ServerConfiguration.toTest(in: folder, flags)
        let (greetings, greeting) = AsyncStream.makeStream(of: Greeting.self)
        let (asking, asked) = AsyncStream.makeStream(of: Void.self)
        let served = Task {
            defer { greeting.finish() }
            try await serve(configuration, greeting: { greeting.yield($0) }) {
                for await _ in asking {}
                return SIGINT
            }
        }
        for await greeting in greetings {
            defer { asked.finish() }
            try await body(greeting)
            break
        }
        try await served.value
    }
}

func get(_ target: String, _ address: BoundAddress, _ headers: Headers = [:]) async throws -> RawResponse {
    try await RawClient(address).ask(Request(method: "GET", target: target, headers: headers))
}

/// A screen without content.
struct Words: Screen {
    static let name = "words"
    let visibility = Visibility.everyone
    let isStatic = true

    let title: Text = "Words"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Never>> {
        ScreenContent(title: title.in(request.locale), model: TableViewModel(sections: []))
    }
}
