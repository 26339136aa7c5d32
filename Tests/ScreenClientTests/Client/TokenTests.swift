import Foundation
import ScreenWire
import Synchronization
import Testing

@testable import ScreenClient

@MainActor @Suite(.timeLimit(.minutes(1)))
struct TokenTests {
    struct SignedOut: Error {}

    let server = ScriptedTransport()

    private nonisolated static let unauthorized = #"{"type":"t","title":"T","status":401,"detail":"D"}"#

    private func screen(tokenSource: @escaping TokenSource) -> LiveScreen { client(tokenSource: tokenSource).screen("letters") }

    private func client(tokenSource: @escaping TokenSource) -> ScreenClient {
        ScreenClient(
            base: URL(string: "http://test")!, user: "u", transport: server, snapshots: nil, attempts: nil, tokenSource: tokenSource)
    }

    @Test func aTokenIsRenewedOnceEvenIfAnotherRequestIsRejectedAfterTheRenewal() async throws {
        let renewalCount = Mutex(0)
        let client = client { refused in
            renewalCount.withLock { count in
                if refused != nil { count += 1 }
                return count == 0 ? "old" : "new \(count)"
            }
        }
        let loads = (0..<2).map { _ in
            let screen = client.screen("letters")
            return Task { try await screen.refresh() }
        }
        let requests = [try await server.next(), try await server.next()]
        for request in requests {
            request.respond(401, Self.unauthorized)
            let repeated = try await server.next()
            #expect(repeated.header("Authorization") == "Bearer new 1")
            repeated.respond(200, Letters.snapshot("1", "a"))
        }
        for load in loads { try await load.ended() }
        #expect(renewalCount.withLock { $0 } == 1)
    }

    @Test func anActionWhoseTokenCannotBeRenewedThrowsTheErrorOfTheTokenSource() async throws {
        let screen = screen { refused in
            if refused != nil { throw SignedOut() }
            return "old"
        }
        let execution = Task { try await screen.action("add")() }
        try await server.next().respond(401, #"{"type":"t","title":"T","status":401,"detail":"D","outcome":"not-performed"}"#)
        let error = await #expect(throws: ActionError.self) { try await execution.ended() }
        guard case .rejected(.token)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test func anErrorOfTheTokenSourceIsNotThrownForALaterFailure() async throws {
        let hasFailed = Mutex(false)
        let screen = screen { _ in
            try hasFailed.withLock { hasFailed in
                defer { hasFailed = true }
                if !hasFailed { throw SignedOut() }
                return "new"
            }
        }
        let first = await #expect(throws: ScreenError.self) { try await screen.refresh() }
        guard case .token? = first else { return #expect(Bool(false), "\(String(describing: first))") }
        let refresh = Task { try await screen.refresh() }
        try await server.next().respond(204)
        let second = await #expect(throws: ScreenError.self) { try await refresh.ended() }
        guard case .unreachable? = second else { return #expect(Bool(false), "\(String(describing: second))") }
    }

    @Test func aRequestThatWaitsForATokenIsDroppedWhenTheUserChanges() async throws {
        let (gate, signedIn) = AsyncStream.makeStream(of: Void.self)
        let (calls, called) = AsyncStream.makeStream(of: Void.self)
        let client = client { _ in
            called.yield()
            // The task of this call is cancelled, but a token source need not notice it.
            await Task { for await _ in gate { break } }.value
            return "b"
        }
        let screen = client.screen("letters")
        let execution = Task { try await screen.action("add")() }
        let catalog = Task { try await client.catalog() }
        for await _ in calls { break }
        let request = try #require(screen.tasks.values.first)
        await client.reset(user: "v")
        await #expect(throws: ActionError.self) { try await execution.ended() }
        signedIn.finish()
        try await request.ended()
        await expectCancelled(catalog)
        let refresh = Task { try await screen.refresh() }
        let first = try await server.next()
        #expect(first.line == "GET /screens/letters")
        first.respond(200, Letters.snapshot("1", "a"))
        try await refresh.ended()
    }

    private func expectCancelled(_ catalog: Task<CatalogDocument, any Error>) async {
        let error = await #expect(throws: ScreenError.self) { try await catalog.ended() }
        guard case .cancelled? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test(arguments: [(200, #"{"kind":"catalog"}"#), (401, unauthorized)])
    func theCatalogOfAnEarlierUserIsNotReturnedAndItsTokenIsNotRenewed(status: Int, body: String) async throws {
        let refusals = Mutex(0)
        let client = client { refused in
            if refused != nil { refusals.withLock { $0 += 1 } }
            return "a"
        }
        let catalog = Task { try await client.catalog() }
        let request = try await server.next()
        await client.reset(user: "v")
        request.respond(status, body)
        await expectCancelled(catalog)
        #expect(refusals.withLock { $0 } == 0)
    }

    @Test func noTokenIsRequestedForARequestThatWasCancelledBeforeItBegan() async throws {
        let calls = Mutex(0)
        let screen = screen { _ in
            calls.withLock { $0 += 1 }
            return "a"
        }
        screen.send(.refresh)
        let request = try #require(screen.tasks.values.first)
        screen.reset()
        try await request.ended()
        #expect(calls.withLock { $0 } == 0)
    }

    @Test func aFollowedScreenSendsTheTokenOfTheNewUserAfterAReset() async throws {
        let token = Mutex("a")
        let client = client { _ in token.withLock { $0 } }
        let screen = client.screen("letters")
        let following = Task { await screen.follow() }
        try await server.next().respond(200, Letters.snapshot("1", "a"))
        let stream = try await server.next()
        await client.reset(user: "v")
        // An app should change its session before it calls `reset`. Here the session changes only afterwards, but before the test suspends,
        // so the screen has not sent a request yet.
        token.withLock { $0 = "b" }
        let request = try await server.next()
        #expect(request.line == "GET /screens/letters")
        #expect(request.header("Authorization") == "Bearer b")
        #expect(stream.header("Authorization") == "Bearer a")
        following.cancel()
        try await following.ended()
    }
}
