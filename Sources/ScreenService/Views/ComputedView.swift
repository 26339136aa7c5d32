import ScreenDiff
import ScreenWire
import Synchronization

/// Is a view as it was computed last, with the answers made from it so far.
///
/// The view cache keeps it until a topic that it read is announced.
final class ComputedView: Sendable {
    let view: ScreenView
    let rendered: RenderedSnapshot
    /// What it was read from.
    let topics: Set<Topic>
    /// The generation of topics that was noted before reading.
    let generation: TopicGenerations.Generation
    /// The answer to GET.
    let snapshot: Document

    /// Answers to requests for changes, by the version that was presented (`nil`: none).
    private let answers = Mutex<[Presented: Document]>([:])

    /// What whoever makes an answer holds, so that each is made once.
    private let makings = Mutex<[Presented: Making]>([:])

    private final class Making: Sendable {
        let lock = Mutex(())
    }

    enum Presented: Hashable {
        case known(Version)
        case reason(SnapshotReason)
    }

    /// How many bytes it takes, about, without the answers that are made later.
    var cost: Int {
        let cells = rendered.outline.cells.count
        return rendered.document.bytes.count + cells * 24 + rendered.outline.sections.count * 80 + 1024
    }

    init(view: ScreenView, rendered: RenderedSnapshot, topics: Set<Topic>, generation: TopicGenerations.Generation) {
        self.view = view
        self.rendered = rendered
        self.topics = topics
        self.generation = generation
        snapshot = Document(
            .snapshot, bytes: rendered.document.bytes, version: rendered.document.version, locale: view.locale
        )
    }

    func answer(to presented: Presented) -> Document? {
        answers.withLock { $0[presented] }
    }

    /// Runs `make` while nobody else does for the same version; they wait.
    func whileMaking<Made>(_ presented: Presented, _ make: () -> Made) -> Made {
        let making = makings.withLock { makings in
            let making = makings[presented] ?? Making()
            makings[presented] = making
            return making
        }
        defer { makings.withLock { $0[presented] = nil } }
        return making.lock.withLock { _ in make() }
    }

    /// Keeps an answer. Of two that were made at once, the first is kept and given.
    ///
    /// - Returns: the answer that is kept, and the bytes that it adds.
    func keep(_ bytes: [UInt8], _ kind: Document.Kind, for presented: Presented) -> (document: Document, cost: Int) {
        answers.withLock { answers in
            if let kept = answers[presented] { return (kept, 0) }
            let document = Document(kind, bytes: bytes, version: snapshot.version, locale: snapshot.locale)
            answers[presented] = document
            return (document, bytes.count + 256)
        }
    }
}
