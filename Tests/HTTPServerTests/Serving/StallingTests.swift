import RawClient
import Testing

@testable import HTTPServer

/// Bodies that the library can place nowhere. It would ask to be run again and again until their deadline, in vain.
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

    @Test func aHeadThatLeavesNoMemoryForABodyIsRefused() async throws {
        try await serve { address, _ in
            for length in stride(from: 8200, to: 9600, by: 100) {
                let client = try await RawClient(address, sending: Self.head(length))
                #expect(try await client.response().status == 431)
                #expect(try await client.untilClosed() == "")
            }
        }
    }

    /// What they leave of the memory cannot be told from outside, so all that is near is tried.
    @Test func emptyLinesThatLeaveNoMemoryForABodyCostNoTurns() async throws {
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
                let target = "/\(number)\(String(repeating: "x", count: 7000))"
                #expect(try await RawClient(address).ask(get(target)).text == "GET \(target) ")
            }
            #expect(server.turns - before < 100 * 400)
            for client in stalled { try await client.leave() }
        }
    }

    @Test func theyDoNotDelayTheStop() async throws {
        try await HTTPServerTests.serve { address, server in
            let stalled = try await Self.stall(address)
            await server.stop(grace: .zero)
            for client in stalled { _ = try? await client.rest() }
        }
    }

    /// Clients of which one has filled the memory of its connection to the last byte.
    private static func stall(_ address: BoundAddress) async throws -> [RawClient] {
        var clients: [RawClient] = []
        for length in 9800..<10_240 {
            let head = head(1000)
            let client = try await RawClient(address)
            try await client.send(String(repeating: "\n", count: length - head.utf8.count) + head)
            clients.append(client)
        }
        return clients
    }

    private static func head(_ length: Int) -> String {
        let head = "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 9\r\nX: \r\n\r\n"
        return head.replacing("X: ", with: "X: \(String(repeating: "x", count: length - head.utf8.count))")
    }
}
