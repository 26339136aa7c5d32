public import CoreMetrics
public import Logging
import ScreenWire

/// A service that provides the snapshots, changes, streams and actions of screens. It does not depend on the transport.
public final class ScreenService: Sendable {
    public let catalog: ScreenCatalog
    public let metrics: ServiceMetrics
    public let history: History
    let topics: Topics
    let store: any ServiceStoring
    let cache: ViewCache
    let documents: DerivedDocuments
    let computations: Computations
    let actions: Actions
    private let listings: Listings
    let answers: Answers
    let feeds: Feeds
    let timers = Timers()
    package let deadline: Deadline
    /// The codec of position tokens, or `nil` if the store has no positions.
    package let positionTokens: PositionTokens?
    /// The part of ``Bounds/viewCacheBytes`` for the encoded forms of documents, files and parts of streams, which the transport keeps.
    package let encodedByteLimit: Int
    let clock: any WallClock
    private let logger: Logger
    private let observing: Int

    /// The maximum sizes of caches, history and receipts, and the limits of followed views.
    public struct Bounds: Sendable {
        /// The approximate maximum size of all cached views, the documents computed from them, and the encoded forms of these documents, in
        /// bytes.
        public var viewCacheBytes: Int
        public var history: HistoryBounds
        public var receipts: ReceiptBounds
        public var following: FollowingBounds

        public init(
            viewCacheBytes: Int = 256 << 20, history: HistoryBounds = HistoryBounds(), receipts: ReceiptBounds = ReceiptBounds(),
            following: FollowingBounds = FollowingBounds()
        ) {
            self.viewCacheBytes = viewCacheBytes
            self.history = history
            self.receipts = receipts
            self.following = following
        }
    }

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - store: The service store. The stores that screens read must announce their topics through the ``Topics`` object of this store.
    ///   - deadline: The deadline of each computation and of each action.
    ///   - backend: The backend of swift-metrics that receives the durations of work. By default, they are discarded.
    ///   - clock: The time of day.
    ///   - isStrict: A Boolean value that indicates whether a screen fails if nothing that it read is tracked. The default is true in debug
    ///     builds. Otherwise a warning is logged once for each screen.
    /// - Throws: The errors of the store.
    public init(
        catalog: ScreenCatalog, store: any ServiceStoring, bounds: Bounds = Bounds(),
        deadline: Deadline = .after(.seconds(10)), logger: Logger, metrics backend: any MetricsFactory = NOOPMetricsHandler.instance,
        clock: any WallClock = SystemClock(), isStrict: Bool = isDebugBuild
    ) async throws {
        let hash = ContentHash(secret: try await Self.secret(byteCount: ContentHash.secretByteCount, of: store))
        let topics = store.topics
        let positionSecret = topics.received == nil ? nil : try await Self.secret(byteCount: PositionTokens.secretByteCount, of: store)
        positionTokens = positionSecret.map(PositionTokens.init(secret:))
        // The cache of documents always has some capacity, because followers share documents even if no views are cached.
        let documents = DerivedDocuments(byteLimit: max(bounds.viewCacheBytes / 8, 1 << 16))
        encodedByteLimit = max(bounds.viewCacheBytes / 8, 1 << 16)
        let cache = ViewCache(byteLimit: bounds.viewCacheBytes - bounds.viewCacheBytes / 4)
        let refreshing = BackgroundExecutor()
        let metrics = ServiceMetrics(screens: catalog.names, in: backend)
        store.observeCommits { metrics.commitTimer.record($0) }
        self.metrics = metrics
        self.catalog = catalog
        self.topics = topics
        self.store = store
        self.deadline = deadline
        self.logger = logger
        self.clock = clock
        self.cache = cache
        self.documents = documents
        listings = Listings(of: catalog, hash, topics: topics, deadline: deadline, logger: logger)
        history = History(store: store.history, bounds: bounds.history, hash: hash, logger: logger, now: { clock.now })
        computations = Computations(
            catalog: catalog, hash: hash, topics: topics, cache: cache, documents: documents, history: history, metrics: metrics,
            deadline: deadline, clock: clock, refreshing: refreshing, isStrict: isStrict, logger: logger
        )
        answers = Answers(computations: computations, history: history, metrics: metrics, deadline: deadline)
        let feeds = Feeds(
            computations: computations, topics: topics, cache: cache, answers: answers,
            watchTasks: WatchTasks(catalog: catalog), refreshing: refreshing, timers: timers, metrics: metrics, clock: clock,
            bounds: bounds.following, logger: logger
        )
        self.feeds = feeds
        actions = Actions(
            catalog: catalog, hash: hash, receipts: store.receipts, topics: topics, metrics: metrics, clock: clock, deadline: deadline,
            receiptBounds: bounds.receipts, logger: logger
        )
        observing = topics.observe { [weak feeds, listings] announcement in
            listings.outdate(reading: announcement)
            let outdated = cache.outdate(reading: announcement)
            feeds?.endBackoffs(reading: announcement)
            let staleFeeds = feeds?.noteMissedCommits(in: announcement) == true ? feeds : nil
            return {
                staleFeeds?.becomeStale()
                cache.discard(outdated)
            }
        }
    }

    /// Returns a secret from the store, or throws ``DataUnavailable`` if its length is wrong.
    private static func secret(byteCount: Int, of store: any ServiceStoring) async throws -> [UInt8] {
        let secret = try await store.secret(byteCount: byteCount)
        guard secret.count == byteCount else { throw DataUnavailable(reason: "the secret of the database is damaged") }
        return secret
    }

    deinit {
        topics.endObserving(observing)
    }

    /// A function that returns the system's time, in seconds since 1970.
    public static let systemTime: @Sendable () -> Int64 = { SystemClock().now }

    #if DEBUG
    public static let isDebugBuild = true
    #else
    public static let isDebugBuild = false
    #endif

    /// Returns the list of the screens that a caller can access, in a language of the catalog.
    ///
    /// - Parameter deadline: The deadline of the request. The list omits values of parameters that were not read in time.
    public func listing(in locale: ScreenLocale, for caller: Caller = .anonymous, within deadline: Deadline? = nil) -> Eventual<Document> {
        listings.list(in: locale, for: caller, within: deadline)
    }

    /// Returns the description of the screens and actions that a caller can access, in the catalog's first language.
    ///
    /// - Parameter routes: The methods and paths of the routes of a team that the caller may use.
    package func description(
        for caller: Caller, beside routes: [String] = [], _ describe: @escaping @Sendable (Offering) -> [UInt8]
    ) -> Eventual<Document> {
        listings.description(for: caller, beside: routes, describe)
    }

    /// Returns the snapshot of a view.
    ///
    /// - Parameters:
    ///   - position: The last position that the client has seen, or `nil` for none. The snapshot includes the commit at this position.
    ///   - deadline: The deadline of the request, or `nil` for the deadline of the service.
    /// - Throws: ``ScreenError``, ``DeadlineFault``, or an error of the screen or its store.
    public func snapshot(of view: ScreenView, at position: Position? = nil, within deadline: Deadline? = nil) -> Eventual<Document> {
        computations.current(view, at: position).map { [answers] in answers.snapshot(of: $0) }.within(deadline)
    }

    /// Returns the topics that the current content of a view was read from.
    package func topics(of view: ScreenView) async throws -> Set<Topic> {
        try await computations.current(view).value.topics
    }

    /// Returns the changes of a view since a client's version: a changeset, or a snapshot with the reason for sending a snapshot.
    ///
    /// - Parameters:
    ///   - version: The version that the client sent, which may be malformed, or `nil` for none.
    ///   - position: The last position that the client has seen, or `nil` for none. The changes include the commit at this position.
    ///   - deadline: The deadline of the request, or `nil` for the deadline of the service.
    public func changes(
        of view: ScreenView, from version: String?, at position: Position? = nil, within deadline: Deadline? = nil
    ) -> Eventual<Document> {
        computations.current(view, at: position).flatMap { [answers] in answers.changes(from: version, to: $0, at: position) }.within(
            deadline)
    }

    /// Performs an action of a view's screen, and returns the changes like ``changes(of:from:at:within:)``. A repeated request with the
    /// same idempotency key returns the changes without performing the action again.
    ///
    /// The error indicates whether the action was performed:
    /// - After ``ActionFault/performedButNotAnswered``, the action was performed.
    /// - After ``DeadlineFault/outcomeUnknown(hasKey:)``, the action may have been performed.
    /// - After any other error, this request did not perform the action, unless the handler committed before it failed. If the receipts
    ///   could not be read, an earlier request with the same key may have performed the action.
    ///
    /// - Parameter deadline: The deadline of the action, or `nil` for the deadline of the service. The changes have a second deadline of
    ///   the same length.
    /// - Throws: ``ViewFault``, ``InputFaults``, ``ActionFault``, ``DeadlineFault``, or an error of the handler.
    public func perform(
        _ request: ActionRequest, on view: ScreenView, within deadline: Deadline? = nil
    ) async throws -> Document {
        do {
            return try await perform(request, on: view, after: nil, isAnswered: true, within: deadline).answer!
        } catch {
            throw error.cause
        }
    }

    /// Performs an action, and returns the changes and a position token, which is `nil` if the store has no positions. A response made at
    /// this position includes the commits of the action and the commit at `seen`.
    ///
    /// - Parameters:
    ///   - seen: The last position that the client has seen, or `nil` for none.
    ///   - isAnswered: A Boolean value that indicates whether to compute the changes.
    package func perform(
        _ request: ActionRequest, on view: ScreenView, after seen: Position?, isAnswered: Bool, within deadline: Deadline? = nil
    ) async throws(ActionFailure) -> (answer: Document?, position: String?) {
        let position = try await attempt(request, on: view, after: seen, within: deadline)
        let token = position.flatMap { positionTokens?.token(for: $0) }
        do {
            guard isAnswered else { return (nil, token) }
            return (try await answer(to: request, on: view, at: position, within: deadline), token)
        } catch {
            throw ActionFailure(cause: error.cause, outcome: error.outcome, position: token)
        }
    }

    private func answer(
        to request: ActionRequest, on view: ScreenView, at position: Position?, within deadline: Deadline?
    ) async throws(ActionFailure) -> Document {
        do {
            return try await changes(of: view, from: request.version, at: position, within: deadline).value
        } catch {
            // The error states that the action was performed, so that the client does not repeat it.
            if !(error is DeadlineFault) {
                logger.error("the response to a performed action could not be computed", metadata: ["error": "\(error)"])
            }
            throw ActionFailure(cause: ActionFault.performedButNotAnswered, outcome: .performed)
        }
    }

    /// Performs an action without computing the changes, and returns the position to send to the client.
    package func attempt(
        _ request: ActionRequest, on view: ScreenView, after seen: Position? = nil, within deadline: Deadline? = nil
    ) async throws(ActionFailure) -> Position? {
        let committed: Position?
        do throws(ActionFailure) {
            committed = try await actions.perform(request, on: view, within: deadline)
        } catch {
            metrics.count { $0.actionFailuresByCause[FailureCause(error), default: 0] += 1 }
            throw error
        }
        metrics.count { $0.actionsByScreen[view.screen, default: 0] += 1 }
        // A new commit has a later position than `seen`, unless `seen` belongs to a commit that a failed primary has lost. Clients need not
        // see a lost commit.
        return committed ?? [seen, topics.received?.position].compactMap(\.self).max()
    }

    /// Counts the receipts in the store every hour until the task is cancelled.
    package func countReceipts() async {
        await actions.countReceipts()
    }
}

extension ScreenService {
    /// Runs the handler of a team's route with the deadline of the service. If the deadline passes, the function throws `late`, and the
    /// handler counts as a straggler of the path until it ends.
    ///
    /// - Throws: `late`, ``DeadlineFault/tooManyStragglers``, and the errors of the handler.
    package func run<Input: Sendable, Value: Sendable>(
        at path: String, _ handler: @escaping @Sendable (Input) async throws -> Value, _ input: Input, within deadline: Deadline?,
        late: any Error
    ) async throws -> Value {
        try computations.stragglers.admit(path)
        return try await (deadline ?? self.deadline).value {
            try await handler(input)
        } late: { [stragglers = computations.stragglers] task in
            stragglers.add(task, of: path)
            return late
        }
    }
}
