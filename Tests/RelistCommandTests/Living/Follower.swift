import HTTPServer
import RawClient
import Testing

/// A client that follows one view at one replica from beginning to end.
final class Follower: Sendable {
    let target: String
    private let replica: Int
    private let client: RawClient
    private let chronicle: Chronicle
    private let versions: AsyncStream<String>
    private let note: AsyncStream<String>.Continuation

    /// - Parameter target: the address of a screen with its parameters.
    init(of target: String, at replica: Int, of replicas: Replicas, _ chronicle: Chronicle) async throws {
        (self.target, self.replica, self.chronicle) = (target, replica, chronicle)
        (versions, note) = AsyncStream.makeStream()
        client = try await RawClient(replicas.servers[replica].address)
        try await client.begin("GET", target.replacing("?", with: "/changes?", maxReplacements: 1), ["Accept": "text/event-stream"])
        let head = try await client.response()
        try #require(head.status == 200)
    }

    /// Takes what comes until nothing more does.
    ///
    /// - Returns: the version that it holds then.
    func follow() async throws -> String? {
        defer { note.finish() }
        let watch = Chronicle.Watch(client: "the follower", replica: replica, target: target)
        var held = HeldScreen()
        while let event = try await client.event() {
            guard event.hasPrefix("event: ") else { continue }
            try held.take(event)
            guard let version = held.version, let document = held.document else { continue }
            chronicle.note(document, of: version, shownTo: watch, notBefore: nil)
            note.yield(version)
        }
        return held.version
    }

    /// Waits until it has held a version; false where it ends without.
    func holds(_ version: String) async -> Bool {
        for await held in versions where held == version { return true }
        return false
    }
}
