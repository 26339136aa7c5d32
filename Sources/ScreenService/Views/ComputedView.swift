import ScreenDiff
import ScreenWire
import Synchronization

/// The result of a computation of a view. The documents for clients are made from this result.
final class ComputedView: Sendable {
    /// The data that a view was computed from.
    struct Origin: Sendable {
        let topics: Set<Topic>
        /// The time after which the view is outdated even if no topic is announced, or `nil` if there is none.
        var expiry: Expiry?
        /// The generation (see ``TopicGenerations``) that was recorded before the computation read data.
        let generation: TopicGenerations.Generation
        /// The number of the computation. Computations that began later have larger numbers.
        var number = 0
    }

    let view: ScreenView
    let viewHash: UInt64
    let rendered: RenderedSnapshot
    /// The rendered model, with which the next rendering compares the new model, and from which the views of callers with other rights are
    /// rendered. It is `nil` if the view has no followers and all callers have the same rights.
    let model: (any RenderableModel)?
    /// The title of the rendered content.
    let title: String
    let outline: EncodedOutline
    /// The latest known version of the view that differs from the version of this result, or `nil` if there is none.
    let previous: PastVersion?
    let origin: Origin
    private let topicsCost: Int
    /// A Boolean value that indicates whether nothing but the time has changed since the previous result. Such versions are only kept in
    /// memory, because a screen could have a new one each minute.
    let isTick: Bool
    let snapshot: Document
    /// The last recorded use of the view's version.
    let use = NotedUse()
    private let documents: DerivedDocuments

    /// The value of ``isUnchanged``. Only ``ViewCache`` changes it.
    private let unchanged = Atomic(false)

    /// The locks that prevent two threads from making the same document.
    private let locks = Mutex<[PresentedVersion: DocumentLock]>([:])

    private let restrictionLock = Mutex(())

    private final class DocumentLock: Sendable {
        let mutex = Mutex(())
    }

    init(
        view: ScreenView, hash: ContentHash, rendered: RenderedSnapshot, model: (any RenderableModel)?, title: String,
        outline: EncodedOutline, following trail: VersionTrail?, origin: Origin, isTick: Bool = false, documents: DerivedDocuments
    ) {
        self.view = view
        self.documents = documents
        viewHash = view.hash(by: hash)
        self.rendered = rendered
        self.model = model
        self.title = title
        self.outline = outline
        previous = trail?.latest(otherThan: rendered.version)
        self.origin = origin
        topicsCost = Self.cost(of: origin.topics)
        self.isTick = isTick
        let document = rendered.document
        snapshot = Document(
            .snapshot, bytes: document.bytes, version: document.version, locale: view.locale, snapshotByteCount: document.bytes.count,
            expiry: origin.expiry
        )
    }

    deinit {
        documents.removeAll(of: ObjectIdentifier(self))
    }

    var topics: Set<Topic> { origin.topics }

    var expiry: Expiry? { origin.expiry }

    var generation: TopicGenerations.Generation { origin.generation }

    var number: Int { origin.number }

    var key: HistoryKey { view.key(rendered.version) }

    /// The approximate number of bytes of the view, its model and its prepared responses.
    var cost: Int {
        let outline = rendered.outline.cells.count * 24 + rendered.outline.sections.count * 104
        // A model takes about as many bytes as its document.
        return rendered.document.bytes.capacity * (model == nil ? 1 : 2) + outline + trail.cost + topicsCost + Document.preparedCost + 1024
    }

    /// Returns the approximate number of bytes that topics use in the view and in the view cache's table of readers.
    private static func cost(of topics: Set<Topic>) -> Int {
        var cost = 0
        // Each topic needs memory for its name, an entry in each of two tables, and a set of readers.
        for topic in topics { cost += topic.name.utf8.count + 192 }
        return cost
    }

    /// The approximate number of bytes of the view while it is followed and therefore retains its model.
    var followedCost: Int { cost + (model == nil ? rendered.document.bytes.capacity : 0) }

    /// A Boolean value that indicates whether the view can be sent to clients: its data is unchanged, and its time has not passed.
    var isCurrent: Bool { isUnchanged && !hasExpired }

    /// A Boolean value that indicates whether the view is cached and no topic that it read has been announced since the computation began.
    var isUnchanged: Bool { unchanged.load(ordering: .acquiring) }

    var hasExpired: Bool { expiry?.hasPassed ?? false }

    func becomeCurrent() {
        unchanged.store(true, ordering: .releasing)
    }

    /// Marks the view as outdated or evicted. Returns `true` if its data was unchanged.
    func becomeOutdated() -> Bool {
        unchanged.exchange(false, ordering: .acquiringAndReleasing)
    }

    var trail: VersionTrail {
        VersionTrail(newest: PastVersion(version: rendered.version, outline: outline), before: previous)
    }

    /// Runs `body`. Other threads that restrict this view wait until `body` returns.
    func withRestrictionLock<Value>(_ body: () throws -> Value) rethrows -> Value {
        try restrictionLock.withLock { _ in try body() }
    }

    /// Returns the cached document for the version that a client presents, or `nil` if there is none.
    func answer(to presented: PresentedVersion) -> Document? {
        documents.document(of: self, for: presented)
    }

    /// Runs `make`. Other threads that need the document for the same presented version wait until `make` returns.
    func withDocumentLock<Made>(_ presented: PresentedVersion, _ make: () -> Made) -> Made {
        let lock = locks.withLock { locks in
            let lock = locks[presented] ?? DocumentLock()
            locks[presented] = lock
            return lock
        }
        defer { locks.withLock { $0[presented] = nil } }
        return lock.mutex.withLock { _ in make() }
    }

    /// Caches and returns a new document, or returns the cached document for the presented version if there is one.
    func keep(_ bytes: [UInt8], _ kind: Document.Kind, for presented: PresentedVersion) -> Document {
        let made = Document(
            kind, bytes: bytes, version: snapshot.version, locale: snapshot.locale,
            reason: kind == .snapshot ? presented.snapshotReason : nil,
            isUnchanged: kind == .changeset && presented == .version(rendered.version),
            snapshotByteCount: snapshot.bytes.count, expiry: expiry
        )
        return documents.keep(made, of: self, for: presented)
    }
}

extension ComputedView: Hashable {
    static func == (a: ComputedView, b: ComputedView) -> Bool { a === b }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// A version of a view and its outline.
struct PastVersion: Sendable {
    let version: Version
    let outline: EncodedOutline
}

/// The newest known version of a view, and the version before it.
struct VersionTrail: Sendable {
    let newest: PastVersion
    let before: PastVersion?

    var cost: Int { newest.outline.bytes.count + (before?.outline.bytes.count ?? 0) + 128 }

    /// Returns the newest version that differs from `version`.
    func latest(otherThan version: Version) -> PastVersion? {
        newest.version == version ? before : newest
    }
}

/// The time after which a computed view may be outdated although no topic was announced. It is a class, because most views have none, and an
/// optional reference is checked faster.
final class Expiry: Sendable {
    /// The time in seconds since 1970, or `Int64.max` if the view changes only if the clock is set back.
    let instant: Int64
    /// The time at which the view was computed, in seconds since 1970.
    private let since: Int64
    private let clock: any WallClock

    init(instant: Int64, since: Int64, clock: any WallClock) {
        (self.instant, self.since, self.clock) = (instant, since, clock)
    }

    /// A Boolean value that indicates whether the time has passed, or the clock was set back since the view was computed.
    var hasPassed: Bool {
        let now = clock.now
        return now >= instant || now < since
    }

    /// The number of whole seconds for which the view is certainly current. The clock may be almost a second ahead of its whole seconds.
    var remainingSeconds: Int { hasPassed ? 0 : Int(clamping: max(instant - clock.now - 1, 0)) }
}
