import Foundation
import ScreenWire
import Testing

@testable import ScreenClient

@MainActor @Suite(.timeLimit(.minutes(1)))
struct StoringTests {
    let server = ScriptedTransport()
    let store = GatedStore()

    private func loaded(_ client: ScreenClient) async throws -> LiveScreen {
        let screen = client.screen("letters")
        let loading = Task { try await screen.refresh() }
        try await server.next().respond(200, Letters.snapshot("1", "ab"))
        try await loading.ended()
        return screen
    }

    private func client(savePause: Duration = .zero) -> ScreenClient {
        let client = ScreenClient(base: URL(string: "http://test")!, user: "u", transport: server, snapshots: store, attempts: nil)
        client.savePause = savePause
        return client
    }

    /// Refreshes the screen, and responds with a changeset that inserts a letter.
    private func insert(in screen: LiveScreen) async throws {
        let refresh = Task { try await screen.refresh() }
        try await server.next().respond(200, Letters.insert("c", at: 2, from: "1", to: "2"))
        try await refresh.ended()
    }

    /// Returns the version of the snapshot that is stored under an address.
    private func version(_ address: String = "http://test/screens/letters") async throws -> String {
        let bytes = try #require(await store.stored[address])
        return try ScreenDocument(bytes, limit: bytes.count).version
    }

    @Test func oldContentIsNotStoredForTheNewViewIfTheChangesetDoesNotFit() async throws {
        let client = client()
        let screen = try await loaded(client)
        await store.begun()
        let search = Task { try await screen.show(["q": "a"]) }
        try await server.next().respond(200, Letters.insert("c", at: 9, from: "1", to: "2"))
        let request = try await server.next()
        #expect(request.line == "GET /screens/letters?q=a")
        await store.open()
        await whenReleased { client.saves.isEmpty }
        #expect(await store.stored.keys.sorted() == ["http://test/screens/letters"])
        request.respond(200, Letters.snapshot("2", "c"))
        try await search.ended()
        await whenReleased { client.saves.isEmpty }
        #expect(try await version("http://test/screens/letters?q=a") == "2")
    }

    @Test func aChangeIsStoredAtOnceWhenTheScreenIsPaused() async throws {
        let screen = try await loaded(client(savePause: .seconds(3600)))
        await store.begun()
        await store.open()
        try await insert(in: screen)
        screen.pause()
        await store.begun()
        #expect(try await version() == "2")
    }

    @Test func aChangeIsStoredEvenIfTheScreenIsReleasedBeforeItsWrite() async throws {
        let client = client()
        var screen: LiveScreen? = try await loaded(client)
        await store.begun()
        try await insert(in: screen!)
        weak let released = screen
        screen = nil
        await whenReleased { released == nil }
        await store.open()
        await store.begun()
        await whenReleased { client.saves.isEmpty }
        #expect(try await version() == "2")
    }

    @Test func aSnapshotIsStoredUnderTheAddressOfItsView() async throws {
        let screen = try await loaded(client())
        await store.begun()
        let refresh = Task { try await screen.refresh() }
        try await server.next().respond(200, Letters.insert("c", at: 2, from: "1", to: "2"))
        try await refresh.ended()
        let search = Task { try await screen.show(["q": "a"]) }
        let request = try await server.next()
        await store.open()
        #expect(await store.begun() == "http://test/screens/letters")
        request.respond(200, Letters.insert("d", at: 3, from: "2", to: "3"))
        try await search.ended()
        #expect(await store.begun() == "http://test/screens/letters?q=a")
    }

    @Test func aFollowedScreenContinuesWithTheStoredContentOfTheNewUser() async throws {
        let store = MemoryStore()
        await store.store(Array(Letters.snapshot("7", "z").utf8), of: StoredView(user: "v", address: "http://test/screens/letters"))
        let client = ScreenClient(base: URL(string: "http://test")!, user: "u", transport: server, snapshots: store, attempts: nil)
        let screen = client.screen("letters")
        let following = Task { await screen.follow() }
        try await server.next().respond(200, Letters.snapshot("1", "ab"))
        try await server.next()
        await client.reset(user: "v")
        #expect(try await server.next().line == "GET /screens/letters/changes?version=7")
        #expect(screen.letters == "z")
        following.cancel()
        try await following.ended()
    }

    @Test func aSnapshotThatIsBeingStoredIsRemovedIfTheUserChanges() async throws {
        let client = client()
        let screen = try await loaded(client)
        await store.begun()
        let reset = Task { await client.reset(user: nil) }
        await whenTrue { !screen.hasContent }
        await store.open()
        try await reset.ended()
        #expect(await store.stored.isEmpty)
    }
}

/// A store of snapshots. Its first write waits until the test calls `open`.
actor GatedStore: SnapshotStoring {
    private(set) var stored: [String: [UInt8]] = [:]
    private var isOpen = false
    private var waiting: CheckedContinuation<Void, Never>?
    private let writes = AsyncStream.makeStream(of: String.self)

    /// Waits until the next write begins, and returns the address of the view whose snapshot is written.
    @discardableResult
    nonisolated func begun() async -> String? {
        for await address in writes.stream { return address }
        return nil
    }

    func open() {
        isOpen = true
        waiting?.resume()
        waiting = nil
    }

    func snapshot(of view: StoredView) -> [UInt8]? { stored[view.address] }

    func store(_ snapshot: [UInt8], of view: StoredView) async {
        writes.continuation.yield(view.address)
        if !isOpen { await withCheckedContinuation { waiting = $0 } }
        stored[view.address] = snapshot
    }

    func removeSnapshots(of user: String) { stored = [:] }
}
