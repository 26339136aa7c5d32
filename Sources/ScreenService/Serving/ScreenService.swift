public import Glibc
public import Logging
import ScreenDiff
import ScreenWire

/// Answers requests for screens: with snapshots, and with what changed since a version.
///
/// It stands between transport and screens. What is at hand is given at once, by the `cached…`
/// functions, which neither wait nor touch data; everything else by their asynchronous twins.
public final class ScreenService: Sendable {
    public let catalog: ScreenCatalog
    public let metrics = ServiceMetrics()
    private let cache: ViewCache
    private let history: History
    private let computations: Computations
    private let actions: Actions

    /// - Parameters:
    ///   - cache: the one that the stores of these screens announce to.
    ///   - receipts: where it is kept which actions were performed: best, where their data lies.
    ///   - now: the time in seconds since 1970.
    public init(
        catalog: ScreenCatalog, hash: ContentHash, cache: ViewCache, history: History,
        receipts: any ReceiptStoring = ReceiptsInMemory(), logger: Logger,
        now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
    ) {
        self.catalog = catalog
        self.cache = cache
        self.history = history
        computations = Computations(
            catalog: catalog, hash: hash, cache: cache, history: history, metrics: metrics, logger: logger
        )
        actions = Actions(catalog: catalog, hash: hash, receipts: receipts, now: now)
    }

    /// What is kept: views and versions, and the bytes that they take, about.
    public var usage: (views: Int, viewBytes: Int, versions: Int, versionBytes: Int) {
        let (views, viewBytes) = cache.usage
        let (versions, versionBytes) = history.usage
        return (views, viewBytes, versions, versionBytes)
    }

    /// How many records of versions are not written yet.
    public var unwrittenCount: Int { history.unwrittenCount }

    /// The snapshot of a view, if it is at hand and current.
    public func cachedSnapshot(of view: ScreenView) -> Document? {
        cache.view(view)?.snapshot
    }

    /// The snapshot of a view.
    ///
    /// - Throws: ``ScreenError``, or whatever the screen or its store throws.
    public func snapshot(of view: ScreenView) async throws -> Document {
        try await computations.current(view).snapshot
    }

    /// What changed in a view, if that answer is at hand and current.
    ///
    /// - Parameter version: what the client says that it holds, of any shape; nil for nothing.
    public func cachedChanges(of view: ScreenView, from version: String?) -> Document? {
        guard let computed = cache.view(view) else { return nil }
        return computed.answer(to: presented(version, for: computed))
    }

    /// What changed in a view: a changeset, or a snapshot that says why it is none.
    public func changes(of view: ScreenView, from version: String?) async throws -> Document {
        let computed = try await computations.current(view)
        let presented = presented(version, for: computed)
        if let made = computed.answer(to: presented) { return made }
        let kept = computed.keep(bytes(of: computed, for: presented), for: presented)
        cache.add(cost: kept.cost, to: view)
        return kept.document
    }

    /// Performs an action of a view's screen, then answers like ``changes(of:from:)``, so that its
    /// client sees what it did.
    ///
    /// - Throws: ``ActionFault``, ``InputFaults``, or what the action throws: then nothing was done.
    ///   Where computing the answer fails, the action was performed; the same request under the same
    ///   idempotency key gets the answer without doing it again.
    public func perform(_ request: ActionRequest, on view: ScreenView) async throws -> Document {
        try await actions.perform(request, on: view)
        metrics.count { $0.actions += 1 }
        return try await changes(of: view, from: request.version)
    }

    /// Under which name an answer to that version is kept. Unknown ones share one answer, and there
    /// are no more known ones than history keeps.
    private func presented(_ version: String?, for computed: ComputedView) -> ComputedView.Presented {
        let current = computed.rendered.version
        let decision = Negotiation(presented: version, current: current) {
            history.outline(of: computed.view.key($0)) != nil
        }
        return switch decision {
        case .unchanged: .known(current)
        case .changeset(let version): .known(version)
        case .snapshot(let reason): .reason(reason)
        }
    }

    private func bytes(of computed: ComputedView, for presented: ComputedView.Presented) -> [UInt8] {
        let document = computed.rendered.document
        switch presented {
        case .reason(let reason): return document.bytes(reason: reason)
        case .known(let version): return changeset(from: version, to: computed) ?? document.bytes(reason: .smaller)
        }
    }

    /// The changeset from a version in history; nil if a snapshot has fewer bytes.
    private func changeset(from version: Version, to computed: ComputedView) -> [UInt8]? {
        let rendered = computed.rendered
        guard version != rendered.version else {
            return ChangesetDocument.bytes(
                from: version.description, isTitleChanged: false, stages: [], to: rendered.document
            )
        }
        // Between "known" and here it may have left history; a snapshot is right then, too.
        guard let old = history.outline(of: computed.view.key(version)) else { return nil }
        metrics.count { $0.diffs += 1 }
        return ChangesetDocument.bytes(
            from: version.description, isTitleChanged: old.title != rendered.title,
            stages: rendered.outline.stages(from: old.outline), to: rendered.document,
            limit: rendered.document.byteCount(reason: .smaller)
        )
    }
}
