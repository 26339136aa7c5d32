import Synchronization

/// The views that were computed, each until data that it read is announced, up to a number of bytes.
///
/// Whoever puts a view in, or has views taken for outdated, does so while nothing is announced (``Topics``), so that
/// nothing comes between "still current" and "kept".
final class ViewCache: Sendable {
    /// What is kept of a view.
    fileprivate enum Entry {
        case current(ComputedView)
        /// Something that it read was announced; its last versions are what clients hold. Who follows has all of it until
        /// there is another, which is made from it.
        case outdated(VersionTrail, Growth, ComputedView?)

        var growth: Growth {
            switch self {
            case .current(let computed): computed.growth
            case .outdated(_, let growth, _): growth
            }
        }

        var computed: ComputedView? {
            switch self {
            case .current(let computed): computed
            case .outdated(_, _, let computed): computed
            }
        }
    }

    fileprivate struct State {
        var views: CostBoundedCache<ScreenView, Entry>
        /// Those that are current, by what they have read.
        var current = TopicReaders<ScreenView>()
        /// How many feeds show a view: as long as there are any, it stays.
        var followed: [ScreenView: Int] = [:]
    }

    private let state: Mutex<State>
    private let followedByteLimit: Int

    /// - Parameters:
    ///   - byteLimit: how many bytes all views may take together, about: parameters make views without end. Those that are
    ///     followed count and stay.
    ///   - followedByteLimit: the bytes that views which are followed may take together with what was made of them, about.
    init(byteLimit: Int, followedByteLimit: Int = .max) {
        self.followedByteLimit = followedByteLimit
        state = Mutex(State(views: CostBoundedCache(costLimit: byteLimit)))
    }

    /// How many views are at hand, and the bytes that all that is kept takes, about.
    var usage: (views: Int, bytes: Int) {
        state.withLock { ($0.current.count, $0.views.totalCost) }
    }

    func view(_ view: ScreenView) -> ComputedView? {
        state.withLock { state in
            guard case .current(let computed)? = state.views.use(view) else { return nil }
            return computed
        }
    }

    /// The last versions of a view, as far as they are remembered.
    func trail(of view: ScreenView) -> VersionTrail? {
        state.withLock { state in
            switch state.views.value(of: view) {
            case .current(let computed): computed.trail
            case .outdated(let trail, _, _): trail
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
        // Not the view itself: what is held weakly by anybody is slower to hold for everybody.
        let (view, growth, cost) = (computed.view, ObjectIdentifier(computed.growth), computed.ownCost)
        computed.growth.observe { [weak self] in self?.recount(view, growth, ownCost: cost) }
        return state.withLock { $0.keep(computed) }
    }

    /// Keeps of the views that have read something of what was announced no more than their versions.
    ///
    /// - Returns: the views that are not current any more.
    func outdate(reading announcement: Announcement) -> [ComputedView] {
        state.withLock { state in state.current.removeAll(reading: announcement).compactMap { state.outdate($0) } }
    }

    /// Counts anew what a view takes, whose documents have grown.
    private func recount(_ view: ScreenView, _ growth: ObjectIdentifier, ownCost: Int) {
        let evicted = state.withLock { state -> [Entry] in
            guard let entry = state.views.value(of: view), ObjectIdentifier(entry.growth) == growth else { return [] }
            if case .outdated(_, _, nil) = entry { return [] }
            return state.evicting { $0.update(view, to: entry, cost: ownCost + entry.growth.bytes) }
        }
        withExtendedLifetime(evicted) {}
        boundFollowed()
    }
}

// What is followed.
extension ViewCache {
    /// The bytes of the views that are followed, with what was made of them, about.
    var followedBytes: Int { state.withLock { $0.views.pinnedCost } }

    func isFollowed(_ view: ScreenView) -> Bool {
        state.withLock { $0.followed[view] != nil }
    }

    /// Has a view stay, until as many have let go of it as have asked for that.
    func retain(_ view: ScreenView) {
        let evicted = state.withLock { state in
            state.followed[view, default: 0] += 1
            return state.evicting { $0.pin(view, true) }
        }
        withExtendedLifetime(evicted) {}
    }

    func release(_ view: ScreenView) {
        let evicted = state.withLock { state -> [Entry] in
            let rest = state.followed[view, default: 1] - 1
            state.followed[view] = rest > 0 ? rest : nil
            guard rest == 0 else { return [] }
            return state.evicting { views in
                guard let entry = views.value(of: view), case .outdated(let trail, let growth, _) = entry else {
                    return views.pin(view, false)
                }
                let updated = views.update(view, to: .outdated(trail, growth, nil), cost: trail.cost)
                return updated + views.pin(view, false) + [entry]
            }
        }
        withExtendedLifetime(evicted) {}
    }

    /// Discards the responses made of followed views if these exceed their byte limit. Discarding all at once is rare; discarding a
    /// few would soon be necessary again.
    func boundFollowed() {
        let followed = state.withLock { state in
            state.views.pinnedCost > followedByteLimit ? state.views.pinned.compactMap(\.computed) : []
        }
        guard !followed.isEmpty else { return }
        for computed in followed { computed.discardAnswers() }
        let evicted = state.withLock { state in
            followed.flatMap { computed -> [Entry] in
                guard let entry = state.views.value(of: computed.view), entry.computed === computed else { return [] }
                return state.evicting { $0.update(computed.view, to: entry, cost: computed.cost) }
            }
        }
        withExtendedLifetime(evicted) {}
    }
}

extension ViewCache.State {
    fileprivate mutating func keep(_ computed: ComputedView) -> [ViewCache.Entry] {
        let view = computed.view
        let replaced = views.remove(view)
        current.insert(view, reading: computed.topics)
        let isFollowed = followed[view] != nil
        let evicted = evicting { $0.insert(.current(computed), for: view, cost: computed.cost, isPinned: isFollowed) }
        return evicted + (replaced.map { [$0] } ?? [])
    }

    fileprivate mutating func outdate(_ view: ScreenView) -> ComputedView? {
        guard case .current(let computed)? = views.value(of: view) else { return nil }
        let trail = computed.trail
        let isFollowed = followed[view] != nil
        let outdated = ViewCache.Entry.outdated(trail, computed.growth, isFollowed ? computed : nil)
        _ = evicting { $0.update(view, to: outdated, cost: isFollowed ? computed.cost : trail.cost) }
        return computed
    }

    /// Changes what is kept, and forgets what had to go for that.
    ///
    /// - Returns: what had to go.
    fileprivate mutating func evicting(
        _ change: (inout CostBoundedCache<ScreenView, ViewCache.Entry>) -> [ViewCache.Entry]
    ) -> [ViewCache.Entry] {
        let evicted = change(&views)
        for case .current(let computed) in evicted { current.remove(computed.view) }
        return evicted
    }
}
