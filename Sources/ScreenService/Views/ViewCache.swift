import Synchronization

/// A cache of computed views with a maximum number of bytes. A view is current until a topic that it read is announced, or until its
/// ``Expiry``.
///
/// ``Topics`` prevents announcements while a view is added. Therefore no announcement can occur between the check that a view is current
/// and its insertion into the cache.
///
/// Event loops wait for the lock of the cache, so it must be held only for a short time. An announcement can make many views outdated:
/// 1. The lock is held while the readers of the announced topics are removed from the table of readers.
/// 2. The readers are marked as outdated without the lock.
/// 3. The lock is held once more for each view, to discard it. The cache keeps only the outlines of the last two versions, because clients
///    may still have these versions.
///
/// A followed view is pinned, and is not discarded when it becomes outdated. Instead, the cache notifies its feed, which refreshes the
/// view.
///
/// Functions that remove entries return them. The calling code must release them while it holds no lock.
final class ViewCache: Sendable {
    fileprivate enum Entry {
        /// A view that is current or followed.
        case view(ComputedView)
        /// The outlines of the last two versions of a discarded view.
        case trail(VersionTrail)

        var computed: ComputedView? {
            if case .view(let computed) = self { computed } else { nil }
        }
    }

    fileprivate struct State {
        var views: CostBoundedCache<ScreenView, Entry>
        var readers = TopicReaders<ComputedView>()
        /// The number of views that are current, or are outdated but have not been passed to ``discard(_:)`` yet.
        var currentCount = 0
        /// For each followed view, the function to call when the view becomes outdated.
        var followed: [ScreenView: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>

    /// Creates an empty cache. Followed views count towards `byteLimit`, although they are not evicted.
    init(byteLimit: Int) {
        state = Mutex(State(views: CostBoundedCache(costLimit: byteLimit)))
    }

    /// The number of current views, and the approximate bytes of all entries.
    var usage: (views: Int, bytes: Int) {
        state.withLock { ($0.currentCount, $0.views.totalCost) }
    }

    /// Returns the current result for a view, or `nil` if there is none.
    func view(_ view: ScreenView) -> ComputedView? {
        state.withLock { state in
            guard case .view(let computed)? = state.views.use(view), computed.isCurrent else { return nil }
            return computed
        }
    }

    func trail(of view: ScreenView) -> VersionTrail? {
        state.withLock { state in
            switch state.views.value(of: view) {
            case .view(let computed): computed.trail
            case .trail(let trail): trail
            case nil: nil
            }
        }
    }

    /// Returns the last result for a view, which may be outdated.
    func lastComputed(_ view: ScreenView) -> ComputedView? {
        state.withLock { $0.views.value(of: view)?.computed }
    }

    /// Caches a current view, and returns the removed entries.
    func keep(_ computed: ComputedView) -> any Sendable {
        state.withLock { $0.keep(computed) }
    }

    /// Finds the current views that have read a topic of `announcement`, marks them as outdated, and returns them. The calling code must
    /// pass them to ``discard(_:)``.
    func outdate(reading announcement: Announcement) -> [ComputedView] {
        let topics = state.withLock { $0.readers.removeTopics(of: announcement) }
        var outdated: [ComputedView] = []
        for readers in topics.values {
            for computed in readers where computed.becomeOutdated() { outdated.append(computed) }
        }
        return outdated
    }

    /// Discards outdated views, and notifies the feeds of followed views. The lock is released after each view and after each small group
    /// of topics.
    func discard(_ outdated: [ComputedView]) {
        for computed in outdated {
            state.withLock({ $0.discardOutdated(computed) })?()
            var rest = Array(computed.topics)[...]
            repeat {
                state.withLock { $0.readers.remove(computed, reading: rest.prefix(Self.topicsAtOnce)) }
                rest = rest.dropFirst(Self.topicsAtOnce)
            } while !rest.isEmpty
        }
    }

    private static let topicsAtOnce = 128
}

extension ViewCache {
    var followedBytes: Int { state.withLock { $0.views.pinnedCost } }

    func isFollowed(_ view: ScreenView) -> Bool {
        state.withLock { $0.followed[view] != nil }
    }

    /// Pins a followed view until `release` is called.
    ///
    /// - Parameter outdated: A function that is called, without a lock, each time the view becomes outdated.
    func retain(_ view: ScreenView, whenOutdated outdated: @escaping @Sendable () -> Void = {}) {
        let evicted = state.withLock { state in
            state.followed[view] = outdated
            return state.evicting { $0.pin(view, true) }
        }
        withExtendedLifetime(evicted) {}
    }

    /// Unpins a view that is no longer followed, and discards it if it is outdated. Returns the removed entries.
    func release(_ view: ScreenView) -> any Sendable {
        state.withLock { state in
            state.followed[view] = nil
            var removed = state.evicting { $0.pin(view, false) }
            if let computed = state.views.value(of: view)?.computed, !computed.isUnchanged {
                removed += [.view(computed)] + state.discard(computed)
            }
            return removed
        }
    }
}

extension ViewCache.State {
    fileprivate mutating func keep(_ computed: ComputedView) -> [ViewCache.Entry] {
        let view = computed.view
        let replaced = views.remove(view).map { [$0] } ?? []
        end(replaced)
        computed.becomeCurrent()
        currentCount += 1
        readers.insert(computed, reading: computed.topics)
        let isFollowed = followed[view] != nil
        return replaced + evicting { $0.insert(.view(computed), for: view, cost: computed.cost, isPinned: isFollowed) }
    }

    /// Discards an outdated view that is not followed. For a followed view, returns the function that notifies its feed.
    fileprivate mutating func discardOutdated(_ computed: ComputedView) -> (@Sendable () -> Void)? {
        currentCount -= 1
        if let call = followed[computed.view] { return call }
        // The view can be removed under the lock, because the calling code still retains it. So the view is not deallocated here.
        _ = discard(computed)
        return nil
    }

    /// Discards an outdated view, and keeps only the outlines of its last two versions. Returns the evicted entries, which do not include
    /// the view.
    fileprivate mutating func discard(_ computed: ComputedView) -> [ViewCache.Entry] {
        guard views.value(of: computed.view)?.computed === computed else { return [] }
        let trail = computed.trail
        return evicting { $0.update(computed.view, to: .trail(trail), cost: trail.cost) }
    }

    /// Changes `views` with `change`. For each evicted view that was current, updates `readers` and `currentCount`.
    fileprivate mutating func evicting(
        _ change: (inout CostBoundedCache<ScreenView, ViewCache.Entry>) -> [ViewCache.Entry]
    ) -> [ViewCache.Entry] {
        let evicted = change(&views)
        end(evicted)
        return evicted
    }

    /// Removes evicted or replaced views from `readers` and from `currentCount`. Outdated views are skipped, because ``discard(_:)``
    /// removes them.
    private mutating func end(_ removed: [ViewCache.Entry]) {
        for case .view(let computed) in removed where computed.becomeOutdated() {
            currentCount -= 1
            readers.remove(computed, reading: computed.topics)
        }
    }
}
