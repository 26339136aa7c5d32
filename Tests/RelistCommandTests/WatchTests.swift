import Glibc
import HTTPServer
import RawClient
import RawServer
import TemporaryDatabase
import Testing

@Suite("relist watch", .timeLimit(.minutes(1))) struct WatchTests {
    private func watch(_ arguments: String...) throws -> Program {
        try Program.relist(["watch"] + arguments)
    }

    @Test func withTheOnceFlagTheWatchCommandPrintsAScreenOnceAndEnds() async throws {
        let server = try await RunningServer(in: TemporaryFolder())
        let end = try await watch("http://\(server.address)", "mountains", "q=mont blanc", "--once").end()
        #expect(end.output.hasPrefix("Mountains\n1 of 243 mountains\n  mont-blanc  Mont Blanc"), "\(end.output) \(end.errors)")
        #expect(end.output.hasSuffix(" bytes\n"))
        #expect(end.status == 0)
    }

    @Test func theWatchCommandListsTheScreensIfNoScreenIsGiven() async throws {
        let server = try await RunningServer(in: TemporaryFolder())
        let end = try await watch("http://\(server.address)").end()
        #expect(end.output.hasPrefix("settings  Settings\ndeliveries  Deliveries\n"), "\(end.output) \(end.errors)")
        #expect(end.status == 0)
    }

    @Test func eachChangeIsPrintedWithItsRowsAndItsSize() async throws {
        let server = try await RunningServer(in: TemporaryFolder())
        let program = try watch("http://\(server.address)", "settings")
        _ = await program.read { $0.contains("\nsnapshot, ") ? true : nil }
        let renamed = try await RawClient(server.address).ask(
            "POST", "/screens/settings/actions/rename", ["Content-Type": "application/json"], #"{"input":{"firstName":"Wylis"}}"#
        )
        #expect(renamed.status == 200, "\(renamed.text)")
        let output = try #require(await program.read { $0.contains("\nchangeset, ") ? $0 : nil })
        #expect(output.contains("\n~   firstName  First name  Wylis"), "\(output)")
        await program.send(SIGKILL)
    }

    @Test func anUnknownScreenAndAnUnreachableServerAreReported() async throws {
        let server = try await RunningServer(in: TemporaryFolder())
        let unknown = try await watch("http://\(server.address)", "nope", "--once").end()
        #expect(unknown.errors.hasPrefix(#"relist: There is no screen "nope"."#), "\(unknown.errors)")
        #expect(unknown.status == 69)
        _ = await server.stop(SIGKILL)
        let unreachable = try await watch("http://\(server.address)", "settings", "--once").end()
        #expect(unreachable.errors == "relist: the server cannot be reached, or it is no server of screens\n")
        #expect(unreachable.status == 69)
        let invalid = try await watch("nowhere", "settings").end()
        #expect(invalid.status == 64)
    }

    @Test func withoutATerminalTheWatchCommandEndsWithTheProblemThatStopsTheClient() async throws {
        let server = RawServer { target in
            if target.hasPrefix("/screens/words/changes") {
                let problem = #"{"type":"about:blank","title":"Forbidden","status":403,"detail":"The screen is not for you."}"#
                return .response(403, "Content-Type: application/problem+json", body: problem)
            }
            let words = #"{"kind":"snapshot","screen":"words","version":"1","layout":"table","title":"Words","sections":[]}"#
            return .response(200, "Content-Type: application/json", body: words)
        }
        defer { server.stop() }
        let end = try await watch("http://127.0.0.1:\(server.port)", "words").end()
        #expect(end.output.hasPrefix("Words\nsnapshot, "), "\(end.output)")
        #expect(end.errors == "relist: The screen is not for you.\n")
        #expect(end.status == 69)
    }
    @Test func theErrorOfAnInvalidDocumentCannotControlTheTerminal() async throws {
        let server = RawServer { _ in
            let changeset = #"{"kind":"changeset","screen":"words","from":"0","version":"1","stages":[{"\u001b]0;title\u0007":[]}]}"#
            return .response(200, "Content-Type: application/json", body: changeset)
        }
        defer { server.stop() }
        let end = try await watch("http://127.0.0.1:\(server.port)", "words", "--once").end()
        #expect(end.errors.hasPrefix("relist: the document cannot be read: ") && end.errors.contains("]0;title"), "\(end.errors)")
        #expect(!end.errors.contains("\u{1B}") && !end.errors.contains("\u{7}"))
    }
}
