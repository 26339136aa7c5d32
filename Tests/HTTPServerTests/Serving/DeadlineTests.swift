import HTTPServer
import Testing

/// The deadlines are short and the tests wait for the close, so they take as long as those.
@Suite struct DeadlineTests {
    /// The deadline under test is the only one that can pass while a test runs.
    private func serve(
        _ deadline: WritableKeyPath<HTTPServer.Configuration, Duration>,
        _ body: (BoundAddress) async throws -> Void
    ) async throws {
        try await HTTPServerTests.serve({ configuration in
            configuration.idleTimeout = .seconds(1000)
            configuration.headerDeadline = .seconds(1000)
            configuration.bodyDeadline = .seconds(1000)
            configuration[keyPath: deadline] = .milliseconds(100)
        }) { address, _ in try await body(address) }
    }

    @Test func aConnectionThatSendsNothingIsCut() async throws {
        try await serve(\.headerDeadline) { address in
            let client = try await Client(address)
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test(arguments: ["GET", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: test\r\nX"])
    func aHeadThatDoesNotEndIsCut(_ head: String) async throws {
        try await serve(\.headerDeadline) { address in
            let client = try await Client(address)
            try await client.send(head)
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aHeadThatDoesNotEndIsCutOnAConnectionThatWasUsedBefore() async throws {
        try await serve(\.headerDeadline) { address in
            let client = try await Client(address)
            #expect(try await client.ask(get("/")).status == 200)
            try await client.send("GET / HTTP/1.1\r\nHost: test\r\n")
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test(arguments: ["Content-Length: 5\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"])
    func aBodyThatDoesNotEndIsCut(_ rest: String) async throws {
        try await serve(\.bodyDeadline) { address in
            let client = try await Client(address)
            try await client.send("POST / HTTP/1.1\r\nHost: test\r\n\(rest)")
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aConnectionThatLiesIdleIsClosed() async throws {
        try await serve(\.idleTimeout) { address in
            let client = try await Client(address)
            #expect(try await client.ask(get("/")).status == 200)
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func noDeadlineHoldsForAnAnswerThatTakesLong() async throws {
        let gate = Gate()
        try await HTTPServerTests.serve({ configuration in
            configuration.idleTimeout = .milliseconds(50)
            configuration.headerDeadline = .milliseconds(50)
            configuration.bodyDeadline = .milliseconds(50)
        }, handler: { _ in .later {
            await gate.pass()
            return .response(text("late"))
        } }) { address, _ in
            let slow = try await Client(address)
            try await slow.send(get("/"))
            await gate.arrival()
            // The other connection is cut at a deadline that the slow one has passed too.
            #expect(try await Client(address).untilClosed() == "")
            gate.open()
            #expect(try await slow.response().body == "late")
        }
    }
}
