import Logging
import Synchronization

/// The feeds of all views that somebody follows. It keeps them current.
final class Feeds: Sendable {
    private struct State {
        var feeds: [ScreenView: ViewFeed] = [:]
        /// By what their latest was computed from: to be told, once, of the next announcement.
        var readers = TopicReaders<ViewFeed>()
        /// What goes by before feeds that could not be computed are tried again.
        var pauses: [ViewFeed: Task<Void, Never>] = [:]
        /// The pausing feeds, by the topics that their last computation had read when it failed. A commit that touches one of
        /// these may have repaired the cause.
        var failed = TopicReaders<ViewFeed>()
        var turns = RefreshTurns()
        var isDraining = false
        var followed: FollowedViews

        /// Stops counting followers that are no longer in a feed, and removes the feed if they were the last.
        ///
        /// - Returns: the pause of a removed feed, to be cancelled.
        mutating func end(_ removal: ViewFeed.Removal, of feed: ViewFeed) -> Task<Void, Never>? {
            for follower in removal.followers { followed.remove(follower.caller, from: feed) }
            guard !feed.isFollowed else { return nil }
            if feeds[feed.view] === feed { feeds[feed.view] = nil }
            readers.remove(feed)
            failed.remove(feed)
            return pauses[feed]
        }
    }

    /// How long to wait before what failed is tried again; longer with each failure.
    private static let pauses: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(15)]

    /// The timeout after which a stream begins although its first computation still waits for its turn. It is shorter than the
    /// timeouts of proxies.
    static let turnTimeout = Duration.seconds(5)

    static let pauseAfterFailure: @Sendable (_ failures: Int) async -> Void = { failures in
        try? await Task.sleep(for: pause(after: failures))
    }

    static func pause(after failures: Int) -> Duration {
        pauses[min(failures, pauses.count) - 1]
    }

    private let computations: Computations
    private let topics: Topics
    private let cache: ViewCache
    private let answers: Answers
    private let attendance: Attendance
    /// Runs the comparisons, which take turns with computations.
    private let comparing: RefreshExecutor
    private let timers: Timers
    private let logger: Logger
    private let pause: @Sendable (_ failures: Int) async -> Void
    private let state: Mutex<State>

    init(
        computations: Computations, topics: Topics, cache: ViewCache, answers: Answers, attendance: Attendance,
        refreshing: RefreshExecutor, timers: Timers, bounds: FollowingBounds = FollowingBounds(), logger: Logger,
        pause: @escaping @Sendable (_ failures: Int) async -> Void = pauseAfterFailure
    ) {
        self.computations = computations
        self.topics = topics
        self.cache = cache
        self.answers = answers
        self.attendance = attendance
        comparing = refreshing.executor(for: "comparisons")
        self.timers = timers
        self.logger = logger
        self.pause = pause
        state = Mutex(State(followed: FollowedViews(within: bounds)))
        computations.stragglers.observeEnds { [weak self] view in self?.endPause(of: view) }
    }

    /// How many views are followed.
    var count: Int { state.withLock { $0.feeds.count } }

    /// Whether some could not be computed, and are to be tried again.
    var isPausing: Bool { state.withLock { !$0.pauses.isEmpty } }

    /// How many feeds are told of announcements, and of how many topics.
    var registered: (feeds: Int, topics: Int) {
        state.withLock { ($0.readers.count + $0.failed.count, $0.readers.topicCount + $0.failed.topicCount) }
    }

    /// Follows a view. The subscription is returned when the view is current, so that its client is shown nothing older than it has
    /// seen. It ends when it is released.
    ///
    /// First computations take turns with refreshes. If the task is cancelled, or the turn does not come in time, the work returns
    /// the subscription without anything to show yet.
    ///
    /// - Parameters:
    ///   - caller: the party whose followed views are counted.
    ///   - position: of a commit that the client has seen something of.
    ///   - turnTimeout: the time to wait for the turn.
    /// - Throws: ``FollowingFault``, before anything is computed if possible; what computing it throws.
    func follow(
        _ view: ScreenView, for caller: LimitKey = .unknown, at position: Position? = nil,
        turnTimeout: Duration = Feeds.turnTimeout, _ wake: @escaping ViewFeed.Wake
    ) -> Eventual<Subscription> {
        let (feed, id): (ViewFeed, Int)
        do { (feed, id) = try join(view, caller, wake) } catch { return .later { throw error } }
        cache.boundFollowed()
        attendance.enter(view)
        let subscription = Subscription(of: feed, id: id, in: self)
        let isHeard = topics.heard.map { heard in heard.isTrusted && position.map { $0 <= heard.position } ?? true } ?? true
        if isHeard, feed.isCurrent || showCached(in: feed) { return .now(subscription) }
        return .later { [self] in
            do {
                let needsNewReading = await !computations.canTrustWhatIsCached(at: position)
                try await wait(for: feed, as: id, upTo: turnTimeout, needsNewReading: needsNewReading)
                if feed.hasRemoved(id) { throw refusal(of: caller, to: view) }
                return subscription
            } catch {
                // Before anybody hears of it.
                subscription.cancel()
                throw error
            }
        }
    }

    /// Waits until a feed is as new as the data at the call.
    ///
    /// - Throws: what computing it throws.
    private func wait(for feed: ViewFeed, as id: Int, upTo turnTimeout: Duration, needsNewReading: Bool) async throws {
        var stopTimer: (@Sendable () -> Void)?
        defer { stopTimer?() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let newcomer = Newcomer(needsNewReading: needsNewReading) { continuation.resume(with: $0) }
                if feed.add(newcomer, id: id) { refresh(feed) }
                // A newcomer waits for a turn, but not for a pause.
                state.withLock { $0.pauses[feed] }?.cancel()
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

    /// The changes from the version that a client holds to what a feed shows. They are made on the refresh executor.
    func changes(from version: String?, to latest: ComputedView) -> Eventual<Document> {
        let changes = answers.changes(from: version, to: latest)
        guard case .later(let make) = changes else { return changes }
        return .later { [comparing] in try await withTaskExecutorPreference(comparing) { try await make() } }
    }

    /// Ends all feeds, and each that comes.
    func drain() {
        let feeds = state.withLock { state in
            state.isDraining = true
            return Array(state.feeds.values)
        }
        for feed in feeds { feed.finish(.draining) }
    }

    // Both under the lock, so that nobody joins a feed that is about to go.

    private func join(
        _ view: ScreenView, _ caller: LimitKey, _ wake: @escaping ViewFeed.Wake
    ) throws(FollowingFault) -> (ViewFeed, id: Int) {
        let bytes = cache.lastComputed(view)?.followedCost
        return try state.withLock { state throws(FollowingFault) in
            // One that is gone stays with those who have not left it yet; the view may have come back.
            let present = state.feeds[view].flatMap { $0.end == .gone ? nil : $0 }
            if let refusal = state.followed.refusal(of: caller, to: present, bytes: bytes) { throw refusal }
            let feed = present ?? ViewFeed(view)
            // One that was there has been ended.
            if state.isDraining, present == nil { feed.finish(.draining) }
            state.feeds[view] = feed
            state.followed.add(caller, to: feed, bytes: bytes)
            cache.retain(view)
            return (feed, feed.follow(by: caller, wake))
        }
    }

    /// The reason why a caller was removed from the followers of a view.
    private func refusal(of caller: LimitKey, to view: ScreenView) -> FollowingFault {
        let bytes = cache.lastComputed(view)?.followedCost
        return state.withLock { $0.followed.refusal(of: caller, to: nil, bytes: bytes) } ?? .tooMuchInAll
    }

    func leave(_ feed: ViewFeed, _ id: Int) {
        let latest = feed.latest
        let (removal, pausing) = state.withLock { state in
            let removal = feed.unfollow(id)
            return (removal, state.end(removal, of: feed))
        }
        pausing?.cancel()
        for _ in removal.followers { cache.release(feed.view) }
        // Who leaves may come back with it.
        if let latest { answers.noteUse(of: latest) }
        attendance.leave(feed.view)
    }

    /// Publishes a computed view, and ends the subscriptions of callers that may not follow it, as it is too large.
    private func publish(_ computed: ComputedView, for feed: ViewFeed) {
        feed.publish(computed)
        let (removal, faults, pausing) = state.withLock { state -> (ViewFeed.Removal, [FollowingFault], Task<Void, Never>?) in
            // Of two that are published at once the older may be noted last.
            guard let latest = feed.latest else { return (ViewFeed.Removal(), [], nil) }
            let callers = state.followed.update(feed, bytes: latest.followedCost)
            guard !callers.isEmpty else { return (ViewFeed.Removal(), [], nil) }
            let removal = feed.removeFollowers(of: callers)
            let faults = removal.waiting.map { state.followed.excess(of: $0.caller) }
            return (removal, faults, state.end(removal, of: feed))
        }
        guard !removal.followers.isEmpty else { return }
        pausing?.cancel()
        // Their clients may come back with it.
        answers.noteUse(of: computed)
        for _ in removal.followers { cache.release(feed.view) }
        for (waiting, fault) in zip(removal.waiting, faults) { waiting.proceed(.failure(fault)) }
        for follower in removal.followers { follower.wake() }
    }
}

// MARK: - Refreshing

extension Feeds {
    /// Finds the feeds that read something of what is announced. Called while they are announced, so that nobody is shown a view as
    /// current whose successor others can get.
    ///
    /// - Returns: those that are to be refreshed.
    func outdate(reading announcement: Announcement) -> [ViewFeed] {
        let (readers, pauses) = state.withLock { state in
            // That commits are not heard says nothing of what is in reach.
            let failed = announcement == .unheard ? [] : state.failed.removeAll(reading: announcement)
            return (state.readers.removeAll(reading: announcement), failed.compactMap { state.pauses[$0] })
        }
        for pause in pauses { pause.cancel() }
        return readers.filter { $0.becomeStale() }
    }

    /// Refreshes a feed that became stale, or that a newcomer waits for.
    func refresh(_ feed: ViewFeed) {
        update(feed, failures: 0)
    }

    /// Adds a turn for a feed.
    private func update(_ feed: ViewFeed, failures: Int) {
        let turn = RefreshTurns.Turn(feed: feed, failures: failures, size: feed.latest?.snapshot.bytes.count)
        begin(state.withLock { $0.turns.add(turn) })
    }

    private func begin(_ turns: [RefreshTurns.Turn]) {
        var turns = turns
        while !turns.isEmpty {
            let turn = turns.removeFirst()
            if turn.feed.isFollowed, turn.feed.end == nil {
                refresh(in: turn)
            } else {
                // All may have left while it waited. Followers who come later have another feed.
                end(turn.feed)
                turns += state.withLock { $0.turns.end(turn) }
            }
        }
    }

    private func refresh(in turn: RefreshTurns.Turn) {
        let feed = turn.feed
        let needsNewReading = feed.beginReading()
        // In progress from before the computation, so that announcements since then are remembered until the feed is registered.
        let generation = topics.beginComputation()
        computations.refresh(feed.view, isAnew: needsNewReading) { [self] result in
            let failures: Int?
            switch result {
            case .success(let computed):
                accept(computed, for: feed)
                failures = 0
            case .failure(let error):
                failures = accept(error, of: turn)
            }
            topics.endComputation(begunIn: generation)
            begin(state.withLock { $0.turns.end(turn) })
            if let failures, feed.endRefreshing() { update(feed, failures: failures) }
        }
    }

    private func end(_ feed: ViewFeed) {
        feed.finish(.gone)
        // A feed that has ended does not refresh again.
        _ = feed.endRefreshing()
    }

    /// Shows a view that was computed, and registers the feed for the next change. If that was announced already, the view is shown
    /// nevertheless and then refreshed: followers of data that changes faster than it can be read see some of its states.
    private func accept(_ computed: ComputedView, for feed: ViewFeed) {
        let isCurrent = register(computed, for: feed)
        if !isCurrent { _ = feed.becomeStale() }
        if let old = feed.latest { answers.prepare(from: old, to: computed) }
        publish(computed, for: feed)
        feed.endReading(.success(()), isCurrent: isCurrent)
    }

    /// Shows the cached view in a feed that has shown nothing yet.
    ///
    /// - Returns: whether there is one that is current.
    private func showCached(in feed: ViewFeed) -> Bool {
        guard feed.latest == nil, feed.end == nil else { return false }
        let generation = topics.beginComputation()
        defer { topics.endComputation(begunIn: generation) }
        guard let cached = cache.view(feed.view), register(cached, for: feed) else { return false }
        publish(cached, for: feed)
        return true
    }

    /// - Returns: whether nothing of what it was computed from has been announced since.
    private func register(_ computed: ComputedView, for feed: ViewFeed) -> Bool {
        let registration: Void? = topics.ifUnchanged(computed.topics, since: computed.generation) {
            // All may have left meanwhile: nothing would remove the feed.
            state.withLock { if feed.isFollowed { $0.readers.insert(feed, reading: computed.topics) } }
        }
        return registration != nil
    }
}

// MARK: - Failures

extension Feeds {
    /// Ends a feed if its view is gone, or if it has shown nothing yet. Any other is tried again after a pause, or at once if a topic
    /// was announced that the computation had read. Followers keep what they have.
    ///
    /// - Returns: the failures to go on with at once; nil if it pauses.
    private func accept(_ error: any Error, of turn: RefreshTurns.Turn) -> Int? {
        let (feed, failures) = (turn.feed, turn.failures + 1)
        let failure = error as? FailedComputation ?? FailedComputation(cause: error, reads: [], generation: topics.generation)
        let isCurrent = topics.ifUnchanged(failure.reads, since: failure.generation, { true }) ?? false
        if !isCurrent { _ = feed.becomeStale() }
        feed.endReading(.failure(failure.cause), isCurrent: isCurrent)
        if feed.latest != nil, !(failure.cause is ScreenError) { log(failure.cause, failures, feed.view) }
        guard isCurrent else { return failures }
        if failure.cause is ScreenError || feed.latest == nil {
            feed.finish(.gone)
            return 0
        }
        pause(feed, after: failure, failures: failures)
        return nil
    }

    /// Tries again after a pause.
    private func pause(_ feed: ViewFeed, after failure: FailedComputation, failures: Int) {
        let pausing = Task.detached { [pause] in await pause(failures) }
        state.withLock { $0.pauses[feed] = pausing }
        let isRegistered: Void? = topics.ifUnchanged(failure.reads, since: failure.generation) {
            state.withLock { if feed.isFollowed { $0.failed.insert(feed, reading: failure.reads) } }
        }
        // If an announcement, a newcomer or the last leaving follower came before the pause was stored, it could not cancel it.
        if isRegistered == nil || feed.isAwaited || !feed.isFollowed { pausing.cancel() }
        Task.detached { [self] in
            await pausing.value
            state.withLock { state in
                state.pauses[feed] = nil
                state.failed.remove(feed)
            }
            if feed.isFollowed { update(feed, failures: failures) } else { end(feed) }
        }
    }

    /// Tries a view again that could not be computed while an earlier computation of it had not ended.
    private func endPause(of view: ScreenView) {
        let pausing = state.withLock { state in state.feeds[view].flatMap { state.pauses[$0] } }
        pausing?.cancel()
    }

    private func log(_ error: any Error, _ failures: Int, _ view: ScreenView) {
        logger.warning(
            "a followed view could not be computed anew",
            metadata: ["screen": "\(view.screen)", "failures": "\(failures)", "error": "\(error)"]
        )
    }
}
