public import ScreenDiff
import ScreenModel
package import ScreenWire

/// A change of a screen's content.
public struct ListUpdate: Sendable {
    public let kind: Kind
    /// The content after the change.
    public let model: ListModel

    public enum Kind: Sendable {
        /// The whole content is new. A list view reloads all cells.
        case snapshot
        /// The content changed in steps. A list view performs each step as one batch update.
        case stages([Step])
    }

    /// A batch of changes, and the content after these changes.
    public struct Step: Sendable {
        public let stage: Stage
        public let model: ListModel
        private let updates: UpdatedContents
        private let registry: CellRegistry

        package init(_ applied: SnapshotTree.AppliedStage, registry: CellRegistry) {
            stage = applied.stage
            model = ListModel(applied.snapshot, registry: registry)
            updates = applied.updates
            self.registry = registry
        }

        /// Returns the updates that do not replace a view. The result depends on the cells that were shown since the change arrived, so a
        /// list view calls this function when it performs the step.
        @Sendable func inPlace() -> UpdatesInPlace { updates.inPlace(keepsView: registry.keepsView) }
    }
}

extension SnapshotTree {
    /// Applies a changeset, and returns its steps for a list view that shows the values of a registry.
    package mutating func steps(
        applying changeset: ChangesetTree, registry: CellRegistry
    ) throws(DocumentFaults) -> [ListUpdate.Step] {
        try applyByStages(changeset).map { ListUpdate.Step($0, registry: registry) }
    }
}

extension [ListUpdate.Step] {
    /// The steps as a changeset that a list view can perform. The server has computed the stages, so no lists are compared.
    ///
    ///     tableView.reload(using: steps.changeset, with: .automatic) { sections = $0 }
    ///
    /// A cell whose shown type stays the same is updated in place. Otherwise its view is replaced. The same applies to headers, footers and
    /// supplementary views. The types are compared when a stage is performed.
    public var changeset: StagedChangeset<ListModel.Sections> {
        StagedChangeset(map { Changeset($0.stage, data: $0.model.sections, inPlace: $0.inPlace) })
    }
}

/// An asynchronous sequence of the changes of a screen. The first element is the current content.
///
/// Each access to ``LiveScreen/updates`` returns a new sequence for one consumer. A slow consumer receives several changes as one element,
/// or the newest content as a whole. The sequence ends when the screen is deinitialized.
public struct ListUpdates: AsyncSequence, Sendable {
    fileprivate let mailbox: UpdateMailbox

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let mailbox: UpdateMailbox
        fileprivate var wakes: AsyncStream<Void>.Iterator

        public mutating func next() async -> ListUpdate? { await next(isolation: nil) }

        /// Returns the next change. A consumer on the main actor receives no change after code on the main actor has released the screen
        /// or cancelled the task of the consumer.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ListUpdate? {
            nonisolated(unsafe) var wakes = wakes
            while !Task.isCancelled {
                if let update = await mailbox.take() { return update }
                guard await wakes.next() != nil else { return nil }
            }
            return nil
        }
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(mailbox: mailbox, wakes: mailbox.wakes.makeAsyncIterator())
    }
}

extension ListUpdate {
    /// The maximum number of steps in one change. If there are more steps, a consumer receives the newest content as a whole.
    static let stepLimit = 20

    /// Returns this change and the change after it as one.
    func merged(with next: ListUpdate) -> ListUpdate {
        guard case .stages(let later) = next.kind, case .stages(let earlier) = kind, earlier.count + later.count <= Self.stepLimit else {
            return ListUpdate(kind: .snapshot, model: next.model)
        }
        return ListUpdate(kind: .stages(earlier + later), model: next.model)
    }
}

/// The changes that a consumer has not received yet.
@MainActor
final class UpdateMailbox {
    nonisolated let wakes: AsyncStream<Void>
    private nonisolated let wake: AsyncStream<Void>.Continuation
    private(set) var pending: ListUpdate?
    private nonisolated let lock = Lock()
    /// Protected by `lock`.
    private nonisolated(unsafe) var isClosed = false

    init(_ first: ListUpdate) {
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        pending = first
    }

    func post(_ update: ListUpdate) {
        pending = pending?.merged(with: update) ?? update
        wake.yield()
    }

    func take() -> ListUpdate? {
        defer { pending = nil }
        return lock.withLock { isClosed } ? nil : pending
    }

    /// Ends the sequence. The screen calls this function when it is deinitialized. The consumer receives no more changes.
    nonisolated func close() {
        lock.withLock { isClosed = true }
        wake.finish()
    }
}

/// A weak reference to a mailbox. Only the consumer keeps the mailbox alive.
struct WeakMailbox {
    weak var mailbox: UpdateMailbox?
}

extension LiveScreen {
    /// A sequence of the changes of the content for one consumer. The first element is the current content.
    public var updates: ListUpdates {
        let mailbox = UpdateMailbox(ListUpdate(kind: .snapshot, model: model))
        mailboxes.removeAll { $0.mailbox == nil }
        mailboxes.append(WeakMailbox(mailbox: mailbox))
        return ListUpdates(mailbox: mailbox)
    }

    func post(_ kind: ListUpdate.Kind) {
        let update = ListUpdate(kind: kind, model: model)
        for mailbox in mailboxes { mailbox.mailbox?.post(update) }
    }
}
