import Synchronization

/// Keeps computed views until data that they read is announced, up to a number of bytes.
///
/// Stores announce to it; the service asks it before it computes. One lock is around cached views
/// and generations of topics alike, so that nothing is announced between "still current" and "kept".
public final class ViewCache: TopicAnnouncing {
    /// What is kept of a view.
    fileprivate enum Entry {
        case current(ComputedView)
        /// Something that it read was announced; its last versions are what clients hold.
        case outdated(VersionTrail)
    }

    fileprivate struct State {
        var views: CostBoundedCache<ScreenView, Entry>
        var currentCount = 0
        var readers: [Topic: Set<ScreenView>] = [:]
        /// How many feeds show a view: as long as there are any, it stays.
        var followed: [ScreenView: Int] = [:]
        var generations = TopicGenerations()
        var feeds = FeedRegister()
    }

    private let state: Mutex<State>

    /// - Parameter byteLimit: how many bytes all views may take together, about: parameters make views without
    ///   end. Those that are followed count and stay.
    public init(byteLimit: Int) {
        state = Mutex(State(views: CostBoundedCache(costLimit: byteLimit)))
    }

    public func announce(_ topics: Set<Topic>) {
        // Let go of after the lock: there may be many, and large ones.
        let outdated = state.withLock { state in
            state.generations.advance(topics)
            let outdated = topics.reduce(into: Set()) { $0.formUnion(state.readers[$1] ?? []) }.compactMap { state.outdate($0) }
            // Under the lock, so that nobody is shown a view as current whose successor others can get.
            for feed in state.feeds.takeAll(reading: topics) { feed.becomeStale() }
            return outdated
        }
        withExtendedLifetime(outdated) {}
    }

    /// How many views are at hand, and the bytes that all that is kept takes, about.
    public var usage: (views: Int, bytes: Int) {
        state.withLock { ($0.currentCount, $0.views.totalCost) }
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
            case .outdated(let trail): trail
            case nil: nil
            }
        }
    }

    /// The present generation of topics.
    var generation: TopicGenerations.Generation {
        state.withLock { $0.generations.now }
    }

    /// Notes the generation that a computation begins in. Each must be ended.
    func beginComputation() -> TopicGenerations.Generation {
        state.withLock { $0.generations.begin() }
    }

    /// Ends a computation, and keeps its result if nothing that it read was announced meanwhile.
    ///
    /// - Parameters:
    ///   - result: nil if the computation failed.
    ///   - generation: the one that was noted when it began.
    /// - Returns: whether the result is current.
    @discardableResult
    func endComputation(_ result: ComputedView?, begunIn generation: TopicGenerations.Generation) -> Bool {
        if let result {
            // Not the view itself: what is held weakly by anybody is slower to hold for everybody.
            let (view, growth) = (result.view, ObjectIdentifier(result.growth))
            result.growth.observe { [weak self] in self?.recount(view, growth) }
        }
        let (isCurrent, evicted) = state.withLock { state -> (Bool, [Entry]) in
            defer { state.generations.end(generation) }
            guard let result else { return (false, []) }
            guard !state.generations.hasAdvanced(anyOf: result.topics, since: result.generation) else { return (false, []) }
            return (true, state.keep(result))
        }
        withExtendedLifetime(evicted) {}
        return isCurrent
    }

    /// Counts anew what a view takes, whose documents have grown.
    private func recount(_ view: ScreenView, _ growth: ObjectIdentifier) {
        let evicted = state.withLock { state -> [Entry] in
            guard case .current(let kept)? = state.views.value(of: view), ObjectIdentifier(kept.growth) == growth else { return [] }
            let evicted = state.views.update(view, to: .current(kept), cost: kept.cost)
            for entry in evicted { state.forget(entry) }
            return evicted
        }
        withExtendedLifetime(evicted) {}
    }
}

// MARK: - Feeds

extension ViewCache {
    /// Has a view stay, until as many have let go of it as have asked for that.
    func retain(_ view: ScreenView) {
        state.withLock { state in
            state.followed[view, default: 0] += 1
            _ = state.views.pin(view, true)
        }
    }

    func release(_ view: ScreenView) {
        let evicted = state.withLock { state -> [Entry] in
            let rest = state.followed[view, default: 1] - 1
            state.followed[view] = rest > 0 ? rest : nil
            guard rest == 0 else { return [] }
            if case .outdated(let trail)? = state.views.value(of: view) {
                _ = state.views.update(view, to: .outdated(trail), cost: trail.cost)
            }
            let evicted = state.views.pin(view, false)
            for entry in evicted { state.forget(entry) }
            return evicted
        }
        withExtendedLifetime(evicted) {}
    }

    /// Has a feed told, once, when something that a view was computed from is announced.
    ///
    /// A computation must be under way since before `computed` was asked for.
    ///
    /// - Returns: false, and it is told nothing, if that has happened since it was computed.
    func register(_ feed: ViewFeed, for computed: ComputedView) -> Bool {
        state.withLock { state in
            guard !state.generations.hasAdvanced(anyOf: computed.topics, since: computed.generation) else { return false }
            state.feeds.add(feed, reading: computed.topics)
            return true
        }
    }

    /// How many feeds are told of announcements, and of how many topics.
    var registered: (feeds: Int, topics: Int) {
        state.withLock { ($0.feeds.count, $0.feeds.topicCount) }
    }

    /// Has a feed told nothing more.
    func forget(_ feed: ViewFeed) {
        state.withLock { $0.feeds.remove(feed) }
    }
}

extension ViewCache.State {
    fileprivate mutating func keep(_ computed: ComputedView) -> [ViewCache.Entry] {
        let view = computed.view
        var gone: [ViewCache.Entry] = []
        if let replaced = views.remove(view) { gone.append(replaced) }
        currentCount += 1
        for topic in computed.topics { readers[topic, default: []].insert(view) }
        for entry in gone { forget(entry, except: computed.topics) }
        let evicted = views.insert(.current(computed), for: view, cost: computed.cost, isPinned: followed[view] != nil)
        for entry in evicted { forget(entry) }
        return gone + evicted
    }

    /// Keeps of a view what clients may hold of it.
    ///
    /// - Returns: the view that is not current any more.
    fileprivate mutating func outdate(_ view: ScreenView) -> ComputedView? {
        guard case .current(let computed)? = views.value(of: view) else { return nil }
        forget(.current(computed))
        let trail = computed.trail
        // Whoever follows has all of it until there is another.
        _ = views.update(view, to: .outdated(trail), cost: followed[view] == nil ? trail.cost : computed.cost)
        return computed
    }

    fileprivate mutating func forget(_ entry: ViewCache.Entry, except topics: Set<Topic> = []) {
        guard case .current(let computed) = entry else { return }
        currentCount -= 1
        for topic in computed.topics where !topics.contains(topic) {
            readers[topic]?.remove(computed.view)
            if readers[topic]?.isEmpty == true { readers[topic] = nil }
        }
    }
}
