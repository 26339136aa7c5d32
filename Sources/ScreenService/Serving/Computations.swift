import Logging
import Synchronization

/// The computing of views: each at most once at a time, however many ask for it.
///
/// One that is past its deadline is left behind: requests that wait for it fail, and its result is discarded. Until it has
/// ended, requests for the same view fail at once.
final class Computations: Sendable {
    private final class Running: Sendable {
        /// Fails with ``FailedComputation``.
        let outcome = Outcome<ComputedView>()
        let reads: ReadRecorder
        let generation: TopicGenerations.Generation
        /// One more than that of the one that was begun before it.
        let number: Int
        /// A Boolean value that indicates whether it was started without the refresh executor.
        private let isExpedited: Atomic<Bool>

        init(reads: ReadRecorder, generation: TopicGenerations.Generation, number: Int, isExpedited: Bool) {
            (self.reads, self.generation, self.number) = (reads, generation, number)
            self.isExpedited = Atomic(isExpedited)
        }

        /// - Returns: whether it is to be started again, without the refresh executor, for which it waits.
        func expedite() -> Bool {
            !outcome.hasBegun && !isExpedited.exchange(true, ordering: .acquiringAndReleasing)
        }
    }

    /// The purpose of a computation.
    private enum Purpose {
        case request
        /// To refresh a feed. ``RefreshTurns`` bounds the number of these, so ``limit`` does not apply.
        case refresh
    }

    /// The maximum number of computations of one screen in progress. Beyond it requests fail, because they would only wait for each
    /// other.
    static let limit = 1024

    private let catalog: ScreenCatalog
    private let hash: ContentHash
    private let topics: Topics
    private let cache: ViewCache
    private let documents: DerivedDocuments
    private let history: History
    private let metrics: ServiceMetrics
    private let deadline: Deadline
    private let logger: Logger
    private let refreshing: RefreshExecutor
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
        catalog: ScreenCatalog, hash: ContentHash, topics: Topics, cache: ViewCache, documents: DerivedDocuments, history: History,
        metrics: ServiceMetrics, deadline: Deadline, refreshing: RefreshExecutor, logger: Logger
    ) {
        self.catalog = catalog
        self.hash = hash
        self.topics = topics
        self.cache = cache
        self.documents = documents
        self.history = history
        self.metrics = metrics
        self.deadline = deadline
        self.refreshing = refreshing
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
        if isHeard, topics.isTrusted { return kept(view) }
        return .later { [self] in
            try await unwrapped { try await canTrustWhatIsCached(at: position) ? computed(view) : computedAnew(view) }
        }
    }

    /// Waits until this replica has heard of a position, for a second at most.
    ///
    /// - Returns: whether what is cached then is as new as the position.
    func canTrustWhatIsCached(at position: Position?) async -> Bool {
        guard let heard = topics.heard else { return true }
        if let position, position > heard.position, await !heard.wait(for: position, upTo: Self.patienceForCommits) { return false }
        return topics.isTrusted
    }

    @inline(__always)
    private func kept(_ view: ScreenView) -> Eventual<ComputedView> {
        if let kept = cache.view(view) { return .now(kept) }
        return .later { [self] in try await unwrapped { try await computed(view) } }
    }

    /// Throws the cause of a failed computation instead of ``FailedComputation``.
    private func unwrapped(_ work: () async throws -> ComputedView) async throws -> ComputedView {
        do { return try await work() } catch let failure as FailedComputation { throw failure.cause }
    }

    /// Computes a view for its followers, on the refresh executor.
    ///
    /// - Parameters:
    ///   - isAnew: true to read the data after the call, whatever is cached or in progress.
    ///   - use: called after all requests that wait for the same computation. Its error is a ``FailedComputation`` if a computation
    ///     failed.
    func refresh(_ view: ScreenView, isAnew: Bool, _ use: @escaping @Sendable (Result<ComputedView, any Error>) -> Void) {
        if !isAnew, topics.isTrusted, cache.view(view) == nil, let (computation, isNew) = try? joinOrAdd(view, for: .refresh), isNew {
            // Before it starts: a call that is added after the end runs at once, on this thread.
            computation.outcome.whenSettled(isFollowing: true, use)
            start(computation, of: view, for: .refresh)
        } else {
            Task.detached { [self] in
                use(await Result { isAnew ? try await computedAnew(view, for: .refresh) : try await computed(view, for: .refresh) })
            }
        }
    }

    /// Begins the computation of a view at once if it waits for the refresh executor.
    func expedite(_ view: ScreenView) {
        guard let computation = running.withLock({ $0[view] }), computation.expedite() else { return }
        start(computation, of: view, for: .request)
    }

    /// A computation that was under way at the call counts only if nothing that it read was announced
    /// before the call: what a client has written, it must read. If it fails, that may be of what was
    /// there before.
    private func computed(_ view: ScreenView, for purpose: Purpose = .request) async throws -> ComputedView {
        guard topics.isTrusted else { return try await computedAnew(view, for: purpose) }
        if let kept = cache.view(view) { return kept }
        let arrival = topics.generation
        let computation = try joinOrStart(view, for: purpose)
        if computation.generation >= arrival { return try await computation.outcome.value }
        return try await deadline.value { [self] in
            if let computed = try? await computation.outcome.value, cache.view(view) === computed { return computed }
            return try await joinOrStart(view, for: purpose).outcome.value
        } late: { _ in
            DeadlineFault.notComputed
        }
    }

    /// Computed from what the data is after the call, whatever was heard of it.
    private func computedAnew(_ view: ScreenView, for purpose: Purpose = .request) async throws -> ComputedView {
        let last = running.withLock { $0.lastNumber }
        return try await deadline.value { [self] in
            var computation = try joinOrStart(view, for: purpose)
            while computation.number <= last {
                _ = try? await computation.outcome.value
                computation = try joinOrStart(view, for: purpose)
            }
            return try await computation.outcome.value
        } late: { _ in
            DeadlineFault.notComputed
        }
    }

    private func joinOrStart(_ view: ScreenView, for purpose: Purpose) throws(DeadlineFault) -> Running {
        do throws(DeadlineFault) {
            let (computation, isNew) = try joinOrAdd(view, for: purpose)
            if isNew || purpose == .request && computation.expedite() { start(computation, of: view, for: purpose) }
            return computation
        } catch {
            metrics.count { $0.failures += 1 }
            throw error
        }
    }

    /// - Returns: the computation that is under way, or a new one, which is to be started.
    private func joinOrAdd(_ view: ScreenView, for purpose: Purpose) throws(DeadlineFault) -> (Running, isNew: Bool) {
        try running.withLock { running throws(DeadlineFault) in
            if let computation = running[view] { return (computation, false) }
            guard purpose == .refresh || running.count(of: view.screen) < Self.limit else { throw .tooManyAtOnce }
            try stragglers.admit(view.screen, computing: view)
            let computation = Running(
                reads: ReadRecorder(of: topics), generation: topics.beginComputation(), number: running.lastNumber + 1,
                isExpedited: purpose == .request
            )
            running.add(computation, of: view)
            return (computation, true)
        }
    }

    private func start(_ computation: Running, of view: ScreenView, for purpose: Purpose) {
        let generation = computation.generation
        let failure: @Sendable (any Error) -> FailedComputation = { [reads = computation.reads] cause in
            FailedComputation(cause: cause, reads: reads.recorded, generation: generation)
        }
        let work: @Sendable () async throws -> ComputedView = { [self] in
            do {
                try Task.checkCancellation()
                return try await render(view, for: computation)
            } catch {
                throw failure(error)
            }
        }
        let executor = purpose == .refresh ? refreshing : nil
        deadline.start(work, isDetached: true, on: executor, settling: computation.outcome) { [self] result in
            end(result, begunIn: generation)
            topics.endComputation(begunIn: generation)
            running.withLock { $0.remove(view) }
        } late: { [stragglers, logger] task in
            stragglers.add(task, of: view.screen, computing: view)
            executor?.replaceThread(of: task)
            logger.warning("a screen was not computed in time", metadata: ["screen": "\(view.screen)"])
            return failure(DeadlineFault.notComputed)
        }
    }

    private func end(_ result: Result<ComputedView, any Error>, begunIn generation: TopicGenerations.Generation) {
        guard case .success(let computed) = result else { return metrics.count { $0.failures += 1 } }
        history.noteUse(of: computed)
        let gone = topics.ifUnchanged(computed.topics, since: generation) { cache.keep(computed) }
        withExtendedLifetime(gone) {}
    }

    private func render(_ view: ScreenView, for computation: Running) async throws -> ComputedView {
        guard let screen = catalog.screen(of: view) else { throw ViewFault.unknownScreen(view.screen, known: catalog.names) }
        metrics.count { $0.computations += 1 }
        let earlier = cache.lastComputed(view)
        let (rendered, model) = try await CurrentScreen.$name.withValue(view.screen) {
            try await topics.recordingReads(by: computation.reads) {
                try await render(screen, view, after: earlier, isKept: cache.isFollowed(view))
            }
        }
        if rendered.renamedCount > 0 { warn(of: rendered, view) }
        let outline = metrics.timing(.encoding) { EncodedOutline(outline: rendered.outline, title: rendered.title) }
        return ComputedView(
            view: view, hash: hash, rendered: rendered, model: cache.isFollowed(view) ? model : nil, outline: outline,
            following: cache.trail(of: view), topics: computation.reads.recorded, generation: computation.generation,
            number: computation.number, documents: documents
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

/// The failure of a computation, with the topics that it had read by then. The cause may lie in their data.
struct FailedComputation: Error {
    let cause: any Error
    let reads: Set<Topic>
    /// The generation of topics that was noted before reading.
    let generation: TopicGenerations.Generation
}
