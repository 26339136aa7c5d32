import Foundation
import Testing

@testable import ScreenClient

@MainActor
struct StoringTests {
    let server = ScriptedTransport()
    let store = GatedStore()

    private func loaded(_ client: ScreenClient) async throws -> LiveScreen {
        let screen = client.screen("letters")
        let loading = Task { try await screen.refresh() }
        await server.next().respond(200, Letters.snapshot("1", "ab"))
        try await loading.value
        return screen
    }

    private func client(attempts: MemoryStore? = nil) -> ScreenClient {
        ScreenClient(base: URL(string: "http://test")!, user: "u", transport: server, snapshots: store, attempts: attempts)
    }

    @Test func aSnapshotIsStoredUnderTheAddressOfItsView() async throws {
        let screen = try await loaded(client())
        await store.begun()
        let refresh = Task { try await screen.refresh() }
        await server.next().respond(200, Letters.insert("c", at: 2, from: "1", to: "2"))
        try await refresh.value
        let search = Task { try await screen.show(["q": "a"]) }
        let request = await server.next()
        await store.open()
        #expect(await store.begun() == "http://test/screens/letters")
        request.respond(200, Letters.insert("d", at: 3, from: "2", to: "3"))
        try await search.value
        #expect(await store.begun() == "http://test/screens/letters?q=a")
    }

    @Test func aSnapshotThatIsBeingStoredIsRemovedIfTheUserChanges() async throws {
        let client = client()
        let screen = try await loaded(client)
        await store.begun()
        let reset = Task { await client.reset(user: nil) }
        await whenTrue { !screen.hasContent }
        await store.open()
        await reset.value
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
