import ExampleRecords
import Foundation
import ScreenService

/// A store of the state of ``PostsFeed`` in a database. All processes with this database share the state, which is stored as JSON.
struct SharedPostsFeed: PostsFeedStoring {
    let store: Store<PostsFeedTransaction>
    /// The URL of the upstream. While processes are updated one by one, they may have different upstreams.
    let upstream: String
    /// The object that announces the topics of the commits of all processes with this database.
    let topics: Topics

    func state() async throws -> PostsFeed.State {
        try await store.read { PostsFeed.State(json: try $0.postsFeed(of: upstream)) }
    }

    func take(_ event: PostsFeed.Event) async throws -> PostsFeed.State {
        try await store.write { transaction in
            let before = PostsFeed.State(json: try transaction.postsFeed(of: upstream))
            var after = before
            PostsFeed.reduce(&after, event)
            if after != before {
                try transaction.savePostsFeed(try after.json, of: upstream, isShown: after.looksDifferent(from: before))
            }
            return after
        }
    }

    func changes() -> AsyncStream<Void> {
        topics.announcements(of: PostsFeedTransaction.progress)
    }
}

extension PostsFeed.State {
    /// Creates the state that was saved as JSON. Creates a new state if a different release saved it in a different format, or if none was
    /// saved.
    init(json: String?) {
        let saved = json.flatMap { try? JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
        self = saved.flatMap { $0.isCountable ? $0 : nil } ?? Self()
    }

    /// A Boolean value that indicates whether the counts can grow without an overflow. A database may hold any number.
    private var isCountable: Bool {
        [failureCount, loaded.count].allSatisfy((0...Int(Int32.max)).contains)
    }

    var json: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}
