import Synchronization

/// A cache of computed views with a maximum number of bytes. A view is current until a topic that it read is announced.
///
/// ``Topics`` prevents other announcements while a view is added or marked as outdated. Therefore no announcement can occur between the
/// check that a view is current and its insertion into the cache.
///
/// Event loops wait for the lock of the cache, so the lock must be held only for a short time. When an announcement makes many views
/// outdated, the lock is held while these views are found. Afterwards, they are marked as outdated without the lock, and the lock is held
/// again for a short time to discard each view.
final class ViewCache: Sendable {
    fileprivate enum Entry {
        /// A view that is current or followed. If the view is followed, the next rendering reuses the parts of this view that did not
        /// change.
        case view(ComputedView)
        /// The last versions of an outdated view. Clients may still have these versions.
        case trail(VersionTrail)

        var computed: ComputedView? {
            if case .view(let computed) = self { computed } else { nil }
        }
    }

    fileprivate struct State {
        var views: CostBoundedCache<ScreenView, Entry>
        /// For each topic, the current views that read it.
        var readers = TopicReaders<ComputedView>()
        /// The number of current views, plus the number of outdated views that are not discarded yet.
        var currentCount = 0
        /// For each followed view, the function to call when the view becomes outdated. Followed views are pinned.
        var followed: [ScreenView: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>

    /// Creates an empty cache.
    ///
    /// - Parameter byteLimit: The approximate maximum number of bytes of all views. Followed views are counted, although they are not
    ///   evicted.
    init(byteLimit: Int) {
        state = Mutex(State(views: CostBoundedCache(costLimit: byteLimit)))
    }

    /// The number of current views, and the approximate number of bytes of all cached views and versions.
    var usage: (views: Int, bytes: Int) {
        state.withLock { ($0.currentCount, $0.views.totalCost) }
    }

    /// Returns the cached result for a view, or `nil` if the cache has no current result.
    func view(_ view: ScreenView) -> ComputedView? {
        state.withLock { state in
            guard case .view(let computed)? = state.views.use(view), computed.isCurrent else { return nil }
            return computed
        }
    }

    /// Returns the last versions of a view, or `nil` if the cache has none.
    func trail(of view: ScreenView) -> VersionTrail? {
        state.withLock { state in
            switch state.views.value(of: view) {
            case .view(let computed): computed.trail
            case .trail(let trail): trail
            case nil: nil
            }
        }
    }

    /// Returns the cached result of the last computation of a view. The result may be outdated.
    func lastComputed(_ view: ScreenView) -> ComputedView? {
        state.withLock { $0.views.value(of: view)?.computed }
    }

    /// Caches a current view.
    ///
    /// - Returns: The removed entries. The calling code must release them while it holds no lock.
    func keep(_ computed: ComputedView) -> any Sendable {
        state.withLock { $0.keep(computed) }
    }

    /// Marks the views that read an announced topic as outdated.
    ///
    /// - Returns: The outdated views. The calling code must pass them to `discard`.
    func outdate(reading announcement: Announcement) -> [ComputedView] {
        let topics = state.withLock { $0.readers.removeTopics(of: announcement) }
        var outdated: [ComputedView] = []
        for readers in topics.values {
            for computed in readers where computed.becomeOutdated() { outdated.append(computed) }
        }
        return outdated
    }

    /// Discards outdated views, but keeps the last versions of each view. A followed view is not discarded. For a followed view, calls the
    /// function that was passed to `retain(_:whenOutdated:)`. The lock is released after each view. While a view is removed from the table
    /// of readers, the lock is also released after each small group of topics.
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

// The functions for followed views.
extension ViewCache {
    /// The approximate number of bytes of the followed views.
    var followedBytes: Int { state.withLock { $0.views.pinnedCost } }

    func isFollowed(_ view: ScreenView) -> Bool {
        state.withLock { $0.followed[view] != nil }
    }

    /// Pins a followed view in the cache until `release` is called. A feed retains its view once, regardless of the number of
    /// followers.
    ///
    /// - Parameter outdated: A function that is called each time the view becomes outdated. No lock is held during the call.
    func retain(_ view: ScreenView, whenOutdated outdated: @escaping @Sendable () -> Void = {}) {
        let evicted = state.withLock { state in
            state.followed[view] = outdated
            return state.evicting { $0.pin(view, true) }
        }
        withExtendedLifetime(evicted) {}
    }

    /// Unpins a view that is no longer followed. If the view is outdated, also discards it.
    ///
    /// - Returns: The removed entries. The calling code must release them while it holds no lock.
    func release(_ view: ScreenView) -> any Sendable {
        state.withLock { state in
            state.followed[view] = nil
            var removed = state.evicting { $0.pin(view, false) }
            if let computed = state.views.value(of: view)?.computed, !computed.isCurrent {
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

    /// Discards an outdated view, unless it is followed. The calling code must remove the view from the table of readers.
    ///
    /// - Returns: The function to call, or `nil` if the view is not followed.
    fileprivate mutating func discardOutdated(_ computed: ComputedView) -> (@Sendable () -> Void)? {
        currentCount -= 1
        if let call = followed[computed.view] { return call }
        // The view is not deallocated here, because the code that calls this method still retains it.
        _ = discard(computed)
        return nil
    }

    /// Removes an outdated view from the cache. The cache keeps only the tokens and outlines of the view's last versions.
    ///
    /// - Returns: The evicted entries.
    fileprivate mutating func discard(_ computed: ComputedView) -> [ViewCache.Entry] {
        guard views.value(of: computed.view)?.computed === computed else { return [] }
        let trail = computed.trail
        return evicting { $0.update(computed.view, to: .trail(trail), cost: trail.cost) }
    }

    /// Changes the cached views with `change`. The evicted views are also removed from the other tables.
    ///
    /// - Returns: The evicted entries.
    fileprivate mutating func evicting(
        _ change: (inout CostBoundedCache<ScreenView, ViewCache.Entry>) -> [ViewCache.Entry]
    ) -> [ViewCache.Entry] {
        let evicted = change(&views)
        end(evicted)
        return evicted
    }

    /// Removes evicted or replaced views from the other tables. Views that are already outdated are skipped, because another call removes
    /// them.
    private mutating func end(_ removed: [ViewCache.Entry]) {
        for case .view(let computed) in removed where computed.becomeOutdated() {
            currentCount -= 1
            readers.remove(computed, reading: computed.topics)
        }
    }
}
