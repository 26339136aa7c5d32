import Synchronization

/// The latest computed view for all followers of a view, and the functions that wake the followers.
///
/// A view has at most one feed. The feed stores only the caller and the wake function of each follower. It does not store the version that
/// was sent to the follower. ``Feeds`` computes the views.
final class ViewFeed: Sendable {
    typealias Wake = @Sendable () -> Void

    /// A follower of the view. It is a structure, because a dictionary of functions would allocate a box for each function.
    struct Follower {
        let caller: LimitKey
        var wake: Wake
    }

    /// The parts that were removed from a feed. They must be released while no lock is held, because the deallocation of a model may run
    /// other code.
    struct Removal {
        var followers: [Follower] = []
        /// The removed followers that still waited for a computation. Each entry has the caller and the function that resumes the waiting
        /// code.
        var waiting: [(caller: LimitKey, proceed: Newcomer.Proceed)] = []
        /// The latest view of the feed if the feed has no more followers. Otherwise `nil`.
        var latest: ComputedView?
    }

    struct State {
        var latest: ComputedView?
        var followers: [Int: Follower] = [:]
        /// The followers that are newcomers, by identifier.
        var newcomers: [Int: Newcomer] = [:]
        var lastID = 0
        var isRefreshing = false
        /// A Boolean value that indicates whether a computation for this feed is reading data.
        var isReading = false
        /// A Boolean value that indicates whether data has changed since the refresh began.
        var isOutdated = false
        /// A Boolean value that indicates whether followers may miss changes, because the view cannot be refreshed, or because
        /// this replica does not receive the commits of other replicas.
        var isStale = false
        var hasEnded = false

        mutating func remove(_ ids: some Sequence<Int>) -> Removal {
            var removal = Removal()
            for id in ids {
                guard let follower = followers.removeValue(forKey: id) else { continue }
                removal.followers.append(follower)
                if let proceed = newcomers.removeValue(forKey: id)?.proceed { removal.waiting.append((follower.caller, proceed)) }
            }
            // A feed without followers releases its view, because an ended subscription may retain the feed for a long time. Later
            // followers receive a new feed.
            if followers.isEmpty { swap(&removal.latest, &latest) }
            return removal
        }
    }

    let view: ScreenView
    let state = Mutex(State())

    init(_ view: ScreenView) {
        self.view = view
    }

    /// The latest view, or `nil` before the first computation.
    var latest: ComputedView? { state.withLock { $0.latest } }

    /// A Boolean value that indicates whether ``latest`` is current and no refresh is in progress.
    var isCurrent: Bool { state.withLock { $0.latest?.isCurrent == true && !$0.isOutdated && !$0.isRefreshing } }

    var isRefreshing: Bool { state.withLock { $0.isRefreshing } }

    /// A Boolean value that indicates whether the feed has ended, because the service stops or the view no longer exists.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    var isFollowed: Bool { state.withLock { !$0.followers.isEmpty } }

    /// Adds a follower.
    ///
    /// - Returns: The identifier of the follower, which is at least 1.
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

    /// Returns the function that wakes a follower.
    func wake(of id: Int) -> Wake? {
        state.withLock { $0.followers[id] }?.wake
    }

    /// Removes a follower, unless it has left or was removed before. Code that waits on behalf of the follower is resumed.
    func unfollow(_ id: Int) -> Removal {
        let removal = state.withLock { $0.remove([id]) }
        for waiting in removal.waiting { waiting.proceed(.success(())) }
        return removal
    }

    /// Removes all followers of the given callers.
    func removeFollowers(of callers: Set<LimitKey>) -> Removal {
        state.withLock { state in state.remove(state.followers.filter { callers.contains($0.value.caller) }.keys) }
    }

    /// Shows a computed view to all followers. A view is ignored if its computation began before the computation of ``latest``. Otherwise
    /// followers would see an older view after a newer one.
    ///
    /// - Parameter isStale: A function that returns `true` if the view may lack changes, or if this replica does not receive the commits of
    ///   other replicas.
    func publish(_ computed: ComputedView, isStale: () -> Bool = { false }) {
        let (followers, old) = state.withLock { state -> ([Follower], ComputedView?) in
            let old = state.latest
            if let old, (computed.generation, computed.number) < (old.generation, old.number) { return ([], nil) }
            if state.followers.isEmpty { return ([], nil) }
            state.latest = computed
            let wasStale = state.isStale
            state.isStale = isStale()
            // The first view of a feed wakes no followers here. The followers that wait for it are newcomers, and `endReading` resumes or
            // wakes each newcomer when a view is new enough for it.
            guard let old else { return ([], nil) }
            guard old.rendered.version != computed.rendered.version || wasStale && !state.isStale else { return ([], old) }
            return (state.followers.filter { state.newcomers[$0.key] == nil }.map(\.value), old)
        }
        for follower in followers { follower.wake() }
        // The old view is released outside of the lock, because announcements wait for the lock.
        withExtendedLifetime(old) {}
    }

    /// Ends the feed, wakes all followers, and resumes all code that waits on behalf of newcomers.
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
