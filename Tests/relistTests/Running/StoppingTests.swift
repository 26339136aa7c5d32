import Glibc
import ScreenWire
import Testing

@Suite(.serialized) struct StoppingTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalEndsTheServerCleanly(_ signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let server = try await RunningServer(in: folder)
        #expect(try await server.get("/screens/settings")["kind"] == .string("snapshot"))
        let end = await server.stop(signal)
        #expect(end.status == 0)
        #expect(end.errors == "")
        // The log was emptied into the database, and nobody holds the lock.
        #expect(try folder.files == ["test.sqlite", "test.sqlite.lock"])
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func aVersionThatWasHandedOutBeforeARestartIsKnownAfterIt(_ signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let first = try await RunningServer(in: folder)
        let version = try #require(try await first.get("/screens/settings")["version"])
        guard case .string(let text) = version else { return }
        // A clean stop writes what is not written yet; after a kill, only what was written is known.
        if signal == SIGKILL { try await first.untilVersionsAreWritten() }
        #expect(await first.stop(signal).status == (signal == SIGKILL ? -SIGKILL : 0))

        let second = try await RunningServer(in: folder)
        let changeset = try await second.changes("/screens/settings/changes?layout=merged", since: text)
        #expect(changeset["kind"] == .string("changeset"))
        #expect(changeset["from"] == version)
        #expect(try await second.get("/screens/settings")["version"] == version)
        #expect(await second.stop(SIGTERM).status == 0)
    }
}
