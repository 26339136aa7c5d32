public import Glibc
public import Logging

/// Answers requests for screens: with snapshots, and with what changed since a version.
///
/// It stands between transport and screens. What is at hand is given at once, by the `cached…`
/// functions, which neither wait nor touch data; everything else by their asynchronous twins.
public final class ScreenService: Sendable {
    public let catalog: ScreenCatalog
    public let metrics = ServiceMetrics()
    private let cache: ViewCache
    public let history: History
    private let computations: Computations
    private let actions: Actions
    private let listings: [ScreenLocale: Document]
    let answers: Answers
    let feeds: Feeds

    /// - Parameters:
    ///   - cache: the one that the stores of these screens announce to.
    ///   - receipts: where it is kept which actions were performed: best, where their data lies.
    ///   - deadline: for computing a view, and for performing an action.
    ///   - now: the time in seconds since 1970.
    public init(
        catalog: ScreenCatalog, hash: ContentHash, cache: ViewCache, history: History,
        receipts: any ReceiptStoring = ReceiptsInMemory(), deadline: Deadline = .after(.seconds(10)), logger: Logger,
        now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
    ) {
        self.catalog = catalog
        listings = Dictionary(uniqueKeysWithValues: catalog.locales.map { ($0, catalog.listing(in: $0, hash)) })
        self.cache = cache
        self.history = history
        computations = Computations(
            catalog: catalog, hash: hash, cache: cache, history: history, metrics: metrics, deadline: deadline,
            logger: logger
        )
        let answers = Answers(history: history, metrics: metrics, deadline: deadline)
        self.answers = answers
        feeds = Feeds(
            computations: computations, cache: cache, answers: answers, attendance: Attendance(catalog: catalog),
            logger: logger
        )
        actions = Actions(
            catalog: catalog, hash: hash, receipts: receipts, now: now, deadline: deadline, logger: logger
        )
    }

    /// What is at hand: views and versions, and the bytes that all that is kept in memory takes, about.
    public var usage: (views: Int, viewBytes: Int, versions: Int, versionBytes: Int) {
        let (views, viewBytes) = cache.usage
        let (versions, versionBytes) = history.usage
        return (views, viewBytes, versions, versionBytes)
    }

    /// How many computations and actions go on past their deadline.
    public var stragglerCount: Int { computations.stragglers.count + actions.stragglers.count }

    /// The list of screens in one of the catalog's languages, with the version that names its content.
    public func listing(in locale: ScreenLocale) -> Document {
        guard let listing = listings[locale] else { preconditionFailure("the catalog has no language \(locale.language)") }
        return listing
    }

    /// The snapshot of a view, if it is at hand and current.
    public func cachedSnapshot(of view: ScreenView) -> Document? {
        cache.view(view).map(answers.snapshot)
    }

    /// The snapshot of a view.
    ///
    /// - Throws: ``ScreenError``, ``DeadlineFault``, or whatever the screen or its store throws.
    public func snapshot(of view: ScreenView) async throws -> Document {
        answers.snapshot(of: try await computations.current(view))
    }

    /// What changed in a view, if that answer is at hand and current.
    ///
    /// - Parameter version: what the client says that it holds, of any shape; nil for nothing.
    public func cachedChanges(of view: ScreenView, from version: String?) -> Document? {
        cache.view(view).flatMap { answers.made(from: version, to: $0) }
    }

    /// What changed in a view: a changeset, or a snapshot that says why it is none.
    public func changes(of view: ScreenView, from version: String?) async throws -> Document {
        await answers.answer(from: version, to: try await computations.current(view))
    }

    /// Performs an action of a view's screen, then answers like ``changes(of:from:)``, so that its
    /// client sees what it did.
    ///
    /// - Throws: ``ActionFault``, ``InputFaults``, or what the action throws: then nothing was done; or a
    ///   ``DeadlineFault``, which says what was. Where computing the answer fails, the action was performed;
    ///   the same request under the same idempotency key gets the answer without doing it again.
    public func perform(_ request: ActionRequest, on view: ScreenView) async throws -> Document {
        try await actions.perform(request, on: view)
        metrics.count { $0.actions += 1 }
        do {
            return try await changes(of: view, from: request.version)
        } catch is DeadlineFault {
            throw DeadlineFault.performedButNotComputed
        }
    }
}
