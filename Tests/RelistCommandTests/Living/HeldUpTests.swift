import Glibc
import HTTPServer
import RawClient
import ScreenService
import ScreenWire
import Testing

@Suite("A replica that is held up", .serialized, .timeLimit(.minutes(2))) struct HeldUpTests {
    private static let rounds = 10
    private static let screen = "/screens/settings"

    /// It goes on with what was asked and with what others committed at the same time; either may come first.
    @Test func showsNobodyWhatWasBeforeTheirOwnWrite() async throws {
        let replicas = try await Replicas(on: .postgres)
        let late = replicas.servers[1]
        // So that the view is at hand there, and a stream could begin with it at once.
        let follower = try await Follower(of: Self.screen + "?", at: 1, of: replicas, Chronicle(hasPositions: true))
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

    /// - Returns: The token of the position at which it is there.
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
        #expect(try await client.isToldWhenToReturn())
        var held = HeldScreen()
        try held.take(try #require(try await client.event()))
        return try name(in: Array((held.document ?? "").utf8))
    }
}
