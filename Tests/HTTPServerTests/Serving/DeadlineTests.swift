import RawClient
import Testing

@testable import HTTPServer

/// The deadlines are short and the tests wait for the close, so they take as long as those.
@Suite struct DeadlineTests {
    /// For a connection that is used first. What it is used for is sent as it connects.
    private static let longer = Duration.seconds(1)

    /// The deadline under test is the only one that can pass while a test runs.
    private func serve(
        _ deadline: WritableKeyPath<HTTPServer.Configuration, Duration>,
        _ duration: Duration = .milliseconds(100),
        handler: @escaping HTTPServer.Handler = echo,
        _ body: (BoundAddress) async throws -> Void
    ) async throws {
        try await HTTPServerTests.serve({ configuration in
            configuration.idleTimeout = .seconds(1000)
            configuration.headerDeadline = .seconds(1000)
            configuration.bodyDeadline = .seconds(1000)
            configuration[keyPath: deadline] = duration
        }, handler: handler) { address, _ in try await body(address) }
    }

    @Test func aConnectionThatSendsNothingIsCut() async throws {
        try await serve(\.headerDeadline) { address in
            let client = try await RawClient(address)
            #expect(try await client.untilClosed() == "")
        }
    }

    /// It would keep all who come after it from being told that there is no room.
    @Test func oneConnectionTooManyHasNoTimeForItsHead() async throws {
        try await HTTPServerTests.serve({ configuration in
            configuration.connectionLimit = 1
            configuration.idleTimeout = .seconds(1000)
            configuration.headerDeadline = .seconds(1000)
        }, handler: echo) { address, _ in
            let first = try await RawClient(address)
            #expect(try await first.ask(get("/")).status == 200)
            for head in ["", "GET / HTTP/1.1\r\nHost: test\r\nX"] {
                #expect(try await RawClient(address, sending: head).untilClosed() == "")
            }
            #expect(try await first.ask(get("/")).status == 200)
        }
    }

    @Test(arguments: ["GET", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: test\r\nX"])
    func aHeadThatDoesNotEndIsCut(_ head: String) async throws {
        try await serve(\.headerDeadline) { address in
            let client = try await RawClient(address, sending: head)
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aHeadThatDoesNotEndIsCutOnAConnectionThatWasUsedBefore() async throws {
        try await serve(\.headerDeadline, Self.longer) { address in
            let client = try await RawClient(address, sending: get("/") + "GET / HTTP/1.1\r\nHost: test\r\n")
            #expect(try await client.response().status == 200)
            #expect(try await client.untilClosed() == "")
        }
    }

    /// Half a line: nobody has been told of a request, and the library does not end it when reading ends.
    @Test func halfALineOnAConnectionThatIsToCloseIsCut() async throws {
        try await HTTPServerTests.serve({ $0.headerDeadline = Self.longer }) { address, server in
            let client = try await RawClient(address, sending: get("/") + "GET /x")
            #expect(try await client.response().status == 200)
            server.end(by: .now + .seconds(3600))
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aBodyThatDoesNotEndIsCut() async throws {
        try await serve(\.bodyDeadline) { address in
            let client = try await RawClient(address, sending: "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nabc")
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aConnectionThatLiesIdleIsClosed() async throws {
        try await serve(\.idleTimeout, Self.longer) { address in
            let client = try await RawClient(address, sending: get("/"))
            #expect(try await client.response().status == 200)
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func noDeadlineHoldsForAnAnswerThatTakesLong() async throws {
        let gate = Gate()
        let handler: HTTPServer.Handler = { request in
            guard request.target == "/slow" else { return echo(request) }
            return .later {
                await gate.pass()
                return .response(text("late"))
            }
        }
        try await serve(\.idleTimeout, Self.longer, handler: handler) { address in
            defer { gate.open() }
            let slow = try await RawClient(address, sending: get("/slow"))
            await gate.arrival()
            // The quick connection begins to lie idle after the slow one began to wait.
            let quick = try await RawClient(address, sending: get("/"))
            #expect(try await quick.response().status == 200)
            #expect(try await quick.untilClosed() == "")
            gate.open()
            #expect(try await slow.response().text == "late")
        }
    }
}
