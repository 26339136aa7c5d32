import Synchronization

/// The latest computed view for all followers of a view, and the functions that wake the followers. ``Feeds`` computes the views.
///
/// The feed does not store the versions that were sent to its followers.
final class ViewFeed: Sendable {
    typealias Wake = @Sendable () -> Void

    /// A follower of the view. It is a structure, because a dictionary of functions allocates a box for each function.
    struct Follower {
        let caller: LimitKey
        var wake: Wake
        /// A Boolean value that indicates whether the delivery in progress waits for this follower.
        var isAwaited = false
    }

    /// The parts that were removed from a feed. They must be released while no lock is held.
    struct Removal {
        var followers: [Follower] = []
        /// The removed followers for which code still waits for a first view. Each element contains a follower's caller and the function
        /// that resumes this code.
        var waiting: [(caller: LimitKey, proceed: Newcomer.Proceed)] = []
        /// The latest view if the last follower was removed, or `nil` if the feed still has followers.
        var latest: ComputedView?
    }

    struct State {
        var latest: ComputedView?
        var followers: [Int: Follower] = [:]
        var newcomers: [Int: Newcomer] = [:]
        var lastID = 0
        var isRefreshing = false
        /// A Boolean value that indicates whether a computation for this feed is reading data.
        var isReading = false
        /// A Boolean value that indicates whether data has changed since the last computation began to read.
        var isOutdated = false
        /// A Boolean value that indicates whether followers may miss changes. See ``News/stale``.
        var isStale = false
        var hasEnded = false
        var lag = FeedLag()

        mutating func remove(_ ids: some Sequence<Int>) -> Removal {
            var removal = Removal()
            for id in ids {
                guard let follower = followers.removeValue(forKey: id) else { continue }
                removal.followers.append(follower)
                if follower.isAwaited { _ = lag.endDelivery() }
                if let proceed = newcomers.removeValue(forKey: id)?.proceed { removal.waiting.append((follower.caller, proceed)) }
            }
            // An ended subscription may retain the feed for a long time, so a feed without followers releases its view.
            if followers.isEmpty { swap(&removal.latest, &latest) }
            return removal
        }
    }

    let view: ScreenView
    let state = Mutex(State())
    /// The function that cancels the refresh at the time after which ``latest`` is outdated.
    private let stopExpiryTimer = Mutex<(@Sendable () -> Void)?>(nil)
    /// A function that receives the time from an announcement until the last follower was shown the change.
    let recordLag: @Sendable (Duration) -> Void

    init(_ view: ScreenView, recordLag: @escaping @Sendable (Duration) -> Void = { _ in }) {
        (self.view, self.recordLag) = (view, recordLag)
    }

    /// The latest view, or `nil` before the first computation.
    var latest: ComputedView? { state.withLock { $0.latest } }

    /// A Boolean value that indicates whether ``latest`` is current and no refresh is in progress.
    var isCurrent: Bool { state.withLock { $0.latest?.isCurrent == true && !$0.isOutdated && !$0.isRefreshing } }

    var isRefreshing: Bool { state.withLock { $0.isRefreshing } }

    /// A Boolean value that indicates whether the feed has ended, because the service stops or the view no longer exists.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    var isFollowed: Bool { state.withLock { !$0.followers.isEmpty } }

    /// Cancels the scheduled refresh, and sets the function that cancels the next one.
    func setExpiryTimer(_ stop: (@Sendable () -> Void)?) {
        let stopOld = stopExpiryTimer.withLock { current in
            defer { current = stop }
            return current
        }
        stopOld?()
    }

    /// Adds a follower, and returns its identifier, which is at least 1.
    func follow(by caller: LimitKey = .unknown, _ wake: @escaping Wake) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.followers[state.lastID] = Follower(caller: caller, wake: wake)
            return state.lastID
        }
    }

    func setWake(_ wake: @escaping Wake, of id: Int) {
        // The old function is released outside of the lock, because its deallocation may run other code.
        let old = state.withLock { state in
            let old = state.followers[id]
            state.followers[id]?.wake = wake
            return old
        }
        withExtendedLifetime(old) {}
    }

    func wake(of id: Int) -> Wake? {
        state.withLock { $0.followers[id] }?.wake
    }

    /// Removes a follower, and resumes the code that waits for the follower's first view.
    func unfollow(_ id: Int) -> Removal {
        let removal = state.withLock { $0.remove([id]) }
        for waiting in removal.waiting { waiting.proceed(.success(())) }
        return removal
    }

    func removeFollowers(of callers: Set<LimitKey>) -> Removal {
        state.withLock { state in state.remove(state.followers.filter { callers.contains($0.value.caller) }.keys) }
    }

    /// Shows a computed view to all followers. A view that is older than ``latest`` is ignored.
    ///
    /// - Parameter isStale: A function that returns `true` if followers may miss changes although they are shown the view.
    func publish(_ computed: ComputedView, isStale: () -> Bool = { false }) {
        let (followers, old, lag) = state.withLock { state -> ([Follower], ComputedView?, Duration?) in
            let old = state.latest
            if let old, (computed.generation, computed.number) < (old.generation, old.number) { return ([], nil, nil) }
            if state.followers.isEmpty { return ([], nil, nil) }
            state.latest = computed
            let wasStale = state.isStale
            state.isStale = isStale()
            let isChanged = old.map { $0.rendered.version != computed.rendered.version } ?? false
            if !isChanged { state.lag.noteNoDelivery() }
            // If the feed has shown no view before, all its followers are newcomers. They are woken by `endReading`, and not by this
            // function.
            guard let old else { return ([], nil, nil) }
            guard isChanged || wasStale && !state.isStale else { return ([], old, nil) }
            let woken = state.followers.filter { state.newcomers[$0.key] == nil }
            return (Array(woken.values), old, isChanged ? state.beginDelivery(to: woken.keys) : nil)
        }
        if let lag { recordLag(lag) }
        for follower in followers { follower.wake() }
        // The old view is released outside of the lock, because announcements wait for the lock.
        withExtendedLifetime(old) {}
    }

    /// Ends the feed, wakes its followers, and resumes the code that waits for the first views of newcomers.
    func finish() {
        let (followers, newcomers) = state.withLock { state in
            state.hasEnded = true
            return (Array(state.followers.values), Array(state.newcomers.keys))
        }
        for follower in followers { follower.wake() }
        for id in newcomers { stopWaiting(id) }
    }
}

extension ViewFeed: Hashable {
    static func == (a: ViewFeed, b: ViewFeed) -> Bool { a === b }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
