import ScreenDiff
import ScreenWire

/// Makes the answers to requests for changes, each once: one diff for a pair of versions, one encoding.
struct Answers: Sendable {
    private let cache: ViewCache
    private let history: History
    private let metrics: ServiceMetrics

    init(cache: ViewCache, history: History, metrics: ServiceMetrics) {
        self.cache = cache
        self.history = history
        self.metrics = metrics
    }

    /// What leads from a version to a view, if it was made before.
    func made(from version: String?, to computed: ComputedView) -> Document? {
        computed.answer(to: presented(version, for: computed))
    }

    /// What leads from a version to a view: a changeset, or a snapshot that says why it is none.
    func answer(from version: String?, to computed: ComputedView) -> Document {
        let presented = presented(version, for: computed)
        if let made = computed.answer(to: presented) { return made }
        return computed.whileMaking(presented) {
            if let made = computed.answer(to: presented) { return made }
            let (bytes, kind) = bytes(of: computed, for: presented)
            let kept = computed.keep(bytes, kind, for: presented)
            cache.add(cost: kept.cost, to: computed.view)
            return kept.document
        }
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

    private func bytes(of computed: ComputedView, for presented: ComputedView.Presented) -> ([UInt8], Document.Kind) {
        let document = computed.rendered.document
        switch presented {
        case .reason(let reason): return (document.bytes(reason: reason), .snapshot)
        case .known(let version):
            if let changeset = changeset(from: version, to: computed) { return (changeset, .changeset) }
            return (document.bytes(reason: .smaller), .snapshot)
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
