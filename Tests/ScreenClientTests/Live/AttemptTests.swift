import Foundation
import Testing

@testable import ScreenClient

/// Tests of the attempts that a client stores before it sends an action.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct AttemptTests {
    let server = ScriptedTransport()
    let store = GatedAttempts()
    let client: ScreenClient
    let screen: LiveScreen

    init() {
        client = ScreenClient(base: URL(string: "http://test")!, user: "u", transport: server, snapshots: nil, attempts: store)
        screen = client.screen("letters")
    }

    /// Executes the action `add`, and cancels it after it was sent. Returns the stored attempt.
    private func undecidedAttempt() async throws -> ActionAttempt {
        let execution = Task { try await screen.action("add")() }
        try await server.next()
        execution.cancel()
        await #expect(throws: ActionError.self) { try await execution.ended() }
        return try #require(await screen.undecided().first)
    }

    /// Starts an action, and waits until the client has called the store to store the attempt. The call does not return until the test
    /// opens the store.
    private func storing(_ name: String) async -> Task<Void, any Error> {
        await store.close(.store)
        let execution = Task { try await screen.action(name)() }
        await store.began(.store, name)
        return execution
    }

    private func expectCancelled(_ execution: Task<Void, any Error>) async {
        let error = await #expect(throws: ActionError.self) { try await execution.ended() }
        guard case .rejected(.cancelled)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    private func expectUndecided(_ execution: Task<Void, any Error>) async {
        let error = await #expect(throws: ActionError.self) { try await execution.ended() }
        guard case .undecided(.cancelled)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test func anActionThatIsBeingStoredIsNotSentAfterTheUserChanges() async throws {
        let execution = await storing("add")
        await client.reset(user: "v")
        await store.open()
        await expectCancelled(execution)
        #expect(await store.attempts(of: "u").isEmpty)
        let refresh = Task { try await screen.refresh() }
        let request = try await server.next()
        #expect(request.line == "GET /screens/letters")
        request.respond(200, Letters.snapshot("1", "a"))
        try await refresh.ended()
    }

    @Test func anActionThatIsCancelledWhileItIsBeingStoredDoesNotStayStored() async {
        let execution = await storing("add")
        execution.cancel()
        await whenCancelled()
        await store.open()
        await expectCancelled(execution)
        #expect(await store.attempts(of: "u").isEmpty)
    }

    @Test func anActionThatIsCancelledBeforeItIsStoredIsNotStored() async throws {
        let first = await storing("add")
        let second = Task { try await screen.action("remove")() }
        await whenTrue { screen.action("remove").isExecuting }
        second.cancel()
        await whenCancelled()
        await store.open()
        await expectCancelled(second)
        try await server.next().respond(204)
        try await first.ended()
        #expect(await store.attempts(of: "u").isEmpty)
    }

    /// Waits until the client has handled the cancellation of an action whose attempt is not stored yet.
    private func whenCancelled() async {
        await whenReleased { screen.executions.values.contains { $0.end == nil } }
    }

    @Test func aRetriedAttemptIsSentEvenIfTheStoreIsFull() async throws {
        let attempt = try await undecidedAttempt()
        await store.fill()
        let retry = Task { try await screen.retry(attempt) }
        let request = try await server.next()
        #expect(request.header("Idempotency-Key") == attempt.key)
        request.respond(204)
        try await retry.ended()
        #expect(await store.attempts(of: "u").isEmpty)
    }

    @Test func aRetriedAttemptThatIsCancelledBeforeItIsSentStaysUndecided() async throws {
        let attempt = try await undecidedAttempt()
        let earlier = await storing("remove")
        let retry = Task { try await screen.retry(attempt) }
        await whenTrue { screen.action("add").isExecuting }
        retry.cancel()
        await whenCancelled()
        await store.open()
        await expectUndecided(retry)
        #expect(await screen.undecided() == [attempt])
        try await server.next().respond(204)
        try await earlier.ended()
    }

    @Test func aRetriedAttemptThatIsWaitingStaysUndecidedAfterTheUserChanges() async throws {
        let attempt = try await undecidedAttempt()
        let earlier = await storing("remove")
        let retry = Task { try await screen.retry(attempt) }
        await whenTrue { screen.action("add").isExecuting }
        await client.reset(user: nil)
        await store.open()
        await expectUndecided(retry)
        await expectCancelled(earlier)
        #expect(await store.attempts(of: "u") == [attempt])
    }

    @Test func anAttemptIsNotSentWithTheTokenOfAnotherUser() async throws {
        let attempt = try await undecidedAttempt()
        await client.reset(user: "v")
        let error = await #expect(throws: ActionError.self) { try await screen.retry(attempt) }
        guard case .disabled? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(await screen.undecided().isEmpty)
        await client.reset(user: "u")
        #expect(await screen.undecided() == [attempt])
    }

    @Test func usersAreComparedByTheBytesOfTheirIDs() async throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        await client.reset(user: composed)
        let attempt = try await undecidedAttempt()
        await client.reset(user: decomposed)
        #expect(await screen.undecided().isEmpty)
        let error = await #expect(throws: ActionError.self) { try await screen.retry(attempt) }
        guard case .disabled? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(StoredView(user: composed, address: "a") != StoredView(user: decomposed, address: "a"))
    }

    @Test func anAttemptThatIsTooOldToBeRepeatedIsListedButCannotBeRetried() async throws {
        let old = attempt(age: 23 * 3600 + 1)
        try await store.store(old, of: "u")
        #expect(await screen.undecided() == [old])
        #expect(!old.isRepeatable(at: Date()))
        let error = await #expect(throws: ActionError.self) { try await screen.retry(old) }
        guard case .disabled? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test func aRetriedAttemptExpiresWhenTheServerMayNoLongerRememberItsKey() async throws {
        let old = attempt(age: 22 * 3600)
        try await store.store(old, of: "u")
        let retry = Task { try await screen.retry(old) }
        let request = try await server.next()
        let expiry = try #require(screen.machine.actions.first?.expiry)
        #expect(expiry > .seconds(3500) && expiry < .seconds(3700), "the time is counted from the creation of the screen")
        request.respond(204)
        try await retry.ended()
    }

    private func attempt(age: TimeInterval) -> ActionAttempt {
        ActionAttempt(
            key: "k", action: "add", cell: nil, input: [:], view: screen.view, baseURL: "http://test", user: "u",
            created: Date(timeIntervalSinceNow: -age))
    }

    @Test func anActionThatWasPerformedIsNotUndecidedWhileItsAttemptIsBeingRemoved() async throws {
        let execution = Task { try await screen.action("add")() }
        let request = try await server.next()
        await store.close(.remove)
        request.respond(204)
        await store.began(.remove)
        #expect(await client.screen("letters").undecided().isEmpty)
        await store.open()
        try await execution.ended()
    }
}
