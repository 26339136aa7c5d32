import Synchronization

/// A new follower to which no view has been shown yet. It waits for a view that includes all changes that were made before the follower
/// joined.
struct Newcomer {
    typealias Proceed = @Sendable (Result<Void, any Error>) -> Void

    /// A Boolean value that indicates whether the follower needs a computation that begins after the follower joined. If the value is
    /// `true`, cached results may be older than the version that the client has.
    let needsNewReading: Bool
    /// The function that resumes code waiting for a computation. It is called at most once, and is `nil` afterwards. A follower whose
    /// `proceed` is `nil` is woken when there is a view to show to the follower.
    fileprivate(set) var proceed: Proceed?
    /// A Boolean value that indicates whether the running computation began to read after the follower joined.
    fileprivate var isServed = false
    /// A Boolean value that indicates whether the follower's wait has timed out.
    fileprivate var isOverdue = false

    /// Creates a newcomer.
    ///
    /// - Parameters:
    ///   - needsNewReading: A Boolean value that indicates whether the follower needs a computation that begins after the follower joined.
    ///   - proceed: The function that resumes code waiting for a computation. It is called once, with success or with the error of the
    ///     computation.
    init(needsNewReading: Bool, _ proceed: @escaping Proceed) {
        self.needsNewReading = needsNewReading
        self.proceed = proceed
    }
}

// A feed has at most one refresh at a time.
extension ViewFeed {
    /// Marks the feed as outdated, because its data has changed.
    ///
    /// - Returns: A Boolean value that indicates whether the calling code must begin a refresh.
    func becomeOutdated() -> Bool {
        state.withLock { state in
            state.isOutdated = true
            if state.isRefreshing || state.followers.isEmpty || state.hasEnded { return false }
            state.isRefreshing = true
            return true
        }
    }

    /// Records that a computation is about to read data. The computation will see all changes that were made before this call.
    ///
    /// - Returns: A Boolean value that indicates whether a newcomer needs a new computation instead of a cached result.
    func beginReading() -> Bool {
        state.withLock { state in
            (state.isOutdated, state.isReading) = (false, true)
            for id in state.newcomers.keys { state.newcomers[id]!.isServed = true }
            return state.newcomers.values.contains(where: \.needsNewReading)
        }
    }

    /// Records that a computation has ended. Resumes or wakes each newcomer if the result is new enough for this newcomer.
    ///
    /// - Parameter isCurrent: A function that returns `true` if none of the topics that the computation read has been announced since the
    ///   computation began.
    func endReading(_ result: Result<Void, any Error>, isCurrent: () -> Bool) {
        var (proceeding, overdue, woken): ([Newcomer.Proceed], [Newcomer.Proceed], [Follower]) = ([], [], [])
        state.withLock { state in
            state.isReading = false
            let isCurrent = isCurrent()
            for (id, newcomer) in state.newcomers {
                // A current result is not enough for a newcomer that needs a new reading, because the newcomer may have seen a commit that
                // is not announced yet.
                if newcomer.isServed || isCurrent && !state.isOutdated && !newcomer.needsNewReading {
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

    /// Ends the refresh of the feed, unless the refresh must be repeated.
    ///
    /// - Returns: A Boolean value that indicates whether to repeat the refresh, because data changed or a newcomer joined during the
    ///   refresh.
    func endRefreshing() -> Bool {
        state.withLock { state in
            if state.isOutdated || !state.newcomers.isEmpty, !state.followers.isEmpty, !state.hasEnded { return true }
            state.isRefreshing = false
            return false
        }
    }

    /// Marks the feed as stale and wakes its followers, unless the feed is stale already. The next refresh that succeeds ends this state.
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
    /// A Boolean value that indicates whether any code waits for a computation, because a newcomer joined.
    var isAwaited: Bool { state.withLock { $0.newcomers.values.contains { $0.proceed != nil } } }

    /// Adds a newcomer. If the feed has ended or the follower was removed, the waiting code is resumed immediately.
    ///
    /// - Returns: A Boolean value that indicates whether the calling code must begin a refresh.
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

    /// Resumes the code that waits for a computation because a newcomer joined. The newcomer is woken later, when there is a view to show.
    ///
    /// - Parameter unlessReading: A Boolean value that indicates whether the code continues to wait if the running computation has begun
    ///   to read.
    func stopWaiting(_ id: Int, unlessReading: Bool = false) {
        let proceed = state.withLock { state -> Newcomer.Proceed? in
            guard unlessReading, state.isReading else { return state.newcomers[id]?.proceed.take() }
            state.newcomers[id]?.isOverdue = true
            return nil
        }
        proceed?(.success(()))
    }

    /// Returns a Boolean value that indicates whether a follower was removed although the feed has not ended.
    func hasRemoved(_ id: Int) -> Bool {
        state.withLock { !$0.hasEnded && $0.followers[id] == nil }
    }

    /// Returns the view to show to a follower. `latest` is `nil` if there is no view to show yet. `isStale` is `true` if the follower may
    /// miss changes. `hasEnded` is `true` if the feed has ended, or if the follower has left or was removed.
    func shown(to id: Int) -> (hasEnded: Bool, isStale: Bool, latest: ComputedView?) {
        state.withLock { state in
            (state.hasEnded || state.followers[id] == nil, state.isStale, state.newcomers[id] == nil ? state.latest : nil)
        }
    }
}
