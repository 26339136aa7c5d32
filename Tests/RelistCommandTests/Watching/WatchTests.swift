import Glibc
import HTTPServer
import RawClient
import RawServer
import Synchronization
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
        let cause = "its name has no address, or no connection was established"
        #expect(unreachable.errors == "relist: the server cannot be reached: \(cause); check the URL and the server\n")
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
        #expect(end.errors.hasPrefix("relist: the document of the server cannot be read: /stages/0/"), "\(end.errors)")
        #expect(end.errors.contains("]0;title"), "\(end.errors)")
        #expect(!end.errors.contains("\u{1B}") && !end.errors.contains("\u{7}"))
    }

    @Test func theTypeOfAStreamCannotControlTheTerminal() async throws {
        let server = RawServer { target in
            let words = #"{"kind":"snapshot","screen":"words","version":"1","layout":"table","sections":[]}"#
            let type = target.contains("/changes") ? "x\u{1B}]0;title\u{7}" : "application/json"
            return .response(200, "Content-Type: \(type)", body: words)
        }
        defer { server.stop() }
        let program = try Program.relist(["watch", "http://127.0.0.1:\(server.port)", "words"], redirections: "2>&1")
        let output = try #require(await program.read { $0.contains("relist: offline") && $0.hasSuffix("\n") ? $0 : nil })
        #expect(output.contains("the type x ]0;title") && !output.contains("\u{1B}") && !output.contains("\u{7}"), "\(output)")
        await program.send(SIGKILL)
    }

    @Test func withTheOnceFlagTheCommandEndsIfTheServerSendsNoSnapshot() async throws {
        let server = RawServer { _ in
            let changeset = #"{"kind":"changeset","screen":"words","from":"0","version":"1","stages":[]}"#
            return .response(200, "Content-Type: application/json", body: changeset)
        }
        defer { server.stop() }
        let end = try await watch("http://127.0.0.1:\(server.port)", "words", "--once").end()
        #expect(end.errors == "relist: the server sends no snapshot of the screen, only changes from a version that was not requested\n")
        #expect(end.status == 69)
    }

    @Test func aResponseThatIsNoDocumentIsReportedWithItsStatusAndMediaType() async throws {
        let server = RawServer(.response(200, "Content-Type: text/html", body: "<html>"))
        defer { server.stop() }
        let end = try await watch("http://127.0.0.1:\(server.port)", "words", "--once").end()
        #expect(end.errors.contains("it responded with status 200 and the type text/html"), "\(end.errors)")
        #expect(end.status == 69)
    }

    @Test func theErrorForTheURLOfAScreenAsksForSeparateArguments() async throws {
        let problem = #"{"type":"about:blank","title":"No","status":404,"detail":"None."}"#
        let server = RawServer(.response(404, "Content-Type: application/problem+json", body: problem))
        defer { server.stop() }
        let end = try await watch("http://127.0.0.1:\(server.port)/screens/wifi").end()
        #expect(end.errors.contains("write the base URL and the name of the screen separately"), "\(end.errors)")
        for arguments in [["http://127.0.0.1:1?x=1"], ["http://127.0.0.1:1", ""]] {
            #expect(try await Program.relist(["watch"] + arguments).end().status == 64)
        }
    }

    @Test func aDetailOfAProblemIsPrintedOnce() async throws {
        let errors = #"[{"parameter":"foo","detail":"No."},{"parameter":"b","detail":"B."}]"#
        let problem = #"{"type":"about:blank","title":"Bad","status":400,"detail":"foo: No.","errors":\#(errors)}"#
        let server = RawServer(.response(400, "Content-Type: application/problem+json", body: problem))
        defer { server.stop() }
        let end = try await watch("http://127.0.0.1:\(server.port)", "words", "--once").end()
        #expect(end.errors == "relist: foo: No. B.\n")
    }

    @Test func anOutputThatCannotBeWrittenIsReported() async throws {
        let server = try await RunningServer(in: TemporaryFolder())
        let end = try await Program.relist(["watch", "http://\(server.address)", "mountains"], redirections: "> /dev/full").end()
        #expect(end.errors == "relist: standard output cannot be written: No space left on device\n" && end.status == 74)
    }

    @Test func standardErrorReportsTheLossAndTheReturnOfTheConnection() async throws {
        let streams = Mutex(0)
        let server = RawServer { target in
            guard target.hasPrefix("/screens/words/changes") else {
                let words = #"{"kind":"snapshot","screen":"words","version":"1","layout":"table","sections":[]}"#
                return .response(200, "Content-Type: application/json", body: words)
            }
            let number = streams.withLock { count in
                count += 1
                return count
            }
            if number == 2 { return .response(503, "Content-Type: text/plain", body: "busy") }
            return .script { connection in
                let current = "event: current\ndata: {\"version\":\"1\"}\n\n"
                connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + current)
                if number > 2 { connection.waitForDeparture() }
            }
        }
        defer { server.stop() }
        let program = try Program.relist(["watch", "http://127.0.0.1:\(server.port)", "words"], redirections: "2>&1")
        let output = try #require(await program.read { $0.contains("current again\n") ? $0 : nil })
        let lines = output.split(separator: "\n").filter { $0.hasPrefix("relist: ") }
        #expect(lines.first?.hasPrefix("relist: offline, tries again by ") == true, "\(output)")
        #expect(lines.count == 2 && lines.last == "relist: the screen is current again", "\(output)")
        await program.send(SIGKILL)
    }
}
