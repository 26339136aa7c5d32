import Foundation
import Glibc
import HTTPServer
import RawClient
import ScreenWire
import TemporaryDatabase
import Testing

@Suite(.serialized) struct LosingTheDatabaseTests {
    @Test func everyRequestForDataIsAnsweredWith503WhileTheDatabaseIsMissing() async throws {
        let folder = try TemporaryFolder()
        let server = try await RunningServer(in: folder)
        let client = try await RawClient(server.address)
        #expect(try await connect(client) == 200)
        try FileManager.default.moveItem(atPath: folder.database, toPath: folder.path + "/hidden")
        for _ in 0..<3 {
            #expect(try await connect(client) == 503)
            #expect(try await client.ask("GET", "/screens/deliveries?from=2018-07-14").status == 503)
            #expect(try await client.ask("GET", "/readyz").status == 503)
        }
        #expect(try await client.ask("GET", "/healthz").status == 200)
        try FileManager.default.moveItem(atPath: folder.path + "/hidden", toPath: folder.database)
        #expect(try await client.ask("GET", "/readyz").status == 200)
        #expect(try await connect(client) == 200)
        let end = await server.stop(SIGTERM)
        #expect(end.status == 0)
        #expect(end.errors.split(separator: "\n").count { $0.contains("a file of the database was moved, replaced or deleted") } == 1)
    }

    private func connect(_ client: RawClient) async throws -> Int {
        try await client.ask(
            "POST", "/screens/settings/actions/connect", ["Content-Type": "application/json"], #"{"input":{}}"#
        ).status
    }
}
