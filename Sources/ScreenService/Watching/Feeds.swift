import Logging
import Synchronization

/// The feeds of all followed views. It keeps them current.
final class Feeds: Sendable {
    private struct State {
        /// Their views are retained in the cache.
        var feeds: [ScreenView: ViewFeed] = [:]
        var pauses: [ViewFeed: Pause] = [:]
        var turns = RefreshTurns()
        var isDraining = false
        var followed: FollowedViews

        /// Stops counting followers that are no longer in a feed, and removes the feed if they were the last.
        mutating func end(_ removal: ViewFeed.Removal, of feed: ViewFeed, in cache: ViewCache) -> Ending? {
            for follower in removal.followers { followed.remove(follower.caller, from: feed) }
            guard !removal.followers.isEmpty, !feed.isFollowed else { return nil }
            var released: (any Sendable)?
            // Its place may have been taken by the feed of a view that has come back.
            if feeds[feed.view] === feed {
                feeds[feed.view] = nil
                released = cache.release(feed.view)
            }
            return Ending(pause: pauses[feed]?.task, released: released)
        }
    }

    /// The time that passes before a feed that could not be computed is tried again.
    private struct Pause {
        let task: Task<Void, Never>
        /// The topics that the computation had read when it failed. A commit that touches one of them may have repaired the cause.
        let reads: Set<Topic>
    }

    /// The rest of a feed that has lost its last follower.
    private struct Ending {
        /// To be cancelled.
        let pause: Task<Void, Never>?
        /// The parts of the cache that are to be released outside of locks.
        let released: (any Sendable)?
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
                state.withLock { $0.pauses[feed] }?.task.cancel()
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
        for feed in feeds { feed.finish() }
    }

    // Both under the lock, so that nobody joins a feed that is about to go.

    private func join(
        _ view: ScreenView, _ caller: LimitKey, _ wake: @escaping ViewFeed.Wake
    ) throws(FollowingFault) -> (ViewFeed, id: Int) {
        let bytes = cache.lastComputed(view)?.followedCost
        return try state.withLock { state throws(FollowingFault) in
            // One that is gone stays with those who have not left it yet; the view may have come back.
            let present = state.feeds[view].flatMap { $0.hasEnded && !state.isDraining ? nil : $0 }
            if let refusal = state.followed.refusal(of: caller, to: present, bytes: bytes) { throw refusal }
            let feed = present ?? begin(view, in: &state)
            state.followed.add(caller, to: feed, bytes: bytes)
            return (feed, feed.follow(by: caller, wake))
        }
    }

    private func begin(_ view: ScreenView, in state: inout State) -> ViewFeed {
        let feed = ViewFeed(view)
        if state.isDraining { feed.finish() }
        state.feeds[view] = feed
        cache.retain(view) { [weak self] in self?.refresh(outdated: view) }
        attendance.enter(view)
        return feed
    }

    /// The reason why a caller was removed from the followers of a view.
    private func refusal(of caller: LimitKey, to view: ScreenView) -> FollowingFault {
        let bytes = cache.lastComputed(view)?.followedCost
        return state.withLock { $0.followed.refusal(of: caller, to: nil, bytes: bytes) } ?? .tooMuchInAll
    }

    func leave(_ feed: ViewFeed, _ id: Int) {
        let latest = feed.latest
        let (_, ending) = state.withLock { state in
            let removal = feed.unfollow(id)
            return (removal, state.end(removal, of: feed, in: cache))
        }
        // The client may come back with it.
        if let latest { answers.noteUse(of: latest) }
        finish(feed, ending)
    }

    private func finish(_ feed: ViewFeed, _ ending: Ending?) {
        guard let ending else { return }
        ending.pause?.cancel()
        attendance.leave(feed.view)
    }

    /// Publishes a computed view, and ends the subscriptions of callers that may not follow it, as it is too large.
    private func publish(_ computed: ComputedView, for feed: ViewFeed) {
        feed.publish(computed)
        let (removal, faults, ending) = state.withLock { state -> (ViewFeed.Removal, [FollowingFault], Ending?) in
            // Of two that are published at once the older may be noted last.
            guard let latest = feed.latest else { return (ViewFeed.Removal(), [], nil) }
            let callers = state.followed.update(feed, bytes: latest.followedCost)
            guard !callers.isEmpty else { return (ViewFeed.Removal(), [], nil) }
            let removal = feed.removeFollowers(of: callers)
            let faults = removal.waiting.map { state.followed.excess(of: $0.caller) }
            return (removal, faults, state.end(removal, of: feed, in: cache))
        }
        guard !removal.followers.isEmpty else { return }
        // Their clients may come back with it.
        answers.noteUse(of: computed)
        finish(feed, ending)
        for (waiting, fault) in zip(removal.waiting, faults) { waiting.proceed(.failure(fault)) }
        for follower in removal.followers { follower.wake() }
    }
}

// MARK: - Refreshing

extension Feeds {
    /// Refreshes the feed of a view that is outdated.
    private func refresh(outdated view: ScreenView) {
        if let feed = state.withLock({ $0.feeds[view] }), feed.becomeStale() { refresh(feed) }
    }

    /// Refreshes a feed that became stale, or that a newcomer waits for.
    private func refresh(_ feed: ViewFeed) {
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
            if turn.feed.isFollowed, !turn.feed.hasEnded {
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
        // In progress from before the computation, so that announcements since then are remembered until a pause has begun.
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
        feed.finish()
        // A feed that has ended does not refresh again.
        _ = feed.endRefreshing()
    }

    /// Shows a view that was computed, or the cached one if that has replaced it. If a change was announced already, the view is
    /// shown nevertheless and then refreshed: followers of data that changes faster than it can be read see some of its states.
    private func accept(_ computed: ComputedView, for feed: ViewFeed) {
        var latest = computed
        if let cached = cache.view(feed.view), cached.number > computed.number { latest = cached }
        if !latest.isCurrent { _ = feed.becomeStale() }
        if let old = feed.latest { answers.prepare(from: old, to: latest) }
        publish(latest, for: feed)
        feed.endReading(.success(())) { [latest] in latest.isCurrent }
    }

    /// Shows the cached view in a feed that has shown nothing yet.
    ///
    /// - Returns: whether there is one that is current.
    private func showCached(in feed: ViewFeed) -> Bool {
        guard feed.latest == nil, !feed.hasEnded, let cached = cache.view(feed.view) else { return false }
        publish(cached, for: feed)
        return true
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
        feed.endReading(.failure(failure.cause)) { isCurrent }
        if feed.latest != nil, !(failure.cause is ScreenError) { log(failure.cause, failures, feed.view) }
        guard isCurrent else { return failures }
        if failure.cause is ScreenError || feed.latest == nil {
            feed.finish()
            return 0
        }
        pause(feed, after: failure, failures: failures)
        return nil
    }

    /// Tries again after a pause.
    private func pause(_ feed: ViewFeed, after failure: FailedComputation, failures: Int) {
        let pausing = Task.detached { [pause] in await pause(failures) }
        state.withLock { $0.pauses[feed] = Pause(task: pausing, reads: failure.reads) }
        // If an announcement, a newcomer or the last leaving follower came before the pause was stored, it could not cancel it.
        let isUnchanged = topics.ifUnchanged(failure.reads, since: failure.generation, { true }) ?? false
        if !isUnchanged || feed.isAwaited || !feed.isFollowed { pausing.cancel() }
        Task.detached { [self] in
            await pausing.value
            state.withLock { $0.pauses[feed] = nil }
            if feed.isFollowed { update(feed, failures: failures) } else { end(feed) }
        }
    }

    /// Tries views again that could not be computed and whose data may have changed. Called while that is announced.
    func endPauses(reading announcement: Announcement) {
        // That commits are not heard says nothing of what is in reach.
        guard announcement != .unheard else { return }
        let pausing = state.withLock { $0.pauses.values.filter { announcement.touches(anyOf: $0.reads) }.map(\.task) }
        for task in pausing { task.cancel() }
    }

    /// Tries a view again that could not be computed while an earlier computation of it had not ended.
    private func endPause(of view: ScreenView) {
        let pausing = state.withLock { state in state.feeds[view].flatMap { state.pauses[$0] } }
        pausing?.task.cancel()
    }

    private func log(_ error: any Error, _ failures: Int, _ view: ScreenView) {
        logger.warning(
            "a followed view could not be computed anew",
            metadata: ["screen": "\(view.screen)", "failures": "\(failures)", "error": "\(error)"]
        )
    }
}
