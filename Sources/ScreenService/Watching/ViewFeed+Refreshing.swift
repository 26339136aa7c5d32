import Synchronization

/// A follower that has joined a feed and has not been shown a view yet. It waits for a view that includes all changes made before it
/// joined.
///
/// The result of a computation is new enough for the newcomer if the computation began to read after the newcomer joined. The result of an
/// earlier computation is also new enough if `needsNewReading` is `false` and no topic that the computation read was announced between its
/// beginning and its end.
///
/// The code that creates the subscription waits for this result. If its wait times out, this code continues without a view. The newcomer
/// remains in the feed, and is woken when there is a view to show.
struct Newcomer {
    typealias Proceed = @Sendable (Result<Void, any Error>) -> Void

    /// A Boolean value that indicates whether cached results may be older than the version that the client has.
    let needsNewReading: Bool
    /// The function that resumes the waiting code. It is called at most once, and is `nil` afterwards.
    fileprivate(set) var proceed: Proceed?
    fileprivate var joinedBeforeReading = false
    fileprivate var isOverdue = false

    /// Creates a newcomer. If the computation of the view fails, `proceed` receives the error.
    init(needsNewReading: Bool, _ proceed: @escaping Proceed) {
        self.needsNewReading = needsNewReading
        self.proceed = proceed
    }
}

// A feed has at most one refresh at a time.
extension ViewFeed {
    /// Marks the feed as outdated. Returns `true` if the calling code must begin a refresh.
    func becomeOutdated() -> Bool {
        state.withLock { state in
            state.isOutdated = true
            state.lag.noteChange()
            if state.isRefreshing || state.followers.isEmpty || state.hasEnded { return false }
            state.isRefreshing = true
            return true
        }
    }

    /// Records that a computation is about to read data. Returns `true` if a newcomer needs a new computation instead of a cached result.
    func beginReading() -> Bool {
        state.withLock { state in
            (state.isOutdated, state.isReading) = (false, true)
            state.lag.noteReading()
            for id in state.newcomers.keys { state.newcomers[id]!.joinedBeforeReading = true }
            return state.newcomers.values.contains(where: \.needsNewReading)
        }
    }

    /// Records that a computation has ended. Resumes or wakes the newcomers for whom the result is new enough.
    ///
    /// - Parameter isCurrent: A function that returns `true` if no topic that the computation read was announced after it began.
    func endReading(_ result: Result<Void, any Error>, isCurrent: () -> Bool) {
        var (proceeding, overdue, woken): ([Newcomer.Proceed], [Newcomer.Proceed], [Follower]) = ([], [], [])
        state.withLock { state in
            state.isReading = false
            let isCurrent = isCurrent()
            for (id, newcomer) in state.newcomers {
                if newcomer.joinedBeforeReading || isCurrent && !state.isOutdated && !newcomer.needsNewReading {
                    if let proceed = newcomer.proceed {
                        proceeding.append(proceed)
                    } else if case .success = result {
                        woken += state.followers[id].map { [$0] } ?? []
                    } else {
                        continue
                    }
                    state.newcomers[id] = nil
                } else if newcomer.isOverdue, let proceed = state.newcomers[id]!.proceed.take() {
                    overdue.append(proceed)
                }
            }
        }
        for proceed in proceeding { proceed(result) }
        for proceed in overdue { proceed(.success(())) }
        for follower in woken { follower.wake() }
    }

    /// Ends the refresh of the feed. Returns `true` if the refresh must be repeated, because data changed or a newcomer joined.
    func endRefreshing() -> Bool {
        state.withLock { state in
            if state.isOutdated || !state.newcomers.isEmpty, !state.followers.isEmpty, !state.hasEnded { return true }
            state.isRefreshing = false
            return false
        }
    }

    /// Marks the feed as stale and wakes its followers. The next successful refresh ends this state.
    func becomeStale() {
        let followers = state.withLock { state -> [Follower] in
            guard !state.isStale, !state.hasEnded else { return [] }
            state.isStale = true
            return Array(state.followers.values)
        }
        for follower in followers { follower.wake() }
    }
}

extension ViewFeed {
    /// A Boolean value that indicates whether any code waits for the first view of a ``Newcomer``.
    var isAwaited: Bool { state.withLock { $0.newcomers.values.contains { $0.proceed != nil } } }

    /// Adds a newcomer. Returns `true` if the calling code must begin a refresh. If the feed has ended, the waiting code is resumed.
    func add(_ newcomer: Newcomer, id: Int) -> Bool {
        let begins = state.withLock { state -> Bool? in
            guard !state.hasEnded, state.followers[id] != nil else { return nil }
            state.newcomers[id] = newcomer
            defer { state.isRefreshing = true }
            return !state.isRefreshing
        }
        if begins == nil { newcomer.proceed?(.success(())) }
        return begins ?? false
    }

    /// Resumes the code that waits for the first view of a ``Newcomer``, although there is no view to show yet.
    ///
    /// - Parameter unlessReading: A Boolean value that indicates whether the code continues to wait while a computation is reading data. It
    ///   is then resumed at the end of the computation.
    func stopWaiting(_ id: Int, unlessReading: Bool = false) {
        let proceed = state.withLock { state -> Newcomer.Proceed? in
            guard unlessReading, state.isReading else { return state.newcomers[id]?.proceed.take() }
            state.newcomers[id]?.isOverdue = true
            return nil
        }
        proceed?(.success(()))
    }

    func hasRemoved(_ id: Int) -> Bool {
        state.withLock { !$0.hasEnded && $0.followers[id] == nil }
    }

    /// Returns the state of the feed for one follower. `hasEnded` states whether the follower's subscription has ended, `isStale` states
    /// whether the follower may miss changes, and `latest` is the view to show to the follower, which is `nil` for a newcomer.
    func shown(to id: Int) -> (hasEnded: Bool, isStale: Bool, latest: ComputedView?) {
        let (shown, lag) = state.withLock { state in
            let follower = state.followers[id]
            let lag = follower?.isAwaited == true ? state.endDelivery(to: id) : nil
            let latest = state.newcomers[id] == nil ? state.latest : nil
            return ((hasEnded: state.hasEnded || follower == nil, isStale: state.isStale, latest: latest), lag)
        }
        if let lag { recordLag(lag) }
        return shown
    }
}
