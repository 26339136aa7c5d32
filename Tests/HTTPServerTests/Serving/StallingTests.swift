import RawClient
import Testing

@testable import HTTPServer

/// Bodies that the library can place nowhere: it would ask to be run again and again until their deadline, in vain.
@Suite(.timeLimit(.minutes(1))) struct StallingTests {
    /// Long enough for a loop that does not rest to turn a million times.
    private static let deadline = Duration.seconds(1)

    private func serve(_ body: (BoundAddress, HTTPServer) async throws -> Void) async throws {
        try await HTTPServerTests.serve({ $0.bodyDeadline = Self.deadline }) { try await body($0, $1) }
    }

    private static let chunked = "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let endless = String(repeating: "0", count: 10_300)

    @Test(arguments: [chunked + endless, chunked + "1;" + endless, chunked + "1\r\na\r\n" + endless])
    func aChunksSizeLongerThanTheMemoryIsNotEvenRead(_ request: String) async throws {
        try await serve { address, server in
            let clients = (0..<10).map { _ in Task { try await RawClient(address) } }
            for client in clients {
                let client = try await client.value
                try await client.send(request)
                #expect(try await client.response().status == 411)
                _ = try? await client.untilClosed()
            }
            #expect(server.turns < 1000)
        }
    }

    /// What the head leaves of the memory cannot be told from outside, so all that is near is tried.
    @Test func aHeadThatLeavesNoMemoryForABodyCostsNoTurns() async throws {
        try await serve { address, server in
            let clients = try await Self.stall(address)
            for client in clients { _ = try? await client.rest() }
            // The library reads the end of a long head in many turns.
            #expect(server.turns < 200 * clients.count)
        }
    }

    @Test func othersAreServedMeanwhile() async throws {
        try await HTTPServerTests.serve { address, server in
            let stalled = try await Self.stall(address)
            let before = server.turns
            for number in 0..<100 {
                let target = "/\(number)\(String(repeating: "x", count: 8000))"
                #expect(try await RawClient(address).ask(get(target)).text == "GET \(target) ")
            }
            #expect(server.turns - before < 100 * 400)
            for client in stalled { try await client.leave() }
        }
    }
    /// Clients of which one has filled the memory of its connection to the last byte.
    private static func stall(_ address: BoundAddress) async throws -> [RawClient] {
        var clients: [RawClient] = []
        for length in 9800..<10_240 {
            let client = try await RawClient(address)
            let head = "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 9\r\nX: \r\n\r\n"
            let padding = String(repeating: "x", count: length - head.utf8.count)
            try await client.send(head.replacing("X: ", with: "X: \(padding)"))
            clients.append(client)
        }
        return clients
    }
}
