import Foundation
import Observation
import ScreenWire
import Synchronization
import Testing

@testable import ScreenClient

@MainActor @Suite(.timeLimit(.minutes(1)))
struct ClientTests {
    let server = ScriptedTransport()

    private func client(attempts: MemoryStore? = nil, tokenSource: TokenSource? = nil) -> ScreenClient {
        ScreenClient(
            base: URL(string: "http://test")!, user: "u", transport: server, snapshots: nil, attempts: attempts, tokenSource: tokenSource)
    }

    @Test func theDetailsOfInvalidInputFieldsAreGroupedByField() {
        let problem = ProblemDocument(
            type: "t", title: "T", status: 422, detail: "D",
            errors: [
                .init(at: .pointer("/input/kilograms"), "is too large"), .init(at: .pointer("/input/kilograms"), "is odd"),
                .init(at: .pointer("/input/a~1b~0c/0"), "is wrong"), .init(at: .parameter("q"), "is too long"),
                .init(at: .pointer("/version"), "is no text"),
            ])
        #expect(problem.fieldErrors == ["kilograms": ["is too large", "is odd"], "a/b~c": ["is wrong"]])
    }

    @Test func aFailedRequestForTheCatalogThrowsAScreenError() async throws {
        let catalog = Task { try await client().catalog() }
        try await server.next().fail()
        let error = await #expect(throws: ScreenError.self) { try await catalog.ended() }
        guard case .unreachable? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test func theTokenSourceReceivesTheTokenOfTheRejectedRequest() async throws {
        let token = Mutex("old")
        let refusals = Mutex<[String]>([])
        let client = client { refused in
            if let refused { refusals.withLock { $0.append(refused) } }
            return token.withLock { $0 }
        }
        let screen = client.screen("letters")
        let following = Task { await screen.follow() }
        try await server.next().respond(200, Letters.snapshot("1", "a"))
        let stream = try await server.next()
        #expect(stream.header("Authorization") == "Bearer old")
        token.withLock { $0 = "new" }
        let execution = Task { try await screen.action("add")() }
        let action = try await server.next()
        #expect(action.header("Authorization") == "Bearer new")
        stream.respond(401, #"{"type":"t","title":"T","status":401,"detail":"D"}"#)
        stream.end()
        let second = try await server.next()
        #expect(second.header("Authorization") == "Bearer new")
        #expect(refusals.withLock { $0 } == ["old"])
        action.respond(204)
        try await execution.ended()
        following.cancel()
    }

    @Test func screensWithARejectedTokenShareOneRenewal() async throws {
        let (gate, renewed) = AsyncStream.makeStream(of: Void.self)
        let renewalCount = Mutex(0)
        let token = Mutex("old")
        let client = client { refused in
            guard refused != nil else { return token.withLock { $0 } }
            renewalCount.withLock { $0 += 1 }
            for await _ in gate { break }
            token.withLock { $0 = "new" }
            return "new"
        }
        func load() -> Task<Void, any Error> {
            let screen = client.screen("letters")
            return Task { try await screen.refresh() }
        }
        var loads = [load(), load()]
        let requests = [try await server.next(), try await server.next()]
        requests[0].respond(401, #"{"type":"t","title":"T","status":401,"detail":"D"}"#)
        await whenReleased { renewalCount.withLock { $0 } > 0 }
        loads.append(load())
        requests[1].respond(401, #"{"type":"t","title":"T","status":401,"detail":"D"}"#)
        for _ in 0..<1000 { await Task.yield() }
        renewed.yield()
        renewed.finish()
        for _ in loads {
            let request = try await server.next()
            #expect(request.header("Authorization") == "Bearer new")
            request.respond(200, Letters.snapshot("1", "a"))
        }
        for load in loads { try await load.ended() }
        #expect(renewalCount.withLock { $0 } == 1)
    }

    @Test func anActionIsRejectedIfTheTokenSourceFails() async throws {
        struct SignedOut: Error {}
        let store = MemoryStore()
        let screen = client(attempts: store, tokenSource: { _ in throw SignedOut() }).screen("letters")
        let error = await #expect(throws: ActionError.self) { try await screen.action("add")() }
        guard case .rejected(.token)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(await store.attempts(of: "u").isEmpty)
    }

    @Test func anActionIsDisabledOnlyWhileItsScreenIsFollowedAndTheServerIsUnreachable() async throws {
        let screen = client().screen("letters")
        let add = screen.action("add")
        let loading = Task { try await screen.refresh() }
        try await server.next().fail()
        await #expect(throws: ScreenError.self) { try await loading.ended() }
        #expect(add.isEnabled)
        let following = Task { await screen.follow() }
        try await server.next().fail()
        await whenTrue { !add.isEnabled }
        following.cancel()
        try await following.ended()
        #expect(add.isEnabled)
    }

    @Test func observersAreNotifiedWhenTheParametersOfAScreenChange() async throws {
        let screen = client().screen("letters")
        let changed = Mutex(false)
        withObservationTracking {
            _ = screen.parameters
        } onChange: {
            changed.withLock { $0 = true }
        }
        let search = Task { try await screen.show(["q": "a"]) }
        try await server.next().respond(200, Letters.snapshot("1", "a"))
        try await search.ended()
        #expect(changed.withLock { $0 })
        #expect(screen.parameters == ["q": "a"])
    }

    @Test(arguments: [nil, Letters.snapshot("9", "x")])
    func retryingAnAttemptOfAnotherViewKeepsTheCurrentView(document: String?) async throws {
        let store = MemoryStore()
        let earlier = client(attempts: store).screen("letters", ["q": "x"])
        let execution = Task { try await earlier.action("add")() }
        try await server.next()
        execution.cancel()
        await #expect(throws: ActionError.self) { try await execution.ended() }

        let screen = client(attempts: store).screen("letters", ["q": "y"])
        let loading = Task { try await screen.refresh() }
        try await server.next().respond(200, Letters.snapshot("1", "y"))
        try await loading.ended()
        let attempt = try #require(await screen.undecided().first)
        let retry = Task { try await screen.retry(attempt) }
        let request = try await server.next()
        #expect(request.line == "POST /screens/letters/actions/add?q=x")
        #expect(request.body == #"{"input":{}}"#)
        #expect(request.header("Prefer") == "return=minimal")
        // A server can ignore the preference, and respond with a document of the view that the attempt belongs to.
        request.respond(document == nil ? 204 : 200, document ?? "")
        try await retry.ended()
        #expect(try await server.next().line == "POST /screens/letters/changes?q=y")
        #expect(screen.letters == "y")
    }

    @Test func anAttemptInProgressIsNotListedAsUndecided() async throws {
        let client = client(attempts: MemoryStore())
        let screen = client.screen("letters")
        let execution = Task { try await screen.action("add")() }
        let request = try await server.next()
        #expect(await client.screen("letters").undecided().isEmpty)
        request.respond(200, Letters.snapshot("1", "a"))
        try await execution.ended()
    }

    @Test func noUpdatesAreStoredForAConsumerThatHasStoppedIterating() async throws {
        let screen = client().screen("letters")
        for await _ in screen.updates { break }
        let unused = Optional(screen.updates)
        #expect(screen.mailboxes.contains { $0.mailbox != nil })
        withExtendedLifetime(unused) {}
        _ = consume unused
        #expect(!screen.mailboxes.contains { $0.mailbox != nil })
    }

    @Test func aScreenThatIsNoLongerFollowedOrUsedIsReleased() async throws {
        let client = client()
        var screen: LiveScreen? = client.screen("letters")
        weak let released = screen
        let following = Task { [screen] in await screen!.follow() }
        let request = try await server.next()
        screen = nil
        #expect(released != nil)
        following.cancel()
        try await following.ended()
        #expect(await request.isCancelled())
        await whenReleased { released == nil }
    }

    @Test func theStreamOfAScreenStaysOpenUntilTheLastFollowerStops() async throws {
        let screen = client().screen("letters")
        let first = Task { await screen.follow() }
        try await server.next().respond(200, Letters.snapshot("1", "a"))
        let stream = try await server.next()
        let second = Task { await screen.follow() }
        first.cancel()
        try await first.ended()
        stream.open()
        stream.event("changeset", Letters.insert("b", at: 1, from: "1", to: "2"))
        await whenTrue { screen.letters == "ab" }
        second.cancel()
        try await second.ended()
        #expect(screen.connection == .paused)
    }

    @Test func aConsumerThatMissedTooManyStepsReceivesASnapshot() async throws {
        let screen = client().screen("letters")
        let following = Task { await screen.follow() }
        try await server.next().respond(200, Letters.snapshot("0", "a"))
        let stream = try await server.next()
        var updates = screen.updates.makeAsyncIterator()
        _ = await updates.next()
        stream.open()
        for number in 0...ListUpdate.stepLimit {
            let letter = Character(Unicode.Scalar(UInt8(ascii: "b") + UInt8(number)))
            stream.event("changeset", Letters.insert(letter, at: number + 1, from: "\(number)", to: "\(number + 1)"))
        }
        await whenTrue { screen.letters.count == ListUpdate.stepLimit + 2 }
        let update = try #require(await updates.next())
        guard case .snapshot = update.kind else { return #expect(Bool(false), "\(update.kind)") }
        #expect(update.model.sections[0].cells.count == ListUpdate.stepLimit + 2)
        following.cancel()
    }

    @Test func eachOfTwoConsumersReceivesAllSteps() async throws {
        let screen = client().screen("letters")
        let following = Task { await screen.follow() }
        try await server.next().respond(200, Letters.snapshot("1", "a"))
        let stream = try await server.next()
        var (first, second) = (screen.updates.makeAsyncIterator(), screen.updates.makeAsyncIterator())
        _ = await first.next()
        _ = await second.next()
        stream.open()
        stream.event("changeset", Letters.insert("b", at: 1, from: "1", to: "2"))
        for update in [try #require(await first.next()), try #require(await second.next())] {
            guard case .stages(let steps) = update.kind else { return #expect(Bool(false), "\(update.kind)") }
            #expect(steps.changeset.map { $0.data[0].cells.map(\.id) } == [["a", "b"]])
            #expect(steps.changeset.map(\.elementInserted.count) == [1])
        }
        following.cancel()
    }
}
