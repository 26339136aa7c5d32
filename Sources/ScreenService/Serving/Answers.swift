import ScreenDiff
import ScreenWire

/// Computes and caches the documents that answer requests for changes: changesets, and snapshots with the reason for sending a snapshot.
///
/// As long as a changeset is cached, its two versions are not compared again, and the changeset is not encoded again. Whenever a document
/// is returned, history records the use of the version that the client presented and of the version that the client receives.
final class Answers: Sendable {
    private enum Recipient: Equatable {
        /// A follower. The document describes the given result, even if a newer result has been computed meanwhile.
        case follower
        /// A request whose client has seen the commit at a position, or no commit if the position is `nil`. The document includes this
        /// commit.
        case request(at: Position?)
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

    func snapshot(of computed: ComputedView) -> Document {
        noteUse(of: computed)
        return computed.snapshot
    }

    func noteUse(of computed: ComputedView) {
        history.noteUse(of: computed)
    }

    /// Returns the changes from a follower's version, which may be malformed or missing, to a view.
    func changes(from version: String?, to computed: ComputedView) -> Eventual<Document> {
        changes(from: version, to: computed, for: .follower)
    }

    /// Returns the changes from the version that a request presents, which may be malformed or missing, to a view. While the version is
    /// looked up in the store, the content of the view may change. Therefore the view is requested a second time after a look-up, and the
    /// document describes the second result.
    func changes(from version: String?, to computed: ComputedView, at position: Position?) -> Eventual<Document> {
        changes(from: version, to: computed, for: .request(at: position))
    }

    private func changes(from version: String?, to computed: ComputedView, for recipient: Recipient) -> Eventual<Document> {
        let presented = PresentedVersion(version)
        if let cached = cached(presented, to: computed) { return .now(cached) }
        return .later { [self] in try await answer(presented, with: computed, for: recipient) }
    }

    /// Computes and caches the changeset that all followers share.
    func prepare(from old: ComputedView, to new: ComputedView) {
        guard old.rendered.version != new.rendered.version else { return }
        _ = make(.version(old.rendered.version), to: new, from: old.outline)
    }

    private func answer(_ presented: PresentedVersion, with computed: ComputedView, for recipient: Recipient) async throws -> Document {
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
            } catch _ where recipient == .follower || computations.isCacheTrusted {
                // Without an outline, the response is a snapshot. So the client receives a response even if the store hangs.
                outline = nil
            }
            newest = try await self.newest(computed, for: recipient)
        }
        if version == newest.rendered.version { return make(presented, to: newest, from: nil) }
        guard let outline else { return make(.noVersion(.unknownVersion), to: newest, from: nil) }
        return make(presented, to: newest, from: outline)
    }

    private func newest(_ computed: ComputedView, for recipient: Recipient) async throws -> ComputedView {
        guard case .request(let position) = recipient else { return computed }
        return try await computations.current(computed.view, at: position).value
    }

    private func cached(_ presented: PresentedVersion, to computed: ComputedView) -> Document? {
        guard let document = computed.answer(to: presented) else { return nil }
        noteUse(of: computed)
        if case .version(let version) = presented, version != computed.rendered.version {
            history.noteUse(of: computed.view.key(version), document.presentedUse)
        }
        return document
    }

    /// Returns the cached document for a presented version, or computes and caches it.
    ///
    /// - Parameter outline: The outline of the presented version. It is `nil` if this version is missing, unknown or current.
    private func make(_ presented: PresentedVersion, to computed: ComputedView, from outline: EncodedOutline?) -> Document {
        computed.withDocumentLock(presented) {
            if let cached = cached(presented, to: computed) { return cached }
            let (bytes, kind) = bytes(of: computed, for: presented, from: outline)
            let document = computed.keep(bytes, kind, for: presented)
            return cached(presented, to: computed) ?? document
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

    /// Returns the changeset from a version to a snapshot, or `nil` if the snapshot is shorter. If `outline` is `nil`, the version is that
    /// of the snapshot, so the changeset has no stages.
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

/// The version that a client presents.
enum PresentedVersion: Hashable {
    /// A well-formed version, which may be unknown.
    case version(Version)
    /// A missing, malformed or unknown version. The client is sent a snapshot with this reason.
    case noVersion(SnapshotReason)

    /// Parses the version that a client sent. `text` is `nil` if the client sent no version.
    init(_ text: String?) {
        guard let text else {
            self = .noVersion(.initial)
            return
        }
        self = Version(text).map(PresentedVersion.version) ?? .noVersion(.unknownVersion)
    }

    /// The reason that is stated if the client is sent a snapshot.
    var snapshotReason: SnapshotReason {
        if case .noVersion(let reason) = self { reason } else { .smaller }
    }
}
