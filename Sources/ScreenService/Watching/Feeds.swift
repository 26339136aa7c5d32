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
        var turns = RefreshTurns()
        var isDraining = false
    }

    /// How long to wait before what failed is tried again; longer with each failure.
    private static let pauses: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(15)]

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
    private let logger: Logger
    private let pause: @Sendable (_ failures: Int) async -> Void
    private let state = Mutex(State())

    init(
        computations: Computations, topics: Topics, cache: ViewCache, answers: Answers, attendance: Attendance, logger: Logger,
        pause: @escaping @Sendable (_ failures: Int) async -> Void = pauseAfterFailure
    ) {
        self.computations = computations
        self.topics = topics
        self.cache = cache
        self.answers = answers
        self.attendance = attendance
        self.logger = logger
        self.pause = pause
    }

    /// How many views are followed.
    var count: Int { state.withLock { $0.feeds.count } }

    /// Whether some could not be computed, and are to be tried again.
    var isPausing: Bool { state.withLock { !$0.pauses.isEmpty } }

    /// How many feeds are told of announcements, and of how many topics.
    var registered: (feeds: Int, topics: Int) { state.withLock { ($0.readers.count, $0.readers.topicCount) } }

    /// Follows a view from the call on. The subscription is there once the view was computed, so that nothing is shown that is
    /// older than what its client has seen; who lets go of it, or of what makes it, leaves.
    ///
    /// - Parameter position: of a commit that the client has seen something of.
    /// - Throws: what computing it throws.
    func follow(_ view: ScreenView, at position: Position? = nil, _ wake: @escaping ViewFeed.Wake) -> Eventual<Subscription> {
        let (feed, id) = join(view, wake)
        attendance.enter(view)
        let subscription = Subscription(of: feed, id: id, in: self)
        let isHeard = topics.heard.map { heard in heard.isTrusted && position.map { $0 <= heard.position } ?? true } ?? true
        if feed.isCurrent, isHeard { return .now(subscription) }
        return .later { [self] in
            do {
                if !isHeard { _ = try await computations.current(view, at: position).value }
                let computed = try await withCheckedThrowingContinuation { continuation in
                    compute(for: feed) { continuation.resume(with: $0) }
                }
                feed.publish(computed)
                return subscription
            } catch {
                // Before anybody hears of it.
                subscription.cancel()
                throw error
            }
        }
    }

    /// What leads from the version that a client holds to what a feed shows.
    func changes(from version: String?, to latest: ComputedView) -> Eventual<Document> {
        answers.changes(from: version, to: latest)
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

    private func join(_ view: ScreenView, _ wake: @escaping ViewFeed.Wake) -> (ViewFeed, id: Int) {
        state.withLock { state in
            // One that is gone stays with those who have not left it yet; the view may have come back.
            let present = state.feeds[view].flatMap { $0.end == .gone ? nil : $0 }
            let feed = present ?? ViewFeed(view)
            // One that was there has been ended.
            if state.isDraining, present == nil { feed.finish(.draining) }
            state.feeds[view] = feed
            cache.retain(view)
            return (feed, feed.follow(wake))
        }
    }

    func leave(_ feed: ViewFeed, _ id: Int) {
        state.withLock { state in
            let isLast = feed.unfollow(id)
            if isLast, state.feeds[feed.view] === feed { state.feeds[feed.view] = nil }
            if isLast { state.readers.remove(feed) }
        }
        cache.release(feed.view)
        // Who leaves may come back with it.
        if let latest = feed.latest { answers.noteUse(of: latest) }
        attendance.leave(feed.view)
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
            // What could not be read may well be there again.
            (state.readers.removeAll(reading: announcement), announcement == .everything ? Array(state.pauses.values) : [])
        }
        for pause in pauses { pause.cancel() }
        return readers.filter { $0.becomeStale() }
    }

    /// Has a feed computed anew that became stale.
    func refresh(_ feed: ViewFeed) {
        update(feed, failures: 0)
    }

    /// Computes when its turn comes, until it is there or is found to be gone.
    private func update(_ feed: ViewFeed, failures: Int) {
        let turn = RefreshTurns.Turn(feed: feed, failures: failures)
        if state.withLock({ $0.turns.begin(turn) }) { take(turn) }
    }

    private func take(_ turn: RefreshTurns.Turn) {
        var turn = turn
        // All may have left while it waited, and nobody comes back to it: who comes has another.
        while !turn.feed.isFollowed || turn.feed.end != nil {
            end(turn.feed)
            guard let next = state.withLock({ $0.turns.end(turn) }) else { return }
            turn = next
        }
        refresh(in: turn)
    }

    private func refresh(in turn: RefreshTurns.Turn) {
        let (feed, failures) = (turn.feed, turn.failures)
        feed.beginReading()
        let generation = topics.generation
        compute(for: feed) { [self] result in
            if let next = state.withLock({ $0.turns.end(turn) }) { take(next) }
            switch result {
            case .success(let computed):
                feed.publish(computed)
            case .failure(is ScreenError) where topics.generation == generation:
                // Otherwise it may be back by now.
                feed.finish(.gone)
            case .failure(let error):
                return retry(feed, after: error, failures: failures + 1, since: generation)
            }
            endRefreshing(feed)
        }
    }

    private func end(_ feed: ViewFeed) {
        feed.finish(.gone)
        endRefreshing(feed)
    }

    private func endRefreshing(_ feed: ViewFeed) {
        if feed.endReading() { refresh(feed) }
    }

    /// Who follows keeps what it has meanwhile.
    private func retry(
        _ feed: ViewFeed, after error: any Error, failures: Int, since generation: TopicGenerations.Generation
    ) {
        log(error, failures, feed.view)
        let pausing = Task.detached { [pause] in await pause(failures) }
        state.withLock { $0.pauses[feed] = pausing }
        // It may be in reach again since before it was known to be paused.
        if topics.isEverythingAnnounced(since: generation) { pausing.cancel() }
        Task.detached { [self] in
            await pausing.value
            state.withLock { $0.pauses[feed] = nil }
            if feed.isFollowed { update(feed, failures: failures) } else { end(feed) }
        }
    }

    /// Computes, with the changeset from the feed's latest.
    private func compute(for feed: ViewFeed, _ use: @escaping @Sendable (Result<ComputedView, any Error>) -> Void) {
        // Under way since before the view is asked for, so that what is announced since that was computed is remembered.
        let generation = topics.beginComputation()
        computations.current(feed.view) { [self] result in
            if case .success(let computed) = result { accept(computed, for: feed) }
            topics.endComputation(begunIn: generation)
            use(result)
        }
    }

    /// Has the feed told of the next change; or refreshes it at once where that has come already: where data changes
    /// faster than it is read, who follows shall see some of it.
    private func accept(_ computed: ComputedView, for feed: ViewFeed) {
        let registration: Void? = topics.ifUnchanged(computed.topics, since: computed.generation) {
            // Everybody may have left meanwhile, and what they left must not stay behind.
            state.withLock { if feed.isFollowed { $0.readers.insert(feed, reading: computed.topics) } }
        }
        if registration == nil, feed.becomeStale() { refresh(feed) }
        if let old = feed.latest { answers.prepare(from: old, to: computed) }
    }

    private func log(_ error: any Error, _ failures: Int, _ view: ScreenView) {
        logger.warning(
            "a followed view could not be computed anew",
            metadata: ["screen": "\(view.screen)", "failures": "\(failures)", "error": "\(error)"]
        )
    }
}
