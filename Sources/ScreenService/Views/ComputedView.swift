import ScreenDiff
import ScreenWire
import Synchronization

/// A view as it was computed last. Documents are made from it.
final class ComputedView: Sendable {
    let view: ScreenView
    /// A stable hash of the view.
    let viewHash: UInt64
    let rendered: RenderedSnapshot
    /// The model that was rendered; nil where nobody follows, for whom the next rendering takes over what is the same.
    let model: (any RenderableModel)?
    /// What history keeps of it.
    let outline: EncodedOutline
    /// The version that the view had before this one, while it is known; never the same.
    let previous: PastVersion?
    /// What it was read from.
    let topics: Set<Topic>
    private let topicsCost: Int
    /// The generation of topics that was noted before reading.
    let generation: TopicGenerations.Generation
    /// More than that of each that was begun to be computed before it.
    let number: Int
    /// The answer to GET.
    let snapshot: Document
    /// When the use of its version was noted.
    let use = NotedUse()
    private let documents: DerivedDocuments

    /// Changed by the cache alone.
    private let current = Atomic(false)

    /// What whoever makes an answer holds, so that each is made once.
    private let makings = Mutex<[PresentedVersion: Making]>([:])

    private final class Making: Sendable {
        let lock = Mutex(())
    }

    init(
        view: ScreenView, hash: ContentHash, rendered: RenderedSnapshot, model: (any RenderableModel)?, outline: EncodedOutline,
        following trail: VersionTrail?, topics: Set<Topic>, generation: TopicGenerations.Generation, number: Int = 0,
        documents: DerivedDocuments
    ) {
        self.view = view
        self.documents = documents
        self.number = number
        viewHash = view.hash(by: hash)
        self.rendered = rendered
        self.model = model
        self.outline = outline
        previous = trail?.latest(otherThan: rendered.version)
        self.topics = topics
        topicsCost = Self.cost(of: topics)
        self.generation = generation
        let document = rendered.document
        snapshot = Document(.snapshot, bytes: document.bytes, version: document.version, locale: view.locale)
    }

    deinit {
        documents.removeAll(of: ObjectIdentifier(self))
    }

    /// The key of its version in history.
    var key: HistoryKey { view.key(rendered.version) }

    /// The bytes that the view takes with its model and the responses that are prepared of it, about.
    var cost: Int {
        let outline = rendered.outline.cells.count * 24 + rendered.outline.sections.count * 104
        // A model takes about as much as its document.
        return rendered.document.bytes.capacity * (model == nil ? 1 : 2) + outline + trail.cost + topicsCost + Document.preparedCost + 1024
    }

    /// The bytes that topics take in the view and in the table of readers, about.
    private static func cost(of topics: Set<Topic>) -> Int {
        var cost = 0
        // Besides the name: a place in the set of the view, one in the table, and there a set of readers.
        for topic in topics { cost += topic.name.utf8.count + 192 }
        return cost
    }

    /// The bytes that the view takes while it is followed, including its model.
    var followedCost: Int { cost + (model == nil ? rendered.document.bytes.capacity : 0) }

    /// A Boolean value that indicates whether the view is cached, and nothing that it read has been announced since.
    var isCurrent: Bool { current.load(ordering: .acquiring) }

    /// Notes that the view is cached.
    func becomeCurrent() {
        current.store(true, ordering: .releasing)
    }

    /// Notes that something that the view read was announced, or that the view is no longer cached.
    ///
    /// - Returns: a Boolean value that indicates whether it was current.
    func becomeOutdated() -> Bool {
        current.exchange(false, ordering: .acquiringAndReleasing)
    }

    /// Its version and the one before it.
    var trail: VersionTrail {
        VersionTrail(newest: PastVersion(version: rendered.version, outline: outline), before: previous)
    }

    /// An answer that was made before.
    func answer(to presented: PresentedVersion) -> Document? {
        documents.document(of: self, for: presented)
    }

    /// Runs `make` while nobody else does for the same version; they wait.
    func whileMaking<Made>(_ presented: PresentedVersion, _ make: () -> Made) -> Made {
        let making = makings.withLock { makings in
            let making = makings[presented] ?? Making()
            makings[presented] = making
            return making
        }
        defer { makings.withLock { $0[presented] = nil } }
        return making.lock.withLock { _ in make() }
    }

    /// Keeps an answer, for as long as it is asked for more than others. Of two that were made at once, the
    /// first is kept and given.
    func keep(_ bytes: [UInt8], _ kind: Document.Kind, for presented: PresentedVersion) -> Document {
        let made = Document(
            kind, bytes: bytes, version: snapshot.version, locale: snapshot.locale,
            reason: kind == .snapshot ? presented.snapshotReason : nil
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

/// A version of a view that is no longer the newest, or may not be.
struct PastVersion: Sendable {
    let version: Version
    let outline: EncodedOutline
}

/// The newest version of a view that is known, and the one before it.
struct VersionTrail: Sendable {
    let newest: PastVersion
    let before: PastVersion?

    /// The bytes that it takes, about.
    var cost: Int { newest.outline.bytes.count + (before?.outline.bytes.count ?? 0) + 128 }

    func latest(otherThan version: Version) -> PastVersion? {
        newest.version == version ? before : newest
    }
}
