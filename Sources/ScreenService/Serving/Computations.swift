import Dispatch
import Logging
import Synchronization

/// Computes views. At most one computation per view runs at a time, and concurrent requests for the view share its result.
///
/// A client must see its own writes, so a request needs a result that includes all commits announced before the request. The result of a
/// computation that began earlier is used only if no topic that it read has been announced since it began. If this earlier computation
/// fails, another computation begins, because outdated data may have caused the failure.
///
/// The computation of a refresh for followers waits for a thread of ``BackgroundExecutor``. If a request needs the view meanwhile, the
/// computation is expedited: it is started without the executor.
///
/// A computation that is past its deadline is called a straggler. The requests that wait for a straggler fail, and its result is discarded.
/// Until the straggler ends, new requests for the same view fail immediately.
final class Computations: Sendable {
    private final class Running: Sendable {
        /// The computed view, or a ``FailedComputation`` if the computation fails.
        let outcome = Outcome<ComputedView>()
        let reads: ReadRecorder
        let generation: TopicGenerations.Generation
        let number: Int
        private let isExpedited: Atomic<Bool>

        init(reads: ReadRecorder, generation: TopicGenerations.Generation, number: Int, isExpedited: Bool) {
            (self.reads, self.generation, self.number) = (reads, generation, number)
            self.isExpedited = Atomic(isExpedited)
        }

        /// Marks the computation as expedited. Returns `true` if the computation still waits for the executor, so that the calling code
        /// must start it without the executor.
        func expedite() -> Bool {
            !outcome.hasBegun && !isExpedited.exchange(true, ordering: .acquiringAndReleasing)
        }
    }

    private enum Purpose {
        case request
        /// A request that has waited for earlier requests of its caller. It is computed with the priority of ``backlog``, unless another
        /// request joins before the computation begins.
        case waitedRequest
        /// A refresh for followers. The number of refreshes is limited by ``RefreshTurns`` and not by ``limit``.
        case refresh
    }

    /// The maximum number of concurrent computations per screen. Further requests fail immediately.
    static let limit = 1024

    private let catalog: ScreenCatalog
    private let hash: ContentHash
    private let topics: Topics
    private let cache: ViewCache
    private let documents: DerivedDocuments
    private let history: History
    private let metrics: ServiceMetrics
    private let deadline: Deadline
    private let clock: any WallClock
    private let logger: Logger
    private let refreshing: BackgroundExecutor
    private let backlog = BackgroundExecutor(qos: .background)
    let stragglers = Stragglers()
    private let running = Mutex(RunningComputations())
    /// A Boolean value that indicates whether a screen fails if nothing that it read is tracked. Otherwise a warning is logged once.
    private let isStrict: Bool
    private let warnedScreens = Mutex<Set<String>>([])
    #if DEBUG
    private let contentCheck = ContentCheck()
    #endif

    private struct RunningComputations {
        private var views: [ScreenView: Running] = [:]
        private(set) var counts: [String: Int] = [:]
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
        metrics: ServiceMetrics, deadline: Deadline, clock: any WallClock, refreshing: BackgroundExecutor, isStrict: Bool,
        logger: Logger
    ) {
        self.catalog = catalog
        self.hash = hash
        self.topics = topics
        self.cache = cache
        self.documents = documents
        self.history = history
        self.metrics = metrics
        self.deadline = deadline
        self.clock = clock
        self.refreshing = refreshing
        self.isStrict = isStrict
        self.logger = logger
    }

    /// The number of computations in progress, by screen.
    var runningCounts: [String: Int] { running.withLock { $0.counts } }

    /// A Boolean value that indicates whether cached views may be used. With replicas, they may be used only while this replica receives
    /// the commits of all replicas.
    var isCacheTrusted: Bool { topics.isTrusted }

    /// The maximum time to wait for the announcement of a commit that a client has seen.
    private static let commitTimeout = Duration.seconds(1)

    /// Returns a computed view that is current at the time of the call and includes the commit at a position.
    func current(_ view: ScreenView, at position: Position? = nil) -> Eventual<ComputedView> {
        guard let received = topics.received else { return cached(view) }
        let isReceived = position.map { $0 <= received.position } ?? true
        if isReceived, topics.isTrusted { return cached(view) }
        return .later { [self] in
            try await unwrapped { try await isCacheTrusted(at: position) ? computed(view) : computedAnew(view) }
        }
    }

    /// Waits until the commit at a position has been announced on this replica. Returns `true` if cached views are current and include the
    /// commit at this position.
    func isCacheTrusted(at position: Position?) async -> Bool {
        guard let received = topics.received else { return true }
        if let position, position > received.position, await !received.wait(for: position, upTo: Self.commitTimeout) { return false }
        return topics.isTrusted
    }

    @inline(__always)
    private func cached(_ view: ScreenView) -> Eventual<ComputedView> {
        if let cached = cache.view(view) { return .now(cached) }
        return .later { [self] in try await unwrapped { try await computed(view) } }
    }

    /// Runs `work`. If it throws a ``FailedComputation``, throws the cause of the failure instead.
    private func unwrapped(_ work: () async throws -> ComputedView) async throws -> ComputedView {
        do { return try await work() } catch let failure as FailedComputation { throw failure.cause }
    }

    /// Computes a view for its followers, on the refresh executor.
    ///
    /// - Parameters:
    ///   - isAnew: A Boolean value that indicates whether the data must be read after the call.
    ///   - use: A function that receives the result after all waiting requests have received it. If the computation fails, the error is a
    ///     ``FailedComputation``.
    func refresh(_ view: ScreenView, isAnew: Bool, _ use: @escaping @Sendable (Result<ComputedView, any Error>) -> Void) {
        if !view.isRestricted, !isAnew, topics.isTrusted, cache.view(view) == nil,
            let (computation, isNew) = try? joinOrAdd(view, for: .refresh), isNew
        {
            // `use` is added before the computation starts. If it were added after the end of the computation, it would run on this thread.
            computation.outcome.whenSettled(isFollowing: true, use)
            start(computation, of: view, for: .refresh)
        } else {
            let executor = view.isRestricted ? refreshing.executor() : nil
            Task.detached(executorPreference: executor) { [self] in
                // The executor must live while it may receive jobs.
                defer { withExtendedLifetime(executor) {} }
                use(await Result { isAnew ? try await computedAnew(view, for: .refresh) : try await computed(view, for: .refresh) })
            }
        }
    }

    /// If the computation of a view is waiting for the executor, starts the computation without the executor.
    func expedite(_ view: ScreenView) {
        let view = view.unrestricted
        guard let computation = running.withLock({ $0[view] }), computation.expedite() else { return }
        start(computation, of: view, for: .request)
    }

    /// Returns a computed view that includes all commits that were announced before the call, and whose time has not passed.
    private func computed(_ view: ScreenView, for purpose: Purpose = .request) async throws -> ComputedView {
        guard topics.isTrusted else { return try await computedAnew(view, for: purpose) }
        if let cached = cache.view(view) { return cached }
        if view.isRestricted { return try await restricted(view) { try await computed($0, for: purpose) } }
        let arrival = topics.generation
        let computation = try joinOrStart(view, for: purpose)
        if computation.generation >= arrival {
            let computed = try await computation.outcome.value
            if !computed.hasExpired { return computed }
        }
        return try await deadline.value { [self] in
            if let computed = try? await computation.outcome.value, cache.view(view) === computed { return computed }
            return try await joinOrStart(view, for: purpose).outcome.value
        } late: { _ in
            DeadlineFault.notComputed
        }
    }

    /// Returns a computed view whose data was read after the call.
    private func computedAnew(_ view: ScreenView, for purpose: Purpose = .request) async throws -> ComputedView {
        if view.isRestricted { return try await restricted(view) { try await computedAnew($0, for: purpose) } }
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
        let purpose = purpose == .request && CallerTurn.hasWaited ? .waitedRequest : purpose
        do throws(DeadlineFault) {
            let (computation, isNew) = try joinOrAdd(view, for: purpose)
            if isNew || purpose == .request && computation.expedite() { start(computation, of: view, for: purpose) }
            return computation
        } catch {
            countFailure(error)
            throw error
        }
    }

    /// Returns the computation in progress, or a new computation that the calling code must start.
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
        let executor: BackgroundExecutor? =
            switch purpose {
            case .request: nil
            case .waitedRequest: backlog.executor()
            case .refresh: refreshing.executor()
            }
        let failure: @Sendable (any Error) -> FailedComputation = { [reads = computation.reads] cause in
            FailedComputation(cause: cause, reads: reads.recorded, generation: generation)
        }
        let work: @Sendable () async throws -> ComputedView = { [self] in
            // The executor must live while it may receive jobs.
            defer { withExtendedLifetime(executor) {} }
            do {
                try Task.checkCancellation()
                return try await render(view, for: computation)
            } catch {
                throw failure(error)
            }
        }
        deadline.start(work, isDetached: true, on: executor, settling: computation.outcome) { [self] result in
            end(result, begunIn: generation)
            topics.endComputation(begunIn: generation)
            running.withLock { $0.remove(view) }
        } late: { [stragglers, logger] task in
            stragglers.add(task, of: view.screen, computing: view)
            executor?.replaceThreads()
            logger.warning("a screen was not computed in time", metadata: ["screen": "\(view.screen)"])
            return failure(DeadlineFault.notComputed)
        }
    }

    private func end(_ result: Result<ComputedView, any Error>, begunIn generation: TopicGenerations.Generation) {
        let computed: ComputedView
        do { computed = try result.get() } catch { return countFailure(error) }
        // If callers have different rights, perhaps no caller receives this view, which offers all actions.
        if !catalog.hasRestrictedActions(computed.view) { history.noteUse(of: computed) }
        keep(computed, ifUnchangedSince: generation)
    }

    private func countFailure(_ error: any Error) {
        metrics.count { $0.failuresByCause[FailureCause(error), default: 0] += 1 }
    }

    private func keep(_ computed: ComputedView, ifUnchangedSince generation: TopicGenerations.Generation) {
        let evicted = topics.ifUnchanged(computed.topics, since: generation) { cache.keep(computed) }
        withExtendedLifetime(evicted) {}
    }

    private func render(_ view: ScreenView, for computation: Running) async throws -> ComputedView {
        guard let screen = catalog.screen(of: view) else { throw ViewFault.unknownScreen(view.screen, known: catalog.names) }
        metrics.count { $0.computationsByScreen[view.screen, default: 0] += 1 }
        return try await metrics.timingComputation(of: view.screen) {
            try await CurrentScreen.$name.withValue(view.screen) { try await render(screen, view, for: computation) }
        }
    }

    private func render<Model>(_ screen: some Screen<Model>, _ view: ScreenView, for computation: Running) async throws -> ComputedView {
        let (earlier, start, reads) = (cache.lastComputed(view), clock.now, computation.reads)
        let content = try await topics.recordingReads(by: reads) {
            let request = ScreenRequest(view: view, clock: clock, recorder: reads)
            let content = try await metrics.timing(.content) { try await screen.content(for: request) }
            if let until = content.until { _ = request.hasPassed(until) }
            return content
        }
        #if DEBUG
        try contentCheck.check(content.model.contents, of: view.screen, in: content.frame)
        try contentCheck.check(content.model.contents, areListedBy: screen)
        #endif
        let origin = ComputedView.Origin(
            topics: reads.recorded, expiry: reads.recordedExpiry.map { Expiry(instant: $0, since: start, clock: clock) },
            generation: computation.generation, number: computation.number
        )
        let computed = try render(content, as: view, of: origin, after: earlier)
        try checkReads(of: reads, screen)
        if computed.rendered.renamedCount > 0 { warn(of: computed.rendered, view) }
        return computed
    }

    /// Returns a view for callers who may not perform all actions. It is rendered from the model of the unrestricted view, so that the
    /// content is computed once for all callers.
    ///
    /// - Parameter compute: A function that returns the unrestricted view.
    private func restricted(_ view: ScreenView, _ compute: (ScreenView) async throws -> ComputedView) async throws -> ComputedView {
        guard let screen = catalog.screen(of: view) else { throw ViewFault.unknownScreen(view.screen, known: catalog.names) }
        let generation = topics.beginComputation()
        defer { topics.endComputation(begunIn: generation) }
        let unrestricted = try await compute(view.unrestricted)
        return try unrestricted.withRestrictionLock {
            let earlier = cache.lastComputed(view)
            if let earlier, earlier.number == unrestricted.number { return earlier }
            let computed = try render(screen, view, from: unrestricted, after: earlier)
            keep(computed, ifUnchangedSince: generation)
            return computed
        }
    }

    private func render<Model>(
        _ screen: some Screen<Model>, _ view: ScreenView, from unrestricted: ComputedView, after earlier: ComputedView?
    ) throws -> ComputedView {
        // The unrestricted view has a model of this type, because it was computed by the same screen, whose actions are restricted.
        let model = unrestricted.model as! Model
        let content = ScreenContent(title: unrestricted.title, frame: unrestricted.rendered.frame, model: model)
        return try render(content, as: view, of: unrestricted.origin, after: earlier)
    }

    private func render<Model: RenderableModel>(
        _ content: ScreenContent<Model>, as view: ScreenView, of origin: ComputedView.Origin, after earlier: ComputedView?
    ) throws -> ComputedView {
        let isFollowed = cache.isFollowed(view)
        let rendered = try write(content, of: view, after: earlier, isKept: isFollowed)
        // The views of callers with other rights are rendered from the model of the unrestricted view.
        let isModelKept = isFollowed || !view.isRestricted && catalog.hasRestrictedActions(view)
        return ComputedView(
            view: view, hash: hash, rendered: rendered, model: isModelKept ? content.model : nil, title: content.title,
            outline: metrics.timing(.encoding) { EncodedOutline(outline: rendered.outline, title: rendered.title) },
            following: cache.trail(of: view), origin: origin, isTick: Self.isTick(rendered, after: earlier), documents: documents
        )
    }

    /// Returns a Boolean value that indicates whether only the time has changed since the earlier result.
    private static func isTick(_ rendered: RenderedSnapshot, after earlier: ComputedView?) -> Bool {
        guard let earlier, earlier.isUnchanged, earlier.hasExpired else { return false }
        return earlier.isTick || earlier.rendered.version != rendered.version
    }

    private func write<Model: RenderableModel>(
        _ content: ScreenContent<Model>, of view: ScreenView, after earlier: ComputedView?, isKept: Bool
    ) throws -> RenderedSnapshot {
        var writer = SnapshotWriter(
            content, of: view.screen, withholding: view.withheldActions, hash: hash, after: earlier?.rendered, isKept: isKept
        )
        metrics.timing(.rendering) { writer.write(content.model, after: earlier?.model as? Model) }
        let rendered = metrics.timing(.hashing) { writer.finish(for: view.audience) }
        #if DEBUG
        try contentCheck.check(rendered, of: content, view, hash: hash)
        #endif
        return rendered
    }

    /// Reports a screen whose content would never be computed again, because nothing that it read is tracked.
    private func checkReads(of recorder: ReadRecorder, _ screen: any Screen) throws(ContentFaults) {
        guard !recorder.isTracking, !screen.isStatic else { return }
        let name = type(of: screen).name
        let fault = ContentFaults(screen: name, faults: [.untrackedContent])
        if isStrict { throw fault }
        guard warnedScreens.withLock({ $0.insert(name).inserted }) else { return }
        logger.warning("a screen shows data that is not tracked", metadata: ["error": "\(fault)"])
    }

    private func warn(of rendered: RenderedSnapshot, _ view: ScreenView) {
        metrics.count { $0.renamedIDs += rendered.renamedCount }
        logger.warning(
            "a screen repeats ids; each repeated one got a number",
            metadata: ["screen": "\(view.screen)", "count": "\(rendered.renamedCount)"]
        )
    }
}

/// The failure of a computation. A new computation may succeed after a topic in `reads` has been announced.
struct FailedComputation: Error {
    let cause: any Error
    let reads: Set<Topic>
    /// The generation (see ``TopicGenerations``) that was recorded before the computation read data.
    let generation: TopicGenerations.Generation
}
