import Glibc
import HTTPServer
import RawClient
import ScreenService
import ScreenWire
import Testing

@Suite("A replica that is paused", .serialized, .timeLimit(.minutes(2))) struct PausedReplicaTests {
    private static let rounds = 10
    private static let screen = "/screens/settings"

    /// After a pause, a replica may process a request before it receives earlier commits of other replicas.
    @Test func aPausedReplicaNeverShowsAClientTheStateBeforeTheClientsWrite() async throws {
        let replicas = try await Replicas(on: .postgres)
        let late = replicas.servers[1]
        // The follower keeps the view cached at the replica. So a stream could immediately begin with the outdated cached view.
        let follower = try await Follower(of: Self.screen + "?", at: 1, of: replicas, ConsistencyLog(hasPositions: true))
        let following = Task { try await follower.follow() }
        for round in 1...Self.rounds {
            _ = try await replicas.get(Self.screen, from: 1)
            await late.program.send(SIGSTOP)
            let position = try await rename("Number \(round)", at: replicas.servers[0])
            let asked = [
                try await ask(late, Self.screen, position), try await ask(late, Self.screen + "/changes", position),
                try await ask(late, Self.screen + "/changes", position, "text/event-stream"),
            ]
            await late.program.send(SIGCONT)
            for client in asked.dropLast() { #expect(try name(in: try await client.response().body) == "Number \(round)") }
            #expect(try await name(inFirstEventTo: asked[2]) == "Number \(round)")
        }
        await replicas.stop()
        _ = try await following.value
    }

    /// Performs the action that changes the user's name.
    ///
    /// - Returns: the token in the response, which stands for the position of the commit.
    private func rename(_ name: String, at server: RunningServer) async throws -> String {
        let answer = try await RawClient(server.address).ask(
            "POST", Self.screen + "/actions/rename", ["Content-Type": "application/json"], #"{"input":{"firstName":"\#(name)"}}"#
        )
        return try #require(answer.headers[Replicas.positionField])
    }

    private func ask(
        _ server: RunningServer, _ target: String, _ position: String, _ type: String = "application/json"
    ) async throws -> RawClient {
        let client = try await RawClient(server.address)
        try await client.begin("GET", target, ["Accept": type, Replicas.positionField: position])
        return client
    }

    private func name(in document: [UInt8]) throws -> String? {
        Facts(of: try JSONReader.read(document), isWhole: true).values["firstName"]
    }

    private func name(inFirstEventTo client: RawClient) async throws -> String? {
        #expect(try await client.response().status == 200)
        #expect(try await client.receivesReconnectionTime())
        var held = HeldScreen()
        try held.applyEvent(try #require(try await client.event()))
        return try name(in: Array((held.document ?? "").utf8))
    }
}
