import Glibc
public import Logging
import ScreenWire

/// The service of screens: snapshots, what changed since a version, actions.
///
/// It stands between transport and screens.
public final class ScreenService: Sendable {
    public let catalog: ScreenCatalog
    public let metrics = ServiceMetrics()
    public let history: History
    let topics: Topics
    private let store: any ServiceStoring
    let cache: ViewCache
    let documents: DerivedDocuments
    let computations: Computations
    let actions: Actions
    private let listings: Listings
    let answers: Answers
    let feeds: Feeds
    /// For those who wait for something new.
    let timers = Timers()
    package let deadline: Deadline
    /// The tokens of positions; nil where commits have none, as there is only one process.
    package let positionTokens: PositionTokens?
    let now: @Sendable () -> Int64
    private let logger: Logger
    private let observing: Int

    /// How much is kept.
    public struct Bounds: Sendable {
        /// Bytes of all cached views, about. A quarter of them is for the documents made from views.
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

    /// - Parameters:
    ///   - store: the one to whose topics the stores of these screens announce.
    ///   - deadline: for computing a view, and for performing an action.
    ///   - now: the time in seconds since 1970.
    /// - Throws: what keeps the store from giving its secret.
    public init(
        catalog: ScreenCatalog, store: any ServiceStoring, bounds: Bounds = Bounds(),
        deadline: Deadline = .after(.seconds(10)), logger: Logger,
        now: @escaping @Sendable () -> Int64 = systemTime
    ) async throws {
        let hash = ContentHash(secret: try await Self.secret(byteCount: ContentHash.secretByteCount, of: store))
        let topics = store.topics
        let positionSecret = topics.heard == nil ? nil : try await Self.secret(byteCount: PositionTokens.secretByteCount, of: store)
        positionTokens = positionSecret.map(PositionTokens.init(secret:))
        // Followers share documents even if nothing else is cached.
        let documents = DerivedDocuments(byteLimit: max(bounds.viewCacheBytes / 4, 1 << 16))
        let cache = ViewCache(byteLimit: bounds.viewCacheBytes - bounds.viewCacheBytes / 4)
        let refreshing = RefreshExecutor()
        self.catalog = catalog
        self.topics = topics
        self.store = store
        self.deadline = deadline
        self.logger = logger
        self.now = now
        self.cache = cache
        self.documents = documents
        listings = Listings(of: catalog, hash, topics: topics, deadline: deadline, logger: logger)
        history = History(store: store.history, bounds: bounds.history, hash: hash, logger: logger, now: now)
        computations = Computations(
            catalog: catalog, hash: hash, topics: topics, cache: cache, documents: documents, history: history, metrics: metrics,
            deadline: deadline, refreshing: refreshing, logger: logger
        )
        answers = Answers(computations: computations, history: history, metrics: metrics, deadline: deadline)
        let feeds = Feeds(
            computations: computations, topics: topics, cache: cache, answers: answers,
            attendance: Attendance(catalog: catalog), refreshing: refreshing, timers: timers, bounds: bounds.following, logger: logger
        )
        self.feeds = feeds
        actions = Actions(
            catalog: catalog, hash: hash, receipts: store.receipts, topics: topics, now: now, deadline: deadline,
            receiptBounds: bounds.receipts, logger: logger
        )
        observing = topics.observe { [weak feeds, listings] announcement in
            listings.outdate(reading: announcement)
            let outdated = cache.outdate(reading: announcement)
            feeds?.endPauses(reading: announcement)
            return { cache.discard(outdated) }
        }
    }

    /// - Throws: ``DataUnavailable`` if the stored secret has another length, and the errors of the store.
    private static func secret(byteCount: Int, of store: any ServiceStoring) async throws -> [UInt8] {
        let secret = try await store.secret(byteCount: byteCount)
        guard secret.count == byteCount else { throw DataUnavailable(reason: "the secret of the database is damaged") }
        return secret
    }

    deinit {
        topics.endObserving(observing)
    }

    /// The counts of the work of the store's database.
    public var storeCounts: StoreCounts { store.counts }

    /// The system's time, in seconds since 1970.
    public static let systemTime: @Sendable () -> Int64 = { Int64(time(nil)) }

    /// The list of the screens that a caller may have, in one of the catalog's languages, with the version that names its content.
    ///
    /// - Parameter deadline: for who waits for the values of parameters, where that is earlier than the service's own.
    public func listing(in locale: ScreenLocale, for caller: Caller = .nobody, within deadline: Deadline? = nil) -> Eventual<Document> {
        listings.list(in: locale, for: caller, within: deadline)
    }

    /// The description of the screens and actions that a caller may have, in the language that counts when a client states no preference.
    ///
    /// - Parameter describe: returns it for an offering.
    package func description(for caller: Caller, _ describe: @escaping @Sendable (Offering) -> [UInt8]) -> Eventual<Document> {
        listings.description(for: caller, describe)
    }

    /// The snapshot of a view.
    ///
    /// - Parameters:
    ///   - position: of a commit that the client has seen something of, which the answer shall not be from before; nil for none.
    ///   - deadline: for who waits, where that is earlier than the service's own.
    /// - Throws: ``ScreenError``, ``DeadlineFault``, or whatever the screen or its store throws.
    public func snapshot(of view: ScreenView, at position: Position? = nil, within deadline: Deadline? = nil) -> Eventual<Document> {
        computations.current(view, at: position).map { [answers] in answers.snapshot(of: $0) }.within(deadline)
    }

    /// What changed in a view: a changeset, or a snapshot that says why it is none.
    ///
    /// - Parameters:
    ///   - version: what the client says that it holds, of any shape; nil for nothing.
    ///   - position: of a commit that the client has seen something of, which the answer shall not be from before; nil for none.
    ///   - deadline: for who waits, where that is earlier than the service's own.
    public func changes(
        of view: ScreenView, from version: String?, at position: Position? = nil, within deadline: Deadline? = nil
    ) -> Eventual<Document> {
        computations.current(view, at: position).flatMap { [answers] in answers.changes(from: version, to: $0, at: position) }.within(deadline)
    }

    /// Performs an action of a view's screen, then answers like ``changes(of:from:at:within:)``, so that its
    /// client sees what it did.
    ///
    /// - Parameter deadline: for the action, and again for waiting for its answer; nil for the service's own.
    /// - Throws: ``ViewFault``, ``ActionFault``, ``InputFaults``, or what the action throws: then nothing was done that the action has not
    ///   committed itself before it threw, but for ``ActionFault/performedButNotAnswered``; or a ``DeadlineFault``, which
    ///   says what was. The same request under the same idempotency key gets the answer without doing it again. An error that is
    ///   thrown before the receipts were looked at, as where the data is out of reach, does not tell what an earlier request has done.
    public func perform(
        _ request: ActionRequest, on view: ScreenView, within deadline: Deadline? = nil
    ) async throws -> Document {
        do {
            let position = try await attempt(request, on: view, within: deadline)
            return try await answer(to: request, on: view, at: position, within: deadline)
        } catch {
            throw error.cause
        }
    }

    /// Performs an action in the same way for a client that is sent the position of the commit, and maybe no answer.
    ///
    /// - Parameters:
    ///   - seen: The last position that the client has seen; nil for none.
    ///   - isAnswered: false for a client that learns by other ways what the action did. Nothing is computed for it.
    /// - Returns: the answer, and the token of a position at which everything is there that was done and that the client has seen; nil
    ///   where there is only one process.
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

    /// Returns what a performed action has changed, as its client sees it.
    private func answer(
        to request: ActionRequest, on view: ScreenView, at position: Position?, within deadline: Deadline?
    ) async throws(ActionFailure) -> Document {
        do {
            return try await changes(of: view, from: request.version, at: position, within: deadline).value
        } catch {
            // Whatever it is, the action is performed: no client may send it again.
            if !(error is DeadlineFault) { logger.error("an answer could not be made", metadata: ["error": "\(error)"]) }
            throw ActionFailure(cause: ActionFault.performedButNotAnswered, outcome: .performed)
        }
    }

    /// Performs an action, and throws what became of one that fails.
    package func attempt(
        _ request: ActionRequest, on view: ScreenView, after seen: Position? = nil, within deadline: Deadline? = nil
    ) async throws(ActionFailure) -> Position? {
        let committed = try await actions.perform(request, on: view, within: deadline)
        metrics.count { $0.actions += 1 }
        // The client has seen earlier commits alone, and commits that were lost with a primary, which need not be shown any more.
        return committed ?? [seen, topics.heard?.position].compactMap(\.self).max()
    }

    /// Counts the receipts in the store, now and once an hour, until the task is cancelled.
    package func countReceipts() async {
        await actions.countReceipts()
    }
}
