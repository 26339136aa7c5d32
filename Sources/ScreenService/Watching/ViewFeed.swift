import Synchronization

/// What those who follow one view share: the newest that was computed of it, and how to wake them.
///
/// There is one for a view however many follow it. A follower is no more than a way to wake it; what it was sent
/// last, it knows itself. ``Feeds`` computes.
final class ViewFeed: Sendable {
    typealias Wake = @Sendable () -> Void

    /// In a structure, as functions in a dictionary would have a box each.
    struct Follower {
        let caller: LimitKey
        var wake: Wake
    }

    /// The parts that a feed has removed. They are to be released outside of locks, as models may run code then.
    struct Removal {
        var followers: [Follower] = []
        /// The code that waited for a computation for removed followers.
        var waiting: [(caller: LimitKey, proceed: Newcomer.Proceed)] = []
        /// Nil while there are other followers.
        var latest: ComputedView?
    }

    struct State {
        var latest: ComputedView?
        var followers: [Int: Follower] = [:]
        /// By the ids of the followers.
        var newcomers: [Int: Newcomer] = [:]
        var lastID = 0
        var isRefreshing = false
        /// A Boolean value that indicates whether the refresh has begun to read.
        var isReading = false
        /// Something that was read has changed since the refresh began.
        var isStale = false
        var hasEnded = false

        mutating func remove(_ ids: some Sequence<Int>) -> Removal {
            var removal = Removal()
            for id in ids {
                guard let follower = followers.removeValue(forKey: id) else { continue }
                removal.followers.append(follower)
                if let proceed = newcomers.removeValue(forKey: id)?.proceed { removal.waiting.append((follower.caller, proceed)) }
            }
            // A later follower gets a new feed, and removed subscriptions may hold this one for long.
            if followers.isEmpty { swap(&removal.latest, &latest) }
            return removal
        }
    }

    let view: ScreenView
    let state = Mutex(State())

    init(_ view: ScreenView) {
        self.view = view
    }

    /// The newest that was computed; nil before the first.
    var latest: ComputedView? { state.withLock { $0.latest } }

    /// Whether nothing that ``latest`` was computed from is known to have changed since.
    var isCurrent: Bool { state.withLock { $0.latest?.isCurrent == true && !$0.isStale && !$0.isRefreshing } }

    /// Whether what it shows is being computed anew.
    var isRefreshing: Bool { state.withLock { $0.isRefreshing } }

    /// A Boolean value that indicates whether nothing more is to come: the service stops, or there is no such view any more.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Whether somebody follows it.
    var isFollowed: Bool { state.withLock { !$0.followers.isEmpty } }

    /// - Returns: what ends it.
    func follow(by caller: LimitKey = .unknown, _ wake: @escaping Wake) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.followers[state.lastID] = Follower(caller: caller, wake: wake)
            return state.lastID
        }
    }

    func setWake(_ wake: @escaping Wake, of id: Int) {
        // Let go of after the lock.
        let old = state.withLock { state in
            let old = state.followers[id]
            state.followers[id]?.wake = wake
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Tells one follower that there may be news.
    func wake(_ id: Int) {
        state.withLock { $0.followers[id] }?.wake()
    }

    /// Removes a follower, unless it has left or was removed before. Code that waits for it goes on.
    func unfollow(_ id: Int) -> Removal {
        let removal = state.withLock { $0.remove([id]) }
        for waiting in removal.waiting { waiting.proceed(.success(())) }
        return removal
    }

    /// Removes all followers of some callers.
    func removeFollowers(of callers: Set<LimitKey>) -> Removal {
        state.withLock { state in state.remove(state.followers.filter { callers.contains($0.value.caller) }.keys) }
    }

    /// Gives what was computed to all who follow. What began to be computed before the latest did is
    /// ignored: who follows never goes back.
    func publish(_ computed: ComputedView) {
        let (followers, old) = state.withLock { state -> ([Follower], ComputedView?) in
            let old = state.latest
            if let old, (computed.generation, computed.number) < (old.generation, old.number) { return ([], nil) }
            if state.followers.isEmpty { return ([], nil) }
            state.latest = computed
            // Before the first, no follower has been shown anything. Newcomers are resumed or woken where it is new enough for them.
            guard let old, old.rendered.version != computed.rendered.version else { return ([], old) }
            return (state.followers.filter { state.newcomers[$0.key] == nil }.map(\.value), old)
        }
        for follower in followers { follower.wake() }
        // Let go of after the lock, which announcements take.
        withExtendedLifetime(old) {}
    }

    /// Ends it for all who follow.
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
