import ScreenDiff
import ScreenWire

/// The answers to requests for changes, each made once: one diff for a pair of versions, one encoding.
///
/// What it gives is handed out: its versions count as used.
final class Answers: Sendable {
    /// Who wants to know what has changed.
    private enum Asker: Equatable {
        /// It is shown nothing but what its feed has.
        case follower
        /// It is shown nothing from before a commit that it has seen something of.
        case client(at: Position?)
    }

    private let computations: Computations
    private let history: History
    private let metrics: ServiceMetrics
    private let deadline: Deadline

    init(computations: Computations, history: History, metrics: ServiceMetrics, deadline: Deadline) {
        self.computations = computations
        self.history = history
        self.metrics = metrics
        self.deadline = deadline
    }

    /// The snapshot of a view.
    func snapshot(of computed: ComputedView) -> Document {
        noteUse(of: computed)
        return computed.snapshot
    }

    /// Notes that a client holds the version of a view.
    func noteUse(of computed: ComputedView) {
        history.noteUse(of: computed)
    }

    /// What leads a follower from a version to a view: a changeset, or a snapshot that says why it is none. At hand where it was
    /// made before.
    ///
    /// - Parameter version: what the client says that it holds, of any shape; nil for nothing.
    func changes(from version: String?, to computed: ComputedView) -> Eventual<Document> {
        changes(from: version, to: computed, for: .follower)
    }

    /// What leads a client that asks from a version to a view, or to what that has become while the version was looked up.
    ///
    /// - Throws: what computing it anew throws.
    func changes(from version: String?, to computed: ComputedView, at position: Position?) -> Eventual<Document> {
        changes(from: version, to: computed, for: .client(at: position))
    }

    private func changes(from version: String?, to computed: ComputedView, for asker: Asker) -> Eventual<Document> {
        let presented = PresentedVersion(version)
        if let made = made(presented, to: computed) { return .now(made) }
        return .later { [self] in try await answer(presented, with: computed, for: asker) }
    }

    /// Makes the way from what was shown to what is, so that it is at hand for all who were shown it.
    func prepare(from old: ComputedView, to new: ComputedView) {
        guard old.rendered.version != new.rendered.version else { return }
        _ = make(.version(old.rendered.version), to: new, from: old.outline)
    }

    private func answer(_ presented: PresentedVersion, with computed: ComputedView, for asker: Asker) async throws -> Document {
        guard case .version(let version) = presented, version != computed.rendered.version else {
            return make(presented, to: computed, from: nil)
        }
        if let previous = computed.previous, previous.version == version { return make(presented, to: computed, from: previous.outline) }
        let (outline, newest): (EncodedOutline?, ComputedView)
        switch history.outline(of: computed.view.key(version)) {
        case .now(let found): (outline, newest) = (found, computed)
        case .later(let lookUp):
            do {
                outline = try await deadline.value(of: lookUp) { _ in DeadlineFault.notComputed }
            } catch where asker == .follower || computations.canTrustWhatIsCached {
                // Where the store hangs, a snapshot is better than no answer.
                outline = nil
            }
            newest = try await self.newest(computed, for: asker)
        }
        if version == newest.rendered.version { return make(presented, to: newest, from: nil) }
        guard let outline else { return make(.noVersion(.unknownVersion), to: newest, from: nil) }
        return make(presented, to: newest, from: outline)
    }

    private func newest(_ computed: ComputedView, for asker: Asker) async throws -> ComputedView {
        guard case .client(let position) = asker else { return computed }
        return try await computations.current(computed.view, at: position).value
    }

    private func made(_ presented: PresentedVersion, to computed: ComputedView) -> Document? {
        guard let document = computed.answer(to: presented) else { return nil }
        noteUse(of: computed)
        if case .version(let version) = presented, version != computed.rendered.version {
            history.noteUse(of: computed.view.key(version), document.presentedUse)
        }
        return document
    }

    /// - Parameter outline: of the version that was presented; nil for the version that is current, and for none.
    private func make(_ presented: PresentedVersion, to computed: ComputedView, from outline: EncodedOutline?) -> Document {
        computed.whileMaking(presented) {
            if let made = made(presented, to: computed) { return made }
            let (bytes, kind) = bytes(of: computed, for: presented, from: outline)
            let kept = computed.keep(bytes, kind, for: presented)
            return made(presented, to: computed) ?? kept
        }
    }

    private func bytes(
        of computed: ComputedView, for presented: PresentedVersion, from outline: EncodedOutline?
    ) -> ([UInt8], Document.Kind) {
        let document = computed.rendered.document
        if case .version(let version) = presented, let changeset = changeset(from: version, outline, to: computed.rendered) {
            return (changeset, .changeset)
        }
        return (document.bytes(reason: presented.snapshotReason), .snapshot)
    }

    /// The changeset from a version; nil if a snapshot has fewer bytes.
    private func changeset(from version: Version, _ outline: EncodedOutline?, to rendered: RenderedSnapshot) -> [UInt8]? {
        guard let outline else {
            return ChangesetDocument.bytes(
                from: version.description, isTitleChanged: false, stages: [], to: rendered.document
            )
        }
        metrics.count { $0.diffs += 1 }
        let stages = metrics.timing(.diffing) { rendered.outline.stages(from: outline.outline) }
        return metrics.timing(.writing) {
            ChangesetDocument.bytes(
                from: version.description, isTitleChanged: outline.title != rendered.title, stages: stages,
                to: rendered.document, limit: rendered.document.byteCount(reason: .smaller)
            )
        }
    }
}

/// What a client says that it holds.
enum PresentedVersion: Hashable {
    /// A version, known or not.
    case version(Version)
    /// No version, or none that can ever have been handed out: it is sent a snapshot for this reason.
    case noVersion(SnapshotReason)

    /// - Parameter text: what the client has sent, of any shape; nil if it has sent nothing.
    init(_ text: String?) {
        guard let text else {
            self = .noVersion(.initial)
            return
        }
        self = Version(text).map(PresentedVersion.version) ?? .noVersion(.unknownVersion)
    }

    /// Why whoever presents it is sent a snapshot, where that is sent.
    var snapshotReason: SnapshotReason {
        if case .noVersion(let reason) = self { reason } else { .smaller }
    }
}
