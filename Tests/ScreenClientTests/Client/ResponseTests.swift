import Foundation
import ScreenWire
import Testing

@testable import ScreenClient

/// Tests of responses that do not come from the service, or that a client cannot read.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ResponseTests {
    let server = ScriptedTransport()
    let screen: LiveScreen

    init() {
        let client = ScreenClient(base: URL(string: "http://test")!, transport: server, snapshots: nil, attempts: nil)
        client.pauseUntilNetworkChanges()
        screen = client.screen("letters")
    }

    /// Returns the task that follows the screen, and the request for the stream. The screen shows version `1` with the letters `ab`.
    private func followed() async throws -> (following: Task<Void, Never>, stream: ScriptedExchange) {
        let following = Task { [screen] in await screen.follow() }
        try await server.next().respond(200, Letters.snapshot("1", "ab"))
        return (following, try await server.next())
    }

    private func expectUnreachable() async {
        await whenTrue { screen.problem != nil }
        guard case .unreachable? = screen.problem else { return #expect(Bool(false), "\(String(describing: screen.problem))") }
    }

    private static func events(_ events: (type: String, data: String)...) -> String {
        events.map { "event: \($0.type)\ndata: \($0.data)\n\n" }.joined()
    }

    private static let eventStream = [(name: "Content-Type", value: "text/event-stream")]

    @Test func aSnapshotOfAnotherScreenIsNotShown() async throws {
        let following = Task { await screen.follow() }
        try await server.next().respond(200, Letters.snapshot("1", "ab", screen: "words"))
        await expectUnreachable()
        #expect(!screen.hasContent)
        screen.client.networkChanged()
        try await server.next().respond(200, Letters.snapshot("1", "ab"))
        await whenTrue { screen.letters == "ab" }
        following.cancel()
    }

    @Test func aChangesetOfAnotherScreenIsNotApplied() async throws {
        let loading = Task { try await screen.refresh() }
        try await server.next().respond(200, Letters.snapshot("1", "ab"))
        try await loading.ended()
        let refresh = Task { try await screen.refresh() }
        try await server.next().respond(200, Letters.insert("c", at: 2, from: "1", to: "2", screen: "words"))
        let error = await #expect(throws: ScreenError.self) { try await refresh.ended() }
        guard case .unreachable? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(screen.letters == "ab")
    }

    @Test(arguments: [Letters.snapshot("2", "x", screen: "words"), Letters.insert("c", at: 2, from: "1", to: "2", screen: "words")])
    func aStreamWithADocumentOfAnotherScreenIsReopened(document: String) async throws {
        let (following, stream) = try await followed()
        stream.open()
        stream.event("snapshot", document)
        await expectUnreachable()
        #expect(screen.letters == "ab")
        screen.client.networkChanged()
        #expect(try await server.next().line == "GET /screens/letters/changes?version=1")
        following.cancel()
    }

    @Test func theEventsBeforeAnUnreadableEventAreHandled() async throws {
        let (following, stream) = try await followed()
        let changeset = Letters.insert("c", at: 2, from: "1", to: "2")
        stream.respond(200, Self.events(("changeset", changeset), ("changeset", #"{"kind":"changeset"}"#)), Self.eventStream)
        #expect(try await server.next().line == "GET /screens/letters")
        #expect(screen.letters == "abc")
        following.cancel()
    }

    @Test(arguments: [("changeset", #"{"kind":"changeset"}"#), ("snapshot", "<html>"), ("current", "1")])
    func aStreamThatEndsAtAnUnreadableEventIsNotCountedAsEmpty(type: String, data: String) async throws {
        let (following, stream) = try await followed()
        stream.respond(200, Self.events((type, data)), Self.eventStream)
        await whenReleased { if case .stream = screen.machine.line { false } else { true } }
        #expect(screen.viewError != nil && screen.machine.emptyStreams == 0)
        following.cancel()
    }

    @Test(arguments: ["Text/Event-Stream", "text/event-stream;charset=UTF-8", "TEXT/EVENT-STREAM ; charset=utf-8"])
    func theMediaTypeOfAStreamIsNotCaseSensitive(type: String) async throws {
        let (following, stream) = try await followed()
        stream.respond(200, Self.events(("current", #"{"version":"1"}"#)), [("content-type", type)])
        await whenTrue { screen.connection == .streaming }
        following.cancel()
    }

    @Test(arguments: ["text/event-streams", "text/html"])
    func aStreamWithAWrongMediaTypeCountsAsUnreachable(type: String) async throws {
        let (following, stream) = try await followed()
        stream.respond(200, Self.events(("current", #"{"version":"1"}"#)), [("Content-Type", type)])
        await expectUnreachable()
        following.cancel()
    }

    @Test(arguments: ["4294967296", "99999999999999999999999999"])
    func aTimeInRetryAfterThatIsTooLongIsShortened(retryAfter: String) async throws {
        let following = Task { await screen.follow() }
        try await server.next().respond(503, "", [("Retry-After", retryAfter)])
        await whenTrue { screen.problem != nil }
        guard case .waiting(let until) = screen.connection else { return #expect(Bool(false), "\(screen.connection)") }
        #expect(until > .now + .seconds(200))
        following.cancel()
    }
}
