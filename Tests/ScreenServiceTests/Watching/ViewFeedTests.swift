import Synchronization
import Testing

@testable import ScreenService

@Suite("The feed of a view") struct ViewFeedTests {
    private let feed = ViewFeed(.some("a"))
    private let resumed = Resumed()

    @Test func aRemovedFollowerDoesNotStartARefresh() {
        let id = feed.follow(by: .user("ada")) {}
        #expect(!feed.hasRemoved(id))
        #expect(feed.removeFollowers(of: [.user("ada")]).followers.count == 1)
        #expect(feed.hasRemoved(id))
        #expect(!feed.add(Newcomer(needsNewReading: false, resumed.note), id: id))
        #expect(resumed.errors == [nil] && !feed.isRefreshing && !feed.isAwaited)
    }

    @Test func aNewFollowerIsNotShownAViewComputedBeforeTheLastCommit() {
        _ = feed.follow {}
        #expect(feed.becomeOutdated() && !feed.beginReading())
        // The commit comes after the view was cached as current, and before the refresh has ended.
        #expect(!feed.becomeOutdated())
        #expect(!feed.add(Newcomer(needsNewReading: false, resumed.note), id: feed.follow {}))
        feed.endReading(.success(())) { true }
        #expect(resumed.errors.isEmpty)
        #expect(feed.endRefreshing() && !feed.beginReading())
        feed.endReading(.success(())) { true }
        #expect(resumed.errors == [nil])
    }
}

/// Records the results with which new followers were resumed.
private final class Resumed: Sendable {
    private let results = Mutex<[Result<Void, any Error>]>([])

    /// The error of each result, or nil if the result is a success.
    var errors: [FollowingFault?] {
        results.withLock { results in
            results.map { if case .failure(let error) = $0 { error as? FollowingFault } else { nil } }
        }
    }

    func note(_ result: Result<Void, any Error>) {
        results.withLock { $0.append(result) }
    }
}
