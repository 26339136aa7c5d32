import Glibc
import HTTPServer
import RawClient
import ScreenWire
import TemporaryDatabase
import Testing

/// A server that was asked to stop while others still send to it. How long it drains never decides what comes out.
@Suite(.serialized, .timeLimit(.minutes(1))) struct DrainingTests {
    /// Sends each request over a connection of its own, until the server says that it is not ready.
    private struct Balancer {
        let server: RunningServer
        var answered = 0

        /// Asks whether the server is ready, and sends a request if it is. False once it is not.
        mutating func turn() async throws -> Bool {
            let isReady = try await server.ask("GET", "/readyz").status == 200
            // Is under way while others hear that the server is not ready.
            let answer = try await server.ask("POST", "/screens/settings/changes", #"{"version":""}"#)
            #expect(answer.status == 200)
            answered += 1
            return isReady
        }
    }

    @Test func whoStopsSendingWhenItIsNotReadyLosesNoRequest() async throws {
        let server = try await RunningServer(in: TemporaryFolder(), drainSeconds: 3600)
        var balancer = Balancer(server: server)
        #expect(try await balancer.turn())
        await server.program.send(SIGTERM)
        while try await balancer.turn() {}
        #expect(try await server.ask("GET", "/readyz").text == "draining\n")
        #expect(await server.stop(SIGTERM).status == 128 + SIGTERM)
    }

    @Test func whileItDrainsEachAnswerEndsItsConnectionAndStreamsGoOn() async throws {
        let server = try await RunningServer(in: TemporaryFolder(), drainSeconds: 3600)
        let stream = try await RawClient(server.address)
        try await stream.begin("GET", "/screens/settings/changes", ["Accept": "text/event-stream"])
        #expect(try await stream.response().status == 200)
        #expect(try await stream.isToldWhenToReturn())
        #expect(try await stream.event()?.hasPrefix("event: snapshot\n") == true)
        let idle = try await RawClient(server.address)
        #expect(try await idle.ask("GET", "/healthz").headers["Connection"] == nil)

        await server.program.send(SIGTERM)
        try await untilNotReady(server)
        let answer = try await idle.ask("POST", "/screens/settings/actions/rename", ["Content-Type": "application/json"], #"""
            {"input":{"firstName":"Wylis"}}
            """#)
        #expect(answer.status == 200)
        #expect(answer.headers["Connection"] == "close")
        #expect(try await idle.isClosed())
        #expect(try await stream.event()?.contains("Wylis") == true)
        #expect(await server.stop(SIGINT).status == 128 + SIGINT)
    }

    @Test func whenItHasDrainedItStops() async throws {
        let server = try await RunningServer(in: TemporaryFolder(), drainSeconds: 1)
        let stream = try await RawClient(server.address)
        try await stream.begin("GET", "/screens/settings/changes", ["Accept": "text/event-stream"])
        #expect(try await stream.response().status == 200)
        #expect(try await stream.isToldWhenToReturn())
        #expect(try await stream.event()?.hasPrefix("event: snapshot\n") == true)
        await server.program.send(SIGTERM)
        #expect(try await stream.isToldWhenToReturn())
        #expect(try await stream.event() == nil)
        let end = await server.program.end()
        #expect(end.status == 0)
        #expect(end.errors == "")
    }

    /// Nobody sends SIGINT but a person, who does not want to wait.
    @Test func aPersonNeedNotWaitForTheDraining() async throws {
        let server = try await RunningServer(in: TemporaryFolder(), drainSeconds: 3600)
        #expect(await server.stop(SIGINT).status == 0)
    }

    @Test(arguments: [(SIGTERM, SIGTERM), (SIGTERM, SIGINT)])
    func aSecondSignalEndsItAtOnce(_ first: Int32, _ second: Int32) async throws {
        let server = try await RunningServer(in: TemporaryFolder(), drainSeconds: 3600)
        await server.program.send(first)
        try await untilNotReady(server)
        #expect(await server.stop(second).status == 128 + second)
    }

    /// So often at most that a machine, however slow, should be done by then.
    private func untilNotReady(_ server: RunningServer) async throws {
        for _ in 0..<50_000 where try await server.ask("GET", "/readyz").status == 503 { return }
        Issue.record("the server stays ready")
    }
}
