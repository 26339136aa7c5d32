import Logging
import Synchronization

/// The feeds of all followed views. Each view that has followers (streams or waiting requests) has one feed. The feed shows the latest
/// computed view to all its followers.
///
/// 1. A follower joins the feed of a view. If there is none, a feed is created. The follower is a ``Newcomer`` until it is shown a view.
/// 2. When a topic that the view read is announced, the feed becomes outdated and is refreshed. A refresh waits for a turn
///    (``RefreshTurns``), computes the view, and wakes the followers. The first computation of a view is also called a refresh.
/// 3. If the computation fails, the feed becomes stale: its followers are notified that they may miss changes. The refresh is repeated
///    after a time that is called backoff. It is repeated immediately if a topic that the failed computation read has been announced.
/// 4. The feed ends when the service stops or the view no longer exists. A feed without followers is removed.
final class Feeds: Sendable {
    struct State {
        /// The feed of each followed view. The cache retains the views.
        var feeds: [ScreenView: ViewFeed] = [:]
        var backoffs: [ViewFeed: Backoff] = [:]
        var turns = RefreshTurns()
        fileprivate var isDraining = false
        fileprivate(set) var followed: FollowedViews

        /// Subtracts the removed followers of a feed from the counts in `followed`. If the feed has no followers any more, also removes the
        /// feed.
        fileprivate mutating func end(_ removal: ViewFeed.Removal, of feed: ViewFeed, in cache: ViewCache) -> EndedFeed? {
            for follower in removal.followers { followed.remove(follower.caller, from: feed) }
            guard !removal.followers.isEmpty, !feed.isFollowed else { return nil }
            var released: (any Sendable)?
            // The view of a feed that has ended may already have a new feed.
            if feeds[feed.view] === feed {
                feeds[feed.view] = nil
                released = cache.release(feed.view)
            }
            return EndedFeed(backoff: backoffs[feed]?.task, released: released)
        }
    }

    /// The delay between a failed computation of a view and the next attempt to compute the view.
    struct Backoff {
        let task: Task<Void, Never>
        /// The topics that the failed computation read. The delay ends early when one of these topics is announced.
        let reads: Set<Topic>
        /// A Boolean value that indicates whether `retry` has checked for events that occurred before this backoff was stored and would
        /// have ended it. Only tests read this value.
        var isChecked = false
    }

    /// The parts of a removed feed that must be cancelled or released.
    fileprivate struct EndedFeed {
        /// The task that waits for the end of the feed's backoff, or `nil` if there is no backoff. `finish` cancels the task.
        let backoff: Task<Void, Never>?
        /// The removed cache entries, which must be released while no lock is held.
        let released: (any Sendable)?
    }

    /// The maximum time for which a new stream waits until the computation of its view gets a turn (``RefreshTurns``). After this time, the
    /// stream begins without a view. The time is shorter than the timeouts of proxies.
    static let turnTimeout = Duration.seconds(5)

    let computations: Computations
    let topics: Topics
    let cache: ViewCache
    let answers: Answers
    let logger: Logger
    /// A function that waits before a failed computation is repeated.
    let backOff: @Sendable (_ failures: Int) async -> Void
    let state: Mutex<State>
    private let isMissingCommits = Atomic(false)
    private let watchTasks: WatchTasks
    /// The executor that compares versions. It shares its threads with computations.
    private let comparing: BackgroundExecutor
    private let timers: Timers
    private let metrics: ServiceMetrics
    private let clock: any WallClock

    init(
        computations: Computations, topics: Topics, cache: ViewCache, answers: Answers, watchTasks: WatchTasks,
        refreshing: BackgroundExecutor, timers: Timers, metrics: ServiceMetrics, clock: any WallClock = SystemClock(),
        bounds: FollowingBounds = FollowingBounds(), logger: Logger,
        backOff: @escaping @Sendable (_ failures: Int) async -> Void = { try? await Task.sleep(for: Feeds.backoffTime(after: $0)) }
    ) {
        self.computations = computations
        self.topics = topics
        self.cache = cache
        self.answers = answers
        self.watchTasks = watchTasks
        comparing = refreshing.executor(for: "comparisons")
        self.timers = timers
        self.metrics = metrics
        self.clock = clock
        self.logger = logger
        self.backOff = backOff
        state = Mutex(State(followed: FollowedViews(within: bounds)))
        computations.stragglers.observeEnds { [weak self] view in self?.endBackoffs(of: view) }
    }

    /// A Boolean value that indicates whether this replica does not receive the commits of other replicas.
    var missesCommits: Bool { isMissingCommits.load(ordering: .acquiring) }

    var count: Int { state.withLock { $0.feeds.count } }

    var followerCount: Int { state.withLock { $0.followed.followerCount } }

    /// Follows a view. The subscription is returned when the feed is current, so that the client is not shown an older view than it already
    /// has. If the task is cancelled, or if the computation of the view does not get a turn within `turnTimeout`, the subscription is
    /// returned without a view.
    ///
    /// - Throws: ``FollowingFault`` if a limit is reached, and the errors of the computation.
    func follow(
        _ view: ScreenView, for caller: LimitKey = .unknown, at position: Position? = nil,
        turnTimeout: Duration = Feeds.turnTimeout, _ wake: @escaping ViewFeed.Wake
    ) -> Eventual<Subscription> {
        let (feed, id): (ViewFeed, Int)
        do { (feed, id) = try join(view, caller, wake) } catch { return .later { throw error } }
        let subscription = Subscription(of: feed, id: id, in: self)
        let isReceived = topics.received.map { received in received.isTrusted && position.map { $0 <= received.position } ?? true } ?? true
        if isReceived, feed.isCurrent || showCached(in: feed) { return .now(subscription) }
        return .later { [self] in
            do {
                let needsNewReading = await !computations.isCacheTrusted(at: position)
                try await wait(for: feed, as: id, upTo: turnTimeout, needsNewReading: needsNewReading)
                if feed.hasRemoved(id) { throw refusal(of: caller, to: view) }
                return subscription
            } catch {
                // The subscription is cancelled first, so that the view no longer counts towards the limits of followed views when the
                // error is reported.
                subscription.cancel()
                throw error
            }
        }
    }

    /// Waits until the view of a feed includes all changes that were made before the call.
    private func wait(for feed: ViewFeed, as id: Int, upTo turnTimeout: Duration, needsNewReading: Bool) async throws {
        var stopTimer: (@Sendable () -> Void)?
        defer { stopTimer?() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let newcomer = Newcomer(needsNewReading: needsNewReading) { continuation.resume(with: $0) }
                if feed.add(newcomer, id: id) { refresh(feed) }
                // A new follower ends the backoff of the feed, if there is one, so that the view is computed immediately.
                state.withLock { $0.backoffs[feed] }?.task.cancel()
                stopTimer = timers.schedule(after: turnTimeout) { [computations] in
                    feed.stopWaiting(id, unlessReading: true)
                    if feed.isAwaited { computations.expedite(feed.view) }
                }
                if Task.isCancelled { feed.stopWaiting(id) }
            }
        } onCancel: {
            feed.stopWaiting(id)
        }
    }

    /// Returns the changes from a client's version to a view. They are computed on the refresh executor.
    func changes(from version: String?, to latest: ComputedView) -> Eventual<Document> {
        let changes = answers.changes(from: version, to: latest)
        guard case .later(let make) = changes else { return changes }
        return .later { [comparing] in try await withTaskExecutorPreference(comparing) { try await make() } }
    }

    /// Ends all feeds. A feed that is created later ends immediately.
    func drain() {
        let feeds = state.withLock { state in
            state.isDraining = true
            return Array(state.feeds.values)
        }
        for feed in feeds { feed.finish() }
    }

    /// Records whether this replica receives the commits of other replicas.
    ///
    /// - Returns: `true` if this replica has just ceased to receive commits. In this case, the calling code must call ``becomeStale()``
    ///   after the announcement.
    func noteMissedCommits(in announcement: Announcement) -> Bool {
        switch announcement {
        case .topics: return false
        case .everything:
            isMissingCommits.store(false, ordering: .releasing)
            return false
        case .missed: return !isMissingCommits.exchange(true, ordering: .acquiringAndReleasing)
        }
    }

    func becomeStale() {
        let feeds = state.withLock { Array($0.feeds.values) }
        for feed in feeds { feed.becomeStale() }
    }

    // `join` and `begin` run under the lock, so that a follower cannot join a feed that is about to be removed.

    private func join(
        _ view: ScreenView, _ caller: LimitKey, _ wake: @escaping ViewFeed.Wake
    ) throws(FollowingFault) -> (ViewFeed, id: Int) {
        let bytes = cache.lastComputed(view)?.followedCost
        return try state.withLock { state throws(FollowingFault) in
            // A feed that has ended may still have followers. A new follower does not join such a feed, but a new feed. While the service
            // stops, the ended feed is used, because a new feed would end immediately.
            let present = state.feeds[view].flatMap { $0.hasEnded && !state.isDraining ? nil : $0 }
            if let refusal = state.followed.refusal(of: caller, to: present, bytes: bytes) { throw refusal }
            let feed = present ?? begin(view, in: &state)
            state.followed.add(caller, to: feed, bytes: bytes)
            return (feed, feed.follow(by: caller, wake))
        }
    }

    private func begin(_ view: ScreenView, in state: inout State) -> ViewFeed {
        let feed = ViewFeed(view) { [lag = metrics.followerLag] in lag.record($0) }
        if state.isDraining { feed.finish() }
        state.feeds[view] = feed
        cache.retain(view) { [weak self] in self?.refresh(outdated: view) }
        watchTasks.addWatcher(of: view)
        return feed
    }

    /// Returns the reason why a caller was removed from the followers of a view.
    private func refusal(of caller: LimitKey, to view: ScreenView) -> FollowingFault {
        let bytes = cache.lastComputed(view)?.followedCost
        return state.withLock { $0.followed.refusal(of: caller, to: nil, bytes: bytes) } ?? .totalLimitReached
    }

    func unfollow(_ feed: ViewFeed, _ id: Int) {
        let latest = feed.latest
        let (_, ended) = state.withLock { state in
            let removal = feed.unfollow(id)
            return (removal, state.end(removal, of: feed, in: cache))
        }
        // The use of the latest version is recorded in history, because the client may present this version later.
        if let latest { answers.noteUse(of: latest) }
        finish(feed, ended)
    }

    private func finish(_ feed: ViewFeed, _ ended: EndedFeed?) {
        guard let ended else { return }
        ended.backoff?.cancel()
        feed.setExpiryTimer(nil)
        watchTasks.removeWatcher(of: feed.view)
    }

    /// Shows a computed view to the followers of a feed. Ends the subscriptions of callers for whom the view is too large.
    ///
    /// - Parameter includesAllCommits: `false` if the view may lack commits that this replica has not received.
    func publish(_ computed: ComputedView, for feed: ViewFeed, includesAllCommits: Bool = true) {
        feed.publish(computed) { !includesAllCommits || missesCommits }
        let (removal, faults, ended) = state.withLock { state -> (ViewFeed.Removal, [FollowingFault], EndedFeed?) in
            // The size of the latest view is recorded in `followed`, because another thread may have published a newer view than
            // `computed`.
            guard let latest = feed.latest else { return (ViewFeed.Removal(), [], nil) }
            let callers = state.followed.update(feed, bytes: latest.followedCost)
            guard !callers.isEmpty else { return (ViewFeed.Removal(), [], nil) }
            let removal = feed.removeFollowers(of: callers)
            let faults = removal.waiting.map { state.followed.excess(of: $0.caller) }
            return (removal, faults, state.end(removal, of: feed, in: cache))
        }
        refreshAtExpiry(of: feed)
        guard !removal.followers.isEmpty else { return }
        // The use of the version is recorded in history, because the clients of the removed followers may present this version later.
        answers.noteUse(of: computed)
        finish(feed, ended)
        for (waiting, fault) in zip(removal.waiting, faults) { waiting.proceed(.failure(fault)) }
        for follower in removal.followers { follower.wake() }
    }

    /// Schedules a refresh of a feed for the time after which its latest view is outdated.
    private func refreshAtExpiry(of feed: ViewFeed) {
        let stop = feed.latest?.expiry.map { expiry in
            clock.schedule(at: expiry.instant) { [weak self] in self?.refresh(outdated: feed.view) }
        }
        feed.setExpiryTimer(stop)
        // If the last follower has left meanwhile, the timer of the feed may already have been removed for the last time.
        if !feed.isFollowed { feed.setExpiryTimer(nil) }
    }

    /// Shows the cached view in a feed that has shown no view. Returns `false` if no current view is cached.
    private func showCached(in feed: ViewFeed) -> Bool {
        guard feed.latest == nil, !feed.hasEnded, let cached = cache.view(feed.view) else { return false }
        publish(cached, for: feed)
        return true
    }
}
