import ExampleRecords
import Foundation
import ScreenService

/// The state of all processes that have one store, in which it lies as JSON.
struct SharedPostsFeed: PostsFeedStoring {
    let store: Store<PostsFeedTransaction>
    /// Whose posts they are: during an update some processes may ask another one.
    let upstream: String
    /// Those of the store, which hear of the commits of all processes.
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
        topics.announcements(of: Topic(PostsFeedTopics.progress))
    }
}

extension PostsFeed.State {
    /// The state that was saved. What another release has saved in another shape is loaded anew.
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
