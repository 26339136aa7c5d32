import Glibc
import HTTPServer
import RawClient
import ScreenWire
import TemporaryDatabase
import Testing

/// Tests of a server that receives SIGTERM while clients still send requests. The results do not depend on how long the server
/// drains.
@Suite(.serialized, .timeLimit(.minutes(1))) struct DrainingTests {
    /// A load balancer that sends requests until the server is not ready.
    private struct Balancer {
        let server: RunningServer
        var answered = 0

        /// Checks whether the server is ready, and sends a request. Returns false if the server was not ready.
        mutating func turn() async throws -> Bool {
            let isReady = try await server.ask("GET", "/readyz").status == 200
            // The balancer sends this request even if it has just learnt that the server is not ready.
            let answer = try await server.ask("POST", "/screens/settings/changes", #"{"version":""}"#)
            #expect(answer.status == 200)
            answered += 1
            return isReady
        }
    }

    @Test func aLoadBalancerThatChecksReadinessLosesNoRequestDuringADrain() async throws {
        let server = try await RunningServer(in: TemporaryFolder(), drainSeconds: 3600)
        var balancer = Balancer(server: server)
        #expect(try await balancer.turn())
        await server.program.send(SIGTERM)
        while try await balancer.turn() {}
        #expect(try await server.ask("GET", "/readyz").text == "draining\n")
        #expect(await server.stop(SIGTERM).status == 128 + SIGTERM)
    }

    @Test func aDrainingServerClosesConnectionsAfterResponsesButKeepsStreams() async throws {
        let server = try await RunningServer(in: TemporaryFolder(), drainSeconds: 3600)
        let stream = try await RawClient(server.address)
        try await stream.begin("GET", "/screens/settings/changes", ["Accept": "text/event-stream"])
        #expect(try await stream.response().status == 200)
        #expect(try await stream.receivesReconnectionTime())
        #expect(try await stream.event()?.hasPrefix("event: snapshot\n") == true)
        let idle = try await RawClient(server.address)
        #expect(try await idle.ask("GET", "/healthz").headers["Connection"] == nil)

        await server.program.send(SIGTERM)
        try await untilNotReady(server)
        let answer = try await idle.ask(
            "POST", "/screens/settings/actions/rename", ["Content-Type": "application/json"],
            #"""
            {"input":{"firstName":"Wylis"}}
            """#)
        #expect(answer.status == 200)
        #expect(answer.headers["Connection"] == "close")
        #expect(try await idle.isClosed())
        #expect(try await stream.event()?.contains("Wylis") == true)
        #expect(await server.stop(SIGINT).status == 128 + SIGINT)
    }

    @Test func aServerStopsWhenTheDrainEnds() async throws {
        let server = try await RunningServer(in: TemporaryFolder(), drainSeconds: 1)
        await server.program.send(SIGTERM)
        let end = await server.program.end()
        #expect(end.status == 0)
        #expect(end.errors == "")
    }

    /// SIGINT usually comes from a person who does not want to wait.
    @Test func aServerThatReceivesSIGINTStopsWithoutDraining() async throws {
        let server = try await RunningServer(in: TemporaryFolder(), drainSeconds: 3600)
        #expect(await server.stop(SIGINT).status == 0)
    }

    /// Waits until the server is not ready. The maximum number of attempts is large enough for slow machines.
    private func untilNotReady(_ server: RunningServer) async throws {
        for _ in 0..<50_000 where try await server.ask("GET", "/readyz").status == 503 { return }
        Issue.record("the server stays ready")
    }
}
