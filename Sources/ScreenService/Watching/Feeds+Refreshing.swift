import Logging
import Synchronization

extension Feeds {
    func refresh(outdated view: ScreenView) {
        if let feed = state.withLock({ $0.feeds[view] }), feed.becomeOutdated() { refresh(feed) }
    }

    /// Requests a turn for a refresh of a feed. `failures` states how many times in a row the computation of the feed's view has failed so
    /// far.
    func refresh(_ feed: ViewFeed, failures: Int = 0) {
        var turn = RefreshTurns.Turn(feed: feed, failures: failures, size: feed.latest?.snapshot.bytes.count)
        let begun = state.withLock { state in
            turn.caller = state.followed.onlyCaller(of: feed)
            return state.turns.add(turn)
        }
        begin(begun)
    }

    private func begin(_ turns: [RefreshTurns.Turn]) {
        var turns = turns
        while !turns.isEmpty {
            let turn = turns.removeFirst()
            if turn.feed.isFollowed, !turn.feed.hasEnded {
                refresh(in: turn)
            } else {
                // All followers may have left, or the feed may have ended, since the turn was requested. In this case, nothing is
                // refreshed.
                end(turn.feed)
                turns += state.withLock { $0.turns.end(turn) }
            }
        }
    }

    private func refresh(in turn: RefreshTurns.Turn) {
        let feed = turn.feed
        let isReported = !missesCommits
        let needsNewReading = feed.beginReading()
        // `topics` remembers which topics are announced between `beginComputation` and `endComputation`. After a failure, `accept` and
        // `retry` need these announcements, so `endComputation` is called after them.
        let generation = topics.beginComputation()
        computations.refresh(feed.view, isAnew: needsNewReading) { [self] result in
            let failures: Int?
            switch result {
            case .success(let computed):
                accept(computed, for: feed, isReported: isReported)
                failures = 0
            case .failure(let error):
                failures = accept(error, of: turn)
            }
            topics.endComputation(begunIn: generation)
            begin(state.withLock { $0.turns.end(turn) })
            if let failures, feed.endRefreshing() { refresh(feed, failures: failures) }
        }
    }

    private func end(_ feed: ViewFeed) {
        feed.finish()
        // The result of `endRefreshing` states whether to refresh the feed again. It is ignored, because a feed that has ended is not
        // refreshed.
        _ = feed.endRefreshing()
    }

    /// Shows the computed view or the cached view, whichever is newer, to the followers of a feed.
    ///
    /// Even a view that is already outdated is shown. Otherwise followers would see nothing while data changes faster than it can be read.
    /// The outdated view is refreshed afterwards.
    ///
    /// - Parameter isReported: `true` if this replica received the commits of other replicas when the refresh began.
    private func accept(_ computed: ComputedView, for feed: ViewFeed, isReported: Bool) {
        var latest = computed
        if let cached = cache.view(feed.view), cached.number > computed.number { latest = cached }
        if !latest.isCurrent { _ = feed.becomeOutdated() }
        if let old = feed.latest { answers.prepare(from: old, to: latest) }
        publish(latest, for: feed, includesAllCommits: isReported || latest.isCurrent)
        feed.endReading(.success(())) { [latest] in latest.isCurrent }
    }
}

// MARK: - Failures

extension Feeds {
    private static let backoffTimes: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(15)]

    /// Returns the duration of the backoff after `failures` consecutive failures. `failures` is at least 1.
    static func backoffTime(after failures: Int) -> Duration {
        backoffTimes[min(failures, backoffTimes.count) - 1]
    }

    /// A Boolean value that indicates whether any feed waits for the end of a backoff.
    var isBackingOff: Bool { state.withLock { $0.backoffs.values.contains(where: \.isChecked) } }

    /// Handles a failed computation of a feed's view. If the data has changed meanwhile, the view can be computed again immediately.
    /// Otherwise, the feed ends if the view no longer exists, or if the feed has shown no view yet.
    ///
    /// - Returns: The number of failures to pass to a refresh that may follow immediately, or `nil` if the feed waits for the end of a
    ///   backoff.
    private func accept(_ error: any Error, of turn: RefreshTurns.Turn) -> Int? {
        let (feed, failures) = (turn.feed, turn.failures + 1)
        let failure = error as? FailedComputation ?? FailedComputation(cause: error, reads: [], generation: topics.generation)
        let isCurrent = topics.ifUnchanged(failure.reads, since: failure.generation, { true }) ?? false
        if !isCurrent { _ = feed.becomeOutdated() }
        feed.endReading(.failure(failure.cause)) { isCurrent }
        if feed.latest != nil, !(failure.cause is ScreenError) { log(failure.cause, failures, feed.view) }
        guard isCurrent else {
            // Data may have changed since the failed computation read it, so an immediate refresh may succeed. Therefore followers are not
            // notified of a first failure.
            if failures > 1 { feed.becomeStale() }
            return failures
        }
        if failure.cause is ScreenError || feed.latest == nil {
            feed.finish()
            return 0
        }
        feed.becomeStale()
        retry(feed, after: failure, failures: failures)
        return nil
    }

    private func retry(_ feed: ViewFeed, after failure: FailedComputation, failures: Int) {
        let backoff = Task.detached { [backOff] in await backOff(failures) }
        state.withLock { $0.backoffs[feed] = Backoff(task: backoff, reads: failure.reads) }
        // A stored backoff is cancelled by an announcement, by a new follower, or when the last follower leaves. If such an event occurred
        // before the backoff was stored, this code cancels the backoff.
        let isUnchanged = topics.ifUnchanged(failure.reads, since: failure.generation, { true }) ?? false
        if !isUnchanged || feed.isAwaited || !feed.isFollowed { backoff.cancel() }
        state.withLock { $0.backoffs[feed]?.isChecked = true }
        Task.detached { [self] in
            await backoff.value
            state.withLock { $0.backoffs[feed] = nil }
            if feed.isFollowed { refresh(feed, failures: failures) } else { end(feed) }
        }
    }

    /// Ends the backoffs of feeds whose data may have changed.
    func endBackoffs(reading announcement: Announcement) {
        // The announcement `missed` means that this replica does not receive the commits of other replicas. The database is then probably
        // unreachable, so the backoffs continue: an immediate refresh would probably fail again.
        guard announcement != .missed else { return }
        let backoffs = state.withLock { $0.backoffs.values.filter { announcement.touches(anyOf: $0.reads) }.map(\.task) }
        for backoff in backoffs { backoff.cancel() }
    }

    /// Ends the backoffs of a view and of its restricted views. Call this function when a straggling computation of the view has ended,
    /// because the straggler may have caused the failures.
    func endBackoffs(of view: ScreenView) {
        let backoffs = state.withLock { $0.backoffs.filter { $0.key.view.unrestricted == view }.map(\.value.task) }
        for backoff in backoffs { backoff.cancel() }
    }

    private func log(_ error: any Error, _ failures: Int, _ view: ScreenView) {
        logger.warning(
            "a followed view could not be refreshed",
            metadata: ["screen": "\(view.screen)", "failures": "\(failures)", "error": "\(error)"]
        )
    }
}
