import Dispatch
import Foundation
import Glibc
import HTTPServer
import RawClient
import RawServer
import ScreenWire
import TemporaryDatabase
import Testing

@Suite(.serialized, .timeLimit(.minutes(1))) struct StoppingTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalStopsTheServerCleanly(_ signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let server = try await RunningServer(in: folder)
        #expect(try await server.get("/screens/settings")["kind"] == .string("snapshot"))
        let end = await server.stop(signal)
        #expect(end.status == 0)
        #expect(end.errors == "")
        // A clean stop merges the write-ahead log into the database and releases the lock.
        #expect(try folder.files == ["test.sqlite", "test.sqlite.lock"])
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func aServerSendsChangesFromAVersionThatWasStoredBeforeARestart(_ signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let first = try await RunningServer(in: folder)
        let version = try #require(try await first.get("/screens/settings")["version"])
        guard case .string(let text) = version else { return }
        // A clean stop writes pending versions. After SIGKILL, only versions that were already written are known.
        if signal == SIGKILL { try await first.until("history_unwritten", is: 0) }
        #expect(await first.stop(signal).status == (signal == SIGKILL ? -SIGKILL : 0))

        let second = try await RunningServer(in: folder)
        let changeset = try await second.changes("/screens/settings/changes?layout=merged", since: text)
        #expect(changeset["kind"] == .string("changeset"))
        #expect(changeset["from"] == version)
        #expect(try await second.get("/screens/settings")["version"] == version)
        #expect(await second.stop(SIGTERM).status == 0)
    }

    @Test func aStoppingServerEndsStreamsAndAnswersPendingRequests() async throws {
        let (folder, gate) = (try TemporaryFolder(), DispatchSemaphore(value: 0))
        let upstream = RawServer { _ in
            gate.wait()
            return .response(200, "Content-Type: application/json", body: "[]")
        }
        defer { upstream.stop() }
        let server = try await RunningServer(in: folder, "--posts-upstream", upstream.url.absoluteString)

        var streams: [RawClient] = []
        for screen in ["settings", "deliveries", "mountains"] { streams.append(try await listen(server, "/screens/\(screen)")) }
        let waiting = try await RawClient(server.address)
        let held = try #require(try await server.get("/screens/artist")["version"]?.text)
        try await waiting.begin("GET", "/screens/artist/changes?version=\(held)", ["Prefer": "wait=60"])
        try await server.until("followed_views", is: 4)
        let idle = try await RawClient(server.address)
        #expect(try await idle.ask("GET", "/healthz").status == 200)
        let underWay = try await RawClient(server.address)
        try await underWay.begin("GET", "/screens/posts")
        #expect(await upstream.arrival() != nil)

        await server.program.send(SIGTERM)
        for stream in streams {
            #expect(try await stream.receivesReconnectionTime())
            #expect(try await stream.event() == nil)
        }
        #expect(try await idle.isClosed())
        let unchanged = try await waiting.response()
        #expect(unchanged.status == 200)
        #expect(try JSONReader.read(unchanged.body)["stages"] == .array([]))
        gate.signal()
        let late = try await underWay.response()
        #expect(late.status == 200)
        #expect(try JSONReader.read(late.body)["screen"] == .string("posts"))
        #expect(try await underWay.isClosed())
        let end = await server.program.end()
        #expect(end.status == 0)
        #expect(end.errors == "")
        #expect(try folder.files == ["test.sqlite", "test.sqlite.lock"])
    }

    @Test func aStoppingServerWithoutAGracePeriodInterruptsPendingRequests() async throws {
        let upstream = RawServer(.silence)
        defer { upstream.stop() }
        let server = try await RunningServer(
            in: TemporaryFolder(), "--posts-upstream", upstream.url.absoluteString, "--grace-seconds", "0"
        )
        let underWay = try await RawClient(server.address)
        try await underWay.begin("GET", "/screens/posts")
        #expect(await upstream.arrival() != nil)
        await server.program.send(SIGTERM)
        #expect(try await underWay.isClosed())
        #expect(await server.program.end().status == 0)
    }

    /// Opens a stream. The server has no document to send on it, because the client already holds the newest version.
    private func listen(_ server: RunningServer, _ target: String) async throws -> RawClient {
        let version = try #require(try await server.get(target)["version"]?.text)
        let client = try await RawClient(server.address)
        try await client.begin("GET", "\(target)/changes?version=\(version)", ["Accept": "text/event-stream"])
        #expect(try await client.response().status == 200)
        #expect(try await client.receivesReconnectionTime())
        #expect(try await client.event()?.hasPrefix("event: current\n") == true)
        return client
    }
}
