import Synchronization

/// The cached views, each until data that it read is announced, up to a number of bytes.
///
/// Views are cached and outdated while nothing is announced (``Topics``), so that no announcement comes between "still current" and
/// "cached". Event loops wait for the lock of this cache. An announcement that outdates many views therefore holds it only to find
/// them, marks them without it, and discards them a few at a time.
final class ViewCache: Sendable {
    fileprivate enum Entry {
        /// A view that is current, or followed. If it is followed, the next one is made from it.
        case view(ComputedView)
        /// The last versions of an outdated view. Clients may have them.
        case trail(VersionTrail)

        var computed: ComputedView? {
            if case .view(let computed) = self { computed } else { nil }
        }
    }

    fileprivate struct State {
        var views: CostBoundedCache<ScreenView, Entry>
        /// The current views, by the topics that they have read.
        var readers = TopicReaders<ComputedView>()
        /// The number of current views, with outdated ones that have not been discarded yet.
        var currentCount = 0
        /// The functions to call when a followed view is outdated. Followed views are not evicted.
        var followed: [ScreenView: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter byteLimit: how many bytes all views may take together, about: parameters make views without end. Those that are
    ///   followed count and stay.
    init(byteLimit: Int) {
        state = Mutex(State(views: CostBoundedCache(costLimit: byteLimit)))
    }

    /// How many views are at hand, and the bytes that all that is kept takes, about.
    var usage: (views: Int, bytes: Int) {
        state.withLock { ($0.currentCount, $0.views.totalCost) }
    }

    func view(_ view: ScreenView) -> ComputedView? {
        state.withLock { state in
            guard case .view(let computed)? = state.views.use(view), computed.isCurrent else { return nil }
            return computed
        }
    }

    /// The last versions of a view, as far as they are remembered.
    func trail(of view: ScreenView) -> VersionTrail? {
        state.withLock { state in
            switch state.views.value(of: view) {
            case .view(let computed): computed.trail
            case .trail(let trail): trail
            case nil: nil
            }
        }
    }

    /// The view as it was computed last, as long as it is there.
    func lastComputed(_ view: ScreenView) -> ComputedView? {
        state.withLock { $0.views.value(of: view)?.computed }
    }

    /// Keeps a view that is current.
    ///
    /// - Returns: what had to go for it.
    func keep(_ computed: ComputedView) -> any Sendable {
        state.withLock { $0.keep(computed) }
    }

    /// Marks the views that have read something of what was announced. They are not returned any more.
    ///
    /// - Returns: these views, to be discarded.
    func outdate(reading announcement: Announcement) -> [ComputedView] {
        let topics = state.withLock { $0.readers.removeTopics(of: announcement) }
        var outdated: [ComputedView] = []
        for readers in topics.values {
            for computed in readers where computed.becomeOutdated() { outdated.append(computed) }
        }
        return outdated
    }

    /// Discards outdated views except their last versions, and calls the functions for those that are followed.
    func discard(_ outdated: [ComputedView]) {
        var rest = outdated[...]
        while !rest.isEmpty {
            for call in state.withLock({ $0.discardSome(of: &rest) }) { call() }
        }
    }
}

// What is followed.
extension ViewCache {
    /// The bytes of the views that are followed, about.
    var followedBytes: Int { state.withLock { $0.views.pinnedCost } }

    func isFollowed(_ view: ScreenView) -> Bool {
        state.withLock { $0.followed[view] != nil }
    }

    /// Retains a view until it is released. Its feed does this once, however many follow it.
    ///
    /// - Parameter outdated: called each time that the view has been outdated, without a lock.
    func retain(_ view: ScreenView, whenOutdated outdated: @escaping @Sendable () -> Void = {}) {
        let evicted = state.withLock { state in
            state.followed[view] = outdated
            return state.evicting { $0.pin(view, true) }
        }
        withExtendedLifetime(evicted) {}
    }

    /// - Returns: the parts that are removed, to be released outside of locks.
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

    /// Discards the first outdated views.
    ///
    /// - Returns: the functions to call for those that are followed.
    fileprivate mutating func discardSome(of outdated: inout ArraySlice<ComputedView>) -> [@Sendable () -> Void] {
        var (calls, operations): ([@Sendable () -> Void], Int) = ([], 0)
        while operations < Self.operationLimit, let computed = outdated.popFirst() {
            operations += 1 + computed.topics.count
            currentCount -= 1
            readers.remove(computed, reading: computed.topics)
            // The caller releases the view itself, without the lock.
            if let call = followed[computed.view] { calls.append(call) } else { _ = discard(computed) }
        }
        return calls
    }

    /// The number of operations on tables after which others get the lock. They take some tenth of a millisecond.
    private static var operationLimit: Int { 128 }

    /// Discards an outdated view except its last versions.
    ///
    /// - Returns: the entries that are evicted for these.
    fileprivate mutating func discard(_ computed: ComputedView) -> [ViewCache.Entry] {
        guard views.value(of: computed.view)?.computed === computed else { return [] }
        let trail = computed.trail
        return evicting { $0.update(computed.view, to: .trail(trail), cost: trail.cost) }
    }

    /// Changes the cached views, of which some may be evicted for that.
    ///
    /// - Returns: the evicted ones.
    fileprivate mutating func evicting(
        _ change: (inout CostBoundedCache<ScreenView, ViewCache.Entry>) -> [ViewCache.Entry]
    ) -> [ViewCache.Entry] {
        let evicted = change(&views)
        end(evicted)
        return evicted
    }

    /// Notes that views are no longer cached. Those that were outdated before are about to be discarded.
    private mutating func end(_ removed: [ViewCache.Entry]) {
        for case .view(let computed) in removed where computed.becomeOutdated() {
            currentCount -= 1
            readers.remove(computed, reading: computed.topics)
        }
    }
}
