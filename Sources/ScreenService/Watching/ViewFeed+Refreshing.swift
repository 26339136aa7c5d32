import Synchronization

/// A follower that is shown nothing until its feed is as new as the data was when the follower came.
struct Newcomer {
    typealias Proceed = @Sendable (Result<Void, any Error>) -> Void

    /// True if what is cached may be older than what the follower has seen, so that only a new computation counts.
    let needsNewReading: Bool
    /// Resumes the code that waits for the computation; nil once it was resumed before, and the follower waits to be woken.
    fileprivate(set) var proceed: Proceed?
    /// True if the computation in progress began to read after the follower came.
    fileprivate var isServed = false
    /// True if it has waited for as long as it wanted.
    fileprivate var isOverdue = false

    /// - Parameter proceed: called once, with the error of the computation, or with success to go on.
    init(needsNewReading: Bool, _ proceed: @escaping Proceed) {
        self.needsNewReading = needsNewReading
        self.proceed = proceed
    }
}

// Refreshing, of which there is one at a time.
extension ViewFeed {
    /// Notes that something that it was computed from has changed.
    ///
    /// - Returns: whether a refresh is to begin.
    func becomeStale() -> Bool {
        state.withLock { state in
            state.isStale = true
            if state.isRefreshing || state.followers.isEmpty || state.hasEnded { return false }
            state.isRefreshing = true
            return true
        }
    }

    /// Notes that what has changed until now is about to be read.
    ///
    /// - Returns: whether a newcomer needs a new reading.
    func beginReading() -> Bool {
        state.withLock { state in
            (state.isStale, state.isReading) = (false, true)
            for id in state.newcomers.keys { state.newcomers[id]!.isServed = true }
            return state.newcomers.values.contains(where: \.needsNewReading)
        }
    }

    /// Ends the reading, and shows its result to the newcomers for whom it is new enough.
    ///
    /// - Parameter isCurrent: returns whether nothing that was read has been announced since.
    func endReading(_ result: Result<Void, any Error>, isCurrent: () -> Bool) {
        var (proceeding, overdue, woken): ([Newcomer.Proceed], [Newcomer.Proceed], [Follower]) = ([], [], [])
        state.withLock { state in
            state.isReading = false
            let isCurrent = isCurrent()
            for (id, newcomer) in state.newcomers {
                // A commit that is being announced may be one that the newcomer has seen.
                if newcomer.isServed || isCurrent && !state.isStale && !newcomer.needsNewReading {
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

    /// - Returns: whether the refresh is to read once more, because of a change or a newcomer in the meantime.
    func endRefreshing() -> Bool {
        state.withLock { state in
            if state.isStale || !state.newcomers.isEmpty, !state.followers.isEmpty, !state.hasEnded { return true }
            state.isRefreshing = false
            return false
        }
    }
}

// Newcomers.
extension ViewFeed {
    /// True if code waits for a computation.
    var isAwaited: Bool { state.withLock { $0.newcomers.values.contains { $0.proceed != nil } } }

    /// Adds a follower that waits for a computation. If the feed has ended, or the follower was removed, it goes on at once.
    ///
    /// - Returns: whether a refresh is to begin.
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

    /// Resumes the code that waits for a newcomer's computation. The newcomer is woken when there is something to show.
    ///
    /// - Parameter unlessReading: true to let it wait for the computation in progress if that has begun to read.
    func stopWaiting(_ id: Int, unlessReading: Bool = false) {
        let proceed = state.withLock { state -> Newcomer.Proceed? in
            guard unlessReading, state.isReading else { return state.newcomers[id]?.proceed.take() }
            state.newcomers[id]?.isOverdue = true
            return nil
        }
        proceed?(.success(()))
    }

    /// A Boolean value that indicates whether a follower was removed from a feed that goes on.
    func hasRemoved(_ id: Int) -> Bool {
        state.withLock { !$0.hasEnded && $0.followers[id] == nil }
    }

    /// The view that a follower is shown. It has ended if the feed has, or if the follower was removed or has left.
    func shown(to id: Int) -> (hasEnded: Bool, latest: ComputedView?) {
        state.withLock { ($0.hasEnded || $0.followers[id] == nil, $0.newcomers[id] == nil ? $0.latest : nil) }
    }
}
