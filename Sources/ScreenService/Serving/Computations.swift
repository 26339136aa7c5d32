import Logging
import Synchronization

/// The computing of views: each at most once at a time, however many ask for it.
///
/// One that is past its deadline is left behind: who waits for it is told so, nothing that comes of it is
/// kept, and whoever asks next begins another.
final class Computations: Sendable {
    private struct Running {
        let outcome = Outcome<ComputedView>()
        let generation: TopicGenerations.Generation
        /// One more than that of the one that was begun before it.
        let number: Int
    }

    /// How many views of one screen are computed at a time: more would only wait for each other, or hang together.
    static let limit = 1024

    private let catalog: ScreenCatalog
    private let hash: ContentHash
    private let topics: Topics
    private let cache: ViewCache
    private let history: History
    private let metrics: ServiceMetrics
    private let deadline: Deadline
    private let logger: Logger
    let stragglers = Stragglers()
    private let running = Mutex(RunningComputations())
    #if DEBUG
    private let contentCheck = ContentCheck()
    #endif

    private struct RunningComputations {
        private var views: [ScreenView: Running] = [:]
        private var counts: [String: Int] = [:]
        private(set) var lastNumber = 0

        func count(of screen: String) -> Int { counts[screen] ?? 0 }

        subscript(view: ScreenView) -> Running? { views[view] }

        mutating func add(_ computation: Running, of view: ScreenView) {
            views[view] = computation
            lastNumber = computation.number
            counts[view.screen, default: 0] += 1
        }

        mutating func remove(_ view: ScreenView) {
            guard views.removeValue(forKey: view) != nil, let count = counts[view.screen] else { return }
            counts[view.screen] = count > 1 ? count - 1 : nil
        }
    }

    init(
        catalog: ScreenCatalog, hash: ContentHash, topics: Topics, cache: ViewCache, history: History,
        metrics: ServiceMetrics, deadline: Deadline, logger: Logger
    ) {
        self.catalog = catalog
        self.hash = hash
        self.topics = topics
        self.cache = cache
        self.history = history
        self.metrics = metrics
        self.deadline = deadline
        self.logger = logger
    }

    /// Whether what is cached is what the data is now, but for what nobody can have seen for long.
    var canTrustWhatIsCached: Bool { topics.isTrusted }

    /// How long a replica waits until it has heard of what a client has seen.
    private static let patienceForCommits = Duration.seconds(1)

    /// The view as it is now, or newer.
    ///
    /// - Parameter position: of a commit that the client has seen something of.
    func current(_ view: ScreenView, at position: Position? = nil) -> Eventual<ComputedView> {
        guard let heard = topics.heard else { return kept(view) }
        let isHeard = position.map { $0 <= heard.position } ?? true
        if isHeard { return topics.isTrusted ? kept(view) : .later { [self] in try await computedAnew(view) } }
        return .later { [self] in
            guard let position, await heard.wait(for: position, upTo: Self.patienceForCommits), topics.isTrusted else {
                return try await computedAnew(view)
            }
            return try await computed(view)
        }
    }

    @inline(__always)
    private func kept(_ view: ScreenView) -> Eventual<ComputedView> {
        if let kept = cache.view(view) { return .now(kept) }
        return .later { [self] in try await computed(view) }
    }

    /// Gives it to `use`, behind all who wait for it, on the thread that has computed it; where it is at hand on another one
    /// than the caller's.
    func current(_ view: ScreenView, _ use: @escaping @Sendable (Result<ComputedView, any Error>) -> Void) {
        if topics.isTrusted, cache.view(view) == nil, let (computation, isNew) = try? joinOrAdd(view), isNew {
            // Before it starts: once it has ended, whoever asks for its outcome is called at once.
            computation.outcome.whenSettled(isFollowing: true, use)
            start(computation, of: view)
        } else {
            Task.detached { [self] in use(await Result { try await computed(view) }) }
        }
    }

    /// A computation that was under way at the call counts only if nothing that it read was announced
    /// before the call: what a client has written, it must read. If it fails, that may be of what was
    /// there before.
    private func computed(_ view: ScreenView) async throws -> ComputedView {
        guard topics.isTrusted else { return try await computedAnew(view) }
        if let kept = cache.view(view) { return kept }
        let arrival = topics.generation
        let computation = try joinOrStart(view)
        if computation.generation >= arrival { return try await computation.outcome.value }
        return try await deadline.value { [self] in
            if let computed = try? await computation.outcome.value, cache.view(view) === computed { return computed }
            return try await joinOrStart(view).outcome.value
        } late: { _ in
            DeadlineFault.notComputed
        }
    }

    /// Computed from what the data is after the call, whatever was heard of it.
    private func computedAnew(_ view: ScreenView) async throws -> ComputedView {
        let last = running.withLock { $0.lastNumber }
        return try await deadline.value { [self] in
            var computation = try joinOrStart(view)
            while computation.number <= last {
                _ = try? await computation.outcome.value
                computation = try joinOrStart(view)
            }
            return try await computation.outcome.value
        } late: { _ in
            DeadlineFault.notComputed
        }
    }

    private func joinOrStart(_ view: ScreenView) throws(DeadlineFault) -> Running {
        do throws(DeadlineFault) {
            let (computation, isNew) = try joinOrAdd(view)
            if isNew { start(computation, of: view) }
            return computation
        } catch {
            metrics.count { $0.failures += 1 }
            throw error
        }
    }

    /// - Returns: the computation that is under way, or a new one, which is to be started.
    private func joinOrAdd(_ view: ScreenView) throws(DeadlineFault) -> (Running, isNew: Bool) {
        try running.withLock { running throws(DeadlineFault) in
            if let computation = running[view] { return (computation, false) }
            guard running.count(of: view.screen) < Self.limit else { throw .tooManyAtOnce }
            try stragglers.admit(view.screen)
            let computation = Running(generation: topics.beginComputation(), number: running.lastNumber + 1)
            running.add(computation, of: view)
            return (computation, true)
        }
    }

    private func start(_ computation: Running, of view: ScreenView) {
        let (generation, number) = (computation.generation, computation.number)
        deadline.start({ [self] in try await render(view, generation, number) }, isDetached: true, settling: computation.outcome) {
            [self] result in
            end(result, begunIn: generation)
            topics.endComputation(begunIn: generation)
            running.withLock { $0.remove(view) }
        } late: { [stragglers, logger] task in
            stragglers.add(task, of: view.screen)
            logger.warning("a screen was not computed in time", metadata: ["screen": "\(view.screen)"])
            return DeadlineFault.notComputed
        }
    }

    private func end(_ result: Result<ComputedView, any Error>, begunIn generation: TopicGenerations.Generation) {
        guard case .success(let computed) = result else { return metrics.count { $0.failures += 1 } }
        history.noteUse(of: computed)
        let gone = topics.ifUnchanged(computed.topics, since: generation) { cache.keep(computed) }
        withExtendedLifetime(gone) {}
    }

    private func render(_ view: ScreenView, _ generation: TopicGenerations.Generation, _ number: Int) async throws -> ComputedView {
        guard let screen = catalog.screen(of: view) else { throw ViewFault.unknownScreen(view.screen, known: catalog.names) }
        metrics.count { $0.computations += 1 }
        let earlier = cache.lastComputed(view)
        let ((rendered, model), reads) = try await CurrentScreen.$name.withValue(view.screen) {
            try await topics.recordingReads {
                try await render(screen, view, after: earlier, isKept: cache.isFollowed(view))
            }
        }
        if rendered.renamedCount > 0 { warn(of: rendered, view) }
        let outline = metrics.timing(.encoding) { EncodedOutline(outline: rendered.outline, title: rendered.title) }
        return ComputedView(
            view: view, hash: hash, rendered: rendered, model: cache.isFollowed(view) ? model : nil, outline: outline,
            following: cache.trail(of: view), topics: reads, generation: generation, number: number
        )
    }

    private func render<Model>(
        _ screen: some Screen<Model>, _ view: ScreenView, after earlier: ComputedView?, isKept: Bool
    ) async throws -> (RenderedSnapshot, any RenderableModel) {
        let content = try await metrics.timing(.content) { try await screen.content(for: ScreenRequest(view: view)) }
        #if DEBUG
        try contentCheck.check(content.model.contents, of: view.screen)
        try contentCheck.check(content.model.contents, areListedBy: type(of: screen))
        #endif
        var writer = SnapshotWriter(content, of: view.screen, hash: hash, after: earlier?.rendered, isKept: isKept)
        metrics.timing(.rendering) { writer.write(content.model, after: earlier?.model as? Model) }
        let rendered = metrics.timing(.hashing) { writer.finish(for: view.audience) }
        #if DEBUG
        try contentCheck.check(rendered, of: content, view, hash: hash)
        #endif
        return (rendered, content.model)
    }

    private func warn(of rendered: RenderedSnapshot, _ view: ScreenView) {
        metrics.count { $0.renamedIDs += rendered.renamedCount }
        logger.warning(
            "a screen repeats ids; each repeated one got a number",
            metadata: ["screen": "\(view.screen)", "count": "\(rendered.renamedCount)"]
        )
    }
}
