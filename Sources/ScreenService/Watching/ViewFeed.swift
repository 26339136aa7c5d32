import Synchronization

/// Keeps one view current for as long as somebody follows it, and wakes who does.
///
/// There is one for a view however many follow it: they share each computation, and each changeset
/// of it. A follower is no more than a way to wake it; what it was sent last, it knows itself.
final class ViewFeed: Sendable {
    typealias Wake = @Sendable () -> Void

    private struct State {
        var latest: ComputedView?
        var wakes: [Int: Wake] = [:]
        var lastID = 0
        var isRefreshing = false
        /// Something that was read has changed since the refresh began.
        var isStale = false
        var end: FeedEnd?
    }

    let view: ScreenView
    private let source: any FeedSource
    private let state = Mutex(State())

    init(_ view: ScreenView, source: any FeedSource) {
        self.view = view
        self.source = source
    }

    /// The newest that was computed; nil before the first.
    var latest: ComputedView? { state.withLock { $0.latest } }

    /// Whether nothing that ``latest`` was computed from is known to have changed since.
    var isCurrent: Bool { state.withLock { $0.latest != nil && !$0.isStale && !$0.isRefreshing } }

    /// Whether what it shows is being computed anew.
    var isRefreshing: Bool { state.withLock { $0.isRefreshing } }

    /// Why nothing more is to come; nil while there is.
    var end: FeedEnd? { state.withLock { $0.end } }

    /// - Returns: what ends it.
    func follow(_ wake: @escaping Wake) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.wakes[state.lastID] = wake
            return state.lastID
        }
    }

    /// - Returns: whether that was the last.
    func unfollow(_ id: Int) -> Bool {
        state.withLock { state in
            guard state.wakes.removeValue(forKey: id) != nil else { return false }
            return state.wakes.isEmpty
        }
    }

    /// Whether somebody follows it.
    var isFollowed: Bool { state.withLock { !$0.wakes.isEmpty } }

    /// Says that something that it was computed from has changed. Returns at once.
    func becomeStale() {
        let isFirst = state.withLock { state in
            state.isStale = true
            if state.isRefreshing || state.wakes.isEmpty { return false }
            state.isRefreshing = true
            return true
        }
        // Detached, because whoever announces may be in the middle of an action, whose receipt is not ours to keep.
        if isFirst { Task.detached { await self.refresh() } }
    }

    /// Gives what was computed to all who follow. What began to be computed before the latest did is
    /// ignored: who follows never goes back.
    func publish(_ computed: ComputedView) {
        let (wakes, old) = state.withLock { state -> ([Wake], ComputedView?) in
            let old = state.latest
            if let old, computed.generation < old.generation { return ([], nil) }
            state.latest = computed
            // Before the first, nobody has been given anything yet.
            let isNews = old.map { $0.rendered.version != computed.rendered.version } ?? false
            return (isNews ? Array(state.wakes.values) : [], old)
        }
        for wake in wakes { wake() }
        // Let go of after the lock, which announcements take under the cache's.
        withExtendedLifetime(old) {}
    }

    /// Ends it for all who follow.
    func finish(_ end: FeedEnd) {
        let wakes = state.withLock { state in
            state.end = state.end ?? end
            return Array(state.wakes.values)
        }
        for wake in wakes { wake() }
    }
}

// MARK: - Refreshing

extension ViewFeed {
    private func refresh() async {
        repeat {
            state.withLock { $0.isStale = false }
            switch await source.computed(view, for: self) {
            case .computed(let computed): publish(computed)
            case .ended(let end): finish(end)
            }
        } while isToBeRefreshedAgain()
    }

    private func isToBeRefreshedAgain() -> Bool {
        state.withLock { state in
            if state.isStale, !state.wakes.isEmpty, state.end == nil { return true }
            state.isRefreshing = false
            return false
        }
    }
}

/// Says why a feed has ended.
enum FeedEnd: Hashable {
    /// The service is about to stop.
    case draining
    /// There is no such view any more; asking for it says why.
    case gone
}

/// Computes what feeds show.
protocol FeedSource: Sendable {
    /// The view as it is now, with the feed registered for what it was read from, or stale already, so
    /// that no change after it is missed, and with the changeset from the feed's latest made.
    func computed(_ view: ScreenView, for feed: ViewFeed) async -> FeedResult
}

enum FeedResult {
    case computed(ComputedView)
    case ended(FeedEnd)
}
