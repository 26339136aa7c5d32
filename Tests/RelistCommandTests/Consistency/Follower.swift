import HTTPServer
import RawClient
import Testing

/// A client that follows one view on a stream from one replica.
final class Follower: Sendable {
    let target: String
    private let replica: Int
    private let client: RawClient
    private let log: ConsistencyLog
    private let versions: AsyncStream<String>
    private let note: AsyncStream<String>.Continuation

    /// Opens a stream of the view.
    ///
    /// - Parameter target: the path of a screen with its query string.
    init(of target: String, at replica: Int, of replicas: Replicas, _ log: ConsistencyLog) async throws {
        (self.target, self.replica, self.log) = (target, replica, log)
        (versions, note) = AsyncStream.makeStream()
        client = try await RawClient(replicas.servers[replica].address)
        try await client.begin("GET", target.replacing("?", with: "/changes?", maxReplacements: 1), ["Accept": "text/event-stream"])
        let head = try await client.response()
        try #require(head.status == 200)
    }

    /// Receives events until the stream ends.
    ///
    /// - Returns: the last version that the client received.
    func follow() async throws -> String? {
        defer { note.finish() }
        let view = ConsistencyLog.View(client: "the follower", replica: replica, target: target)
        var held = HeldScreen()
        while let event = try await client.documentEvent() {
            try held.applyEvent(event)
            guard let version = held.version, let document = held.document else { continue }
            log.note(document, of: version, shownTo: view, notBefore: nil)
            note.yield(version)
        }
        return held.version
    }

    /// Waits until the client has received a version. Returns false if the stream ends before the version is received.
    func holds(_ version: String) async -> Bool {
        for await held in versions where held == version { return true }
        return false
    }
}
