import Foundation
import Observation
import ScreenDiff
import ScreenWire
import Synchronization
import Testing

@testable import ScreenClient

@MainActor @Suite(.timeLimit(.minutes(1)))
struct FollowingTests {
    let server = ScriptedTransport()

    private func screen(_ parameters: [String: String] = [:], registry: CellRegistry = CellRegistry()) -> LiveScreen {
        ScreenClient(base: URL(string: "http://test")!, registry: registry, transport: server, snapshots: nil, attempts: nil)
            .screen("letters", parameters)
    }

    /// Returns a followed screen, the open stream of the screen, and the task that follows the screen. The screen shows version `1`
    /// with the letters `ab`.
    private func followed(
        registry: CellRegistry = CellRegistry()
    ) async throws -> (screen: LiveScreen, stream: ScriptedExchange, following: Task<Void, Never>) {
        let screen = screen(registry: registry)
        let following = Task { await screen.follow() }
        try await server.next().respond(200, Letters.snapshot("1", "ab"))
        let stream = try await server.next()
        stream.open()
        stream.event("current", #"{"version":"1"}"#)
        await whenTrue { screen.connection == .streaming }
        return (screen, stream, following)
    }

    @Test func aFollowedScreenLoadsASnapshotAndOpensAStreamFromItsVersion() async throws {
        let screen = screen(["q": "é &"])
        #expect(!screen.hasContent)
        let following = Task { await screen.follow() }
        let get = try await server.next()
        #expect(get.line == "GET /screens/letters?q=%C3%A9%20%26")
        #expect(get.header("Accept") == "application/json")
        get.respond(200, Letters.snapshot("1", "ab"))
        let stream = try await server.next()
        #expect(screen.letters == "ab")
        #expect(stream.line == "GET /screens/letters/changes?q=%C3%A9%20%26&version=1")
        #expect(stream.header("Accept") == "text/event-stream")
        #expect(screen.connection == .requesting)
        stream.open()
        stream.event("current", #"{"version":"1"}"#)
        await whenTrue { screen.connection == .streaming }
        following.cancel()
        try await following.ended()
        #expect(screen.connection == .paused)
        #expect(screen.letters == "ab")
    }

    @Test func aChangesetOnTheStreamIsAppliedAndReportedWithItsStages() async throws {
        let (screen, stream, following) = try await followed()
        var updates = screen.updates.makeAsyncIterator()
        let first = try #require(await updates.next())
        #expect(first.model.version == "1")
        stream.event("changeset", Letters.insert("c", at: 2, from: "1", to: "2"))
        let second = try #require(await updates.next())
        guard case .stages(let steps) = second.kind else { return #expect(Bool(false), "\(second.kind)") }
        #expect(steps.map(\.stage.insertCells.count) == [1])
        #expect(second.model.sections[0].cells.map(\.id) == ["a", "b", "c"])
        #expect(screen.letters == "abc")
        following.cancel()
    }

    @Test func equalCellsKeepTheirDecodedValuesWhenASnapshotIsReplaced() async throws {
        let (reports, report) = AsyncStream.makeStream(of: String?.self)
        let registry = CellRegistry { report.yield($0.id) }
        // Each attempt to decode a cell is reported, because no cell can be decoded as an `Int`.
        registry.register(Int.self, as: "letter")
        let (screen, stream, following) = try await followed(registry: registry)
        func decode() { for cell in screen.model.sections[0].cells { _ = cell.value } }
        decode()
        stream.event("snapshot", Letters.snapshot("2", "bca"))
        await whenTrue { screen.letters == "bca" }
        decode()
        report.finish()
        var ids: [String?] = []
        for await id in reports { ids.append(id) }
        #expect(ids == ["a", "b", "c"])
        following.cancel()
    }

    @Test func aScreenIsStaleUntilTheServerConfirmsItsVersion() async throws {
        let (screen, stream, following) = try await followed()
        stream.event("stale", "{}")
        await whenTrue { screen.isStale }
        stream.event("current", #"{"version":"1"}"#)
        await whenTrue { !screen.isStale }
        following.cancel()
    }

    @Test func aRefreshWhoseChangesetCannotBeAppliedWaitsForASnapshot() async throws {
        let screen = screen()
        let first = Task { try await screen.refresh() }
        try await server.next().respond(200, Letters.snapshot("1", "ab"))
        try await first.ended()
        let refresh = Task {
            try await screen.refresh()
            return screen.letters
        }
        try await server.next().respond(200, Letters.insert("c", at: 9, from: "1", to: "2"))
        try await server.next().respond(200, Letters.snapshot("2", "abc"))
        #expect(try await refresh.ended() == "abc")
    }

    @Test func aScreenRequestsASnapshotIfAChangesetCannotBeApplied() async throws {
        let (screen, stream, following) = try await followed()
        stream.event("changeset", Letters.insert("c", at: 9, from: "1", to: "2"))
        let get = try await server.next()
        #expect(get.line == "GET /screens/letters")
        #expect(screen.letters == "ab")
        get.respond(200, Letters.snapshot("2", "abc"))
        #expect(try await server.next().line == "GET /screens/letters/changes?version=2")
        #expect(screen.letters == "abc")
        following.cancel()
    }

    @Test func aScreenDoesNotShowALateResponseForEarlierParameters() async throws {
        let screen = screen()
        let loaded = Task { try await screen.refresh() }
        try await server.next().respond(200, Letters.snapshot("1", "ab"))
        try await loaded.ended()
        let first = Task { try await screen.show(["q": "a"]) }
        let earlier = try await server.next()
        #expect(earlier.line == "POST /screens/letters/changes?q=a")
        #expect(earlier.body == #"{"version":"1"}"#)
        let second = Task { try await screen.show(["q": "ab"]) }
        let later = try await server.next()
        #expect(later.line == "POST /screens/letters/changes?q=ab")
        earlier.respond(200, Letters.insert("x", at: 0, from: "1", to: "2"))
        later.respond(200, Letters.insert("y", at: 0, from: "1", to: "3"))
        try await second.ended()
        try await first.ended()
        #expect(screen.letters == "yab")
        #expect(screen.connection == .idle)
    }

    @Test func aRefreshThrowsTheProblemOfItsFirstAttempt() async throws {
        let screen = screen()
        let loaded = Task { try await screen.refresh() }
        try await server.next().respond(
            404, #"{"type":"t","title":"Not Found","status":404,"detail":"There is no screen."}"#,
            [("Content-Type", "application/problem+json")])
        let error = await #expect(throws: ScreenError.self) { try await loaded.ended() }
        guard case .problem(let problem)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(problem.detail == "There is no screen.")
        #expect(screen.connection == .failed)
    }

    @Test func aScreenThatWaitsForAnUnreachableServerConnectsWhenTheNetworkChanges() async throws {
        let screen = screen()
        screen.client.pauseUntilNetworkChanges()
        let following = Task { await screen.follow() }
        try await server.next().fail()
        await whenTrue { if case .waiting = screen.connection { true } else { false } }
        screen.client.networkChanged()
        try await server.next().respond(200, Letters.snapshot("1", "a"))
        await whenTrue { screen.letters == "a" }
        following.cancel()
    }

    @Test func aRejectionWithoutAProblemDocumentCountsAsUnreachable() async throws {
        let screen = screen()
        screen.client.pauseUntilNetworkChanges()
        let following = Task { await screen.follow() }
        try await server.next().respond(404, "<html>")
        await whenTrue { screen.problem != nil }
        guard case .unreachable? = screen.problem else { return #expect(Bool(false), "\(String(describing: screen.problem))") }
        guard case .waiting = screen.connection else { return #expect(Bool(false), "\(screen.connection)") }
        following.cancel()
    }

    @Test func aDateInRetryAfterIsComparedWithTheDateOfTheResponse() async throws {
        let screen = screen()
        let following = Task { await screen.follow() }
        try await server.next().respond(
            503, "", [("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Retry-After", "Sun, 06 Nov 1994 08:51:37 GMT")])
        await whenTrue { screen.problem != nil }
        guard case .waiting(let until) = screen.connection else { return #expect(Bool(false), "\(screen.connection)") }
        #expect(until > .now + .seconds(60) && until < .now + .seconds(121))
        following.cancel()
    }

    @Test func aRefreshWhoseTaskIsCancelledThrowsAnErrorAtOnce() async throws {
        let screen = screen()
        let loading = Task { try await screen.refresh() }
        try await server.next()
        loading.cancel()
        let error = await #expect(throws: ScreenError.self) { try await loading.ended() }
        guard case .cancelled? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test func aPropertyHasItsNewValueWhenItsChangeIsReported() async throws {
        let screen = screen()
        let seen = Mutex<[String]>([])
        func observe(_ value: @escaping @MainActor @Sendable () -> String) {
            withObservationTracking {
                _ = value()
            } onChange: {
                MainActor.assumeIsolated { seen.withLock { $0.append(value()) } }
            }
        }
        observe { screen.letters }
        observe { screen.parameters["q"] ?? "none" }
        let first = Task { try await screen.show(["q": "x"]) }
        try await server.next().respond(200, Letters.snapshot("1", "ab"))
        try await first.ended()
        observe { screen.letters }
        let second = Task { try await screen.refresh() }
        try await server.next().respond(200, Letters.insert("c", at: 2, from: "1", to: "2"))
        try await second.ended()
        #expect(seen.withLock { $0 } == ["x", "ab", "abc"])
    }

    @Test func aSlowConsumerReceivesTheStepsOfSeveralChangesetsInOneUpdate() async throws {
        let (screen, stream, following) = try await followed()
        var updates = screen.updates.makeAsyncIterator()
        _ = await updates.next()
        stream.event("changeset", Letters.insert("c", at: 2, from: "1", to: "2"))
        stream.event("changeset", Letters.insert("d", at: 3, from: "2", to: "3"))
        await whenTrue { screen.letters == "abcd" }
        let update = try #require(await updates.next())
        guard case .stages(let steps) = update.kind else { return #expect(Bool(false), "\(update.kind)") }
        #expect(steps.map { $0.model.sections[0].cells.count } == [3, 4])
        following.cancel()
    }

    @Test func theSequenceOfUpdatesEndsWhenTheScreenIsReleased() async {
        var screen: LiveScreen? = screen()
        let updates = screen!.updates
        screen = nil
        var count = 0
        for await _ in updates { count += 1 }
        #expect(count == 0, "nothing is reported after the screen is gone")
    }
}
