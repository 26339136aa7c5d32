@testable import ScreenService
import Synchronization
import Testing

@Suite("The feed of a view") struct ViewFeedTests {
    private let feed = ViewFeed(ScreenView(screen: "a", audience: .everyone, revision: 1, locale: .english, parameters: []))
    private let resumed = Resumed()

    @Test func aFollowerThatWasRemovedBeginsNoRefresh() {
        let id = feed.follow(by: .user("ada")) {}
        #expect(!feed.hasRemoved(id))
        #expect(feed.removeFollowers(of: [.user("ada")]).followers.count == 1)
        #expect(feed.hasRemoved(id))
        #expect(!feed.add(Newcomer(needsNewReading: false, resumed.note), id: id))
        #expect(resumed.errors == [nil] && !feed.isRefreshing && !feed.isAwaited)
    }

    @Test func aNewcomerAfterACommitIsNotShownAViewFromBeforeIt() {
        _ = feed.follow {}
        #expect(feed.becomeStale() && !feed.beginReading())
        // The view has been registered as current. The commit comes while it is prepared.
        #expect(!feed.becomeStale())
        #expect(!feed.add(Newcomer(needsNewReading: false, resumed.note), id: feed.follow {}))
        feed.endReading(.success(())) { true }
        #expect(resumed.errors.isEmpty)
        #expect(feed.endRefreshing() && !feed.beginReading())
        feed.endReading(.success(())) { true }
        #expect(resumed.errors == [nil])
    }
}

/// The results with which newcomers were resumed.
private final class Resumed: Sendable {
    private let results = Mutex<[Result<Void, any Error>]>([])

    /// The errors of the results; nil for success.
    var errors: [FollowingFault?] {
        results.withLock { results in
            results.map { if case .failure(let error) = $0 { error as? FollowingFault } else { nil } }
        }
    }

    func note(_ result: Result<Void, any Error>) {
        results.withLock { $0.append(result) }
    }
}
