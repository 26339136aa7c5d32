import Foundation
import Glibc
import RawServer
import Synchronization
import Testing

/// Tests of the program in a pseudo-terminal.
@Suite("relist watch in a terminal", .timeLimit(.minutes(1))) struct WatchedTerminalTests {
    private static let end = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    private static let snapshot =
        #"{"kind":"snapshot","screen":"x","version":"v1","layout":"table","title":"Words","sections":[{"id":"s","cells":["#
        + #"{"id":"a","type":"row","title":"Alpha","action":{"name":"rename","input":{"name":"old"}}},"#
        + #"{"id":"b","type":"row","title":"Beta","action":{"name":"wipe"}}]}]}"#
    private static let catalog =
        #"{"screens":[{"name":"x","title":"X","description":"","revisions":{"oldest":1,"newest":1},"parameters":[],"actions":["#
        + #"{"name":"rename","title":"Rename","description":"","input":[{"name":"name","title":"New name","type":"text","source":"user","#
        + #""required":true,"shape":"a text"}]},{"name":"wipe","title":"Wipe","description":"","input":[]}]}],"locales":["en"]}"#
    private static let problem = #"{"type":"about:blank","title":"Odd","status":400,"detail":"That is odd."}"#

    /// Starts a server of the screen `x`. The parameters are its answers to actions, to requests for the list of screens, and to requests
    /// for streams.
    private func server(
        action: @escaping @Sendable () -> RawServer.Answer = { .silence },
        snapshot: @escaping @Sendable () -> String = { Self.snapshot },
        catalog: @escaping @Sendable () -> RawServer.Answer = { .response(200, "Content-Type: application/json", body: Self.catalog) },
        stream: @escaping @Sendable () -> RawServer.Answer = { .script(Self.live) }
    ) -> RawServer {
        RawServer { target in
            if target.contains("/actions/") { return action() }
            if target.contains("/changes") { return stream() }
            return target == "/screens" ? catalog() : .response(200, "Content-Type: application/json", body: snapshot())
        }
    }

    @Sendable private static func live(_ connection: RawServer.Connection) {
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: current\ndata: {\"version\":\"v1\"}\n\n")
        connection.waitForDeparture()
    }

    private func watch(_ server: RawServer, in terminal: PseudoTerminal) throws -> Program {
        try Program.relist(["watch", "http://127.0.0.1:\(server.port)", "x"], in: terminal)
    }

    private func actions(of server: RawServer) -> [String] { server.heads.filter { $0.contains("/actions/") } }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT]) func aSignalEndsTheProgramAndRestoresTheTerminal(signal: Int32) async throws {
        let (server, terminal) = (server(), try PseudoTerminal())
        defer { server.stop() }
        let program = try watch(server, in: terminal)
        try await program.shows("live")
        #expect(!terminal.echoes)
        await program.send(signal)
        try await program.shows(Self.end)
        let end = await program.end()
        #expect(end.status == 0 && end.errors == "" && terminal.echoes)
    }

    @Test func aSecondSignalEndsTheProgramIfTheTerminalTakesNoBytes() async throws {
        let server = server()
        defer { server.stop() }
        // The page is longer than the buffer of a terminal, so the program waits until its output is read.
        let terminal = try PseudoTerminal(rows: 65535)
        let program = try watch(server, in: terminal)
        try await program.shows("x")
        await program.send(SIGTERM)
        await program.send(SIGINT)
        await program.endWithoutReading()
        #expect(await [128 + SIGTERM, 128 + SIGINT].contains(program.end().status) && terminal.echoes)
    }

    @Test func anActionThatIsNotSentIsReportedWithItsReason() async throws {
        let isFirst = Mutex(true)
        let server = server(stream: {
            isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst ? .response(404) : .silence
            }
        })
        defer { server.stop() }
        let terminal = try PseudoTerminal(columns: 200)
        let program = try watch(server, in: terminal)
        try await program.shows("offline, tries again by ")
        try await program.shows("connecting …")
        terminal.type("j\r")
        try await program.shows("“Wipe” was not sent, because the server cannot be reached.")
        terminal.type("q")
        #expect(await program.end().status == 0 && actions(of: server).isEmpty)
    }

    @Test func anActionIsNotSentBeforeItsFieldsAreKnown() async throws {
        let fails = Mutex(true)
        let server = server(catalog: {
            fails.withLock { $0 } ? .response(503) : .response(200, "Content-Type: application/json", body: Self.catalog)
        })
        defer { server.stop() }
        let terminal = try PseudoTerminal(columns: 200)
        let program = try watch(server, in: terminal)
        try await program.shows("Alpha")
        terminal.type("\r")
        try await program.shows("Nothing was sent, because the list of screens cannot be loaded: the server responded with status 503")
        fails.withLock { $0 = false }
        terminal.type("\r")
        try await program.shows("New name: old▏")
        terminal.type("\u{1B}")
        try await program.shows("“Rename” was not sent.")
        terminal.type("q")
        #expect(await program.end().status == 0 && actions(of: server).isEmpty)
    }

    @Test func anActionInProgressIsShownAndReportedWhenTheUserQuits() async throws {
        let (server, terminal) = (server(), try PseudoTerminal())
        defer { server.stop() }
        let program = try watch(server, in: terminal)
        try await program.shows("live")
        terminal.type("\u{1B}[B\r")
        try await program.shows("“Wipe” in progress …")
        while let target = await server.arrival(), !target.contains("/actions/wipe") {}
        terminal.type("\r")
        try await program.shows("“Wipe” was not sent a second time.")
        terminal.type("q")
        try await program.shows(Self.end)
        let end = await program.end()
        #expect(end.errors == "relist: The outcome of “Wipe” is not known. Check the screen before you send anything again.\n")
        #expect(end.status == 75 && terminal.echoes && actions(of: server).count == 1)
    }

    @Test func anUndecidedActionIsSentAgainWithTheSameKey() async throws {
        let answers = Mutex([RawServer.Answer.response(400, "Content-Type: application/problem+json", body: Self.problem), .response(204)])
        let server = server(action: { answers.withLock { $0.removeFirst() } })
        defer { server.stop() }
        let terminal = try PseudoTerminal(columns: 120)
        let program = try watch(server, in: terminal)
        try await program.shows("live")
        terminal.type("j\r")
        try await program.shows("The outcome of “Wipe” is not known: s sends again, d dismisses.")
        try await program.shows("The outcome of “Wipe” is not known: That is odd.")
        terminal.type("s")
        try await program.shows("“Wipe” was performed.")
        terminal.type("q")
        #expect(await program.end().status == 0)
        let keys = actions(of: server).flatMap { $0.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("idempotency-key:") } }
        #expect(keys.count == 2 && keys.first == keys.last)
    }

    @Test func aDateIsDrawnAgainWhenItsTextChangesWithoutARequest() async throws {
        let server = server(snapshot: {
            // In three seconds, the text changes from seconds to "1 min. ago".
            let placed = Date.now.addingTimeInterval(-57).formatted(.iso8601)
            return Self.snapshot.replacing(#""title":"Alpha""#, with: #""placed":{"$date":"\#(placed)","style":"relative"}"#)
        })
        defer { server.stop() }
        let terminal = try PseudoTerminal()
        let program = try watch(server, in: terminal)
        try await program.shows("live")
        let requests = { server.heads.filter { $0.contains("/screens/x") }.count }
        let count = requests()
        try await program.shows("1 min. ago")
        #expect(requests() == count)
        terminal.type("q")
        #expect(await program.end().status == 0)
    }

    @Test func theTerminalIsDrawnAgainAfterItsSizeChanges() async throws {
        let (server, terminal) = (server(), try PseudoTerminal())
        defer { server.stop() }
        let program = try watch(server, in: terminal)
        try await program.shows("live")
        terminal.resize(rows: 3, columns: 20)
        await program.send(SIGWINCH)
        try await program.shows("↑ ↓ select   ⏎ open \u{1B}[0m")
        await program.send(SIGTERM)
        #expect(await program.end().status == 0)
    }

    @Test func quittingAfterTheClientStoppedReportsTheReason() async throws {
        let problem = #"{"type":"about:blank","title":"Forbidden","status":403,"detail":"The screen is not for you."}"#
        let server = server(stream: { .response(403, "Content-Type: application/problem+json", body: problem) })
        defer { server.stop() }
        let terminal = try PseudoTerminal()
        let program = try watch(server, in: terminal)
        try await program.shows("stopped: The screen is not for you.")
        terminal.type("q")
        let end = await program.end()
        #expect(end.errors == "relist: The screen is not for you.\n" && end.status == 69)
    }
}
