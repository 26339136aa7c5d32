public import ScreenDiff

/// A list view for tests. It enforces the rules of `UITableView` and `UICollectionView` for batches (``ListViewRule``). A broken rule is
/// reported with the message of UIKit, if UIKit has one.
///
///     var rows = model
///     let view = StrictListView(.tableView) { rows }
///     view.reload(using: rows.changeset(to: target)) { rows = $0 }
///     #expect(view.cells[0][0] === first)
///
/// The view reads its data source at the beginning and at the end of each batch, as the list views of UIKit do. A cell is an object, so a
/// test can check which cells survive a batch. An update of headers and footers in place does not recreate the cells of the section. A
/// `UITableView` behaves in the same way if its `reload(using:)` is called with a closure `updateSections`.
@MainActor
public final class StrictListView<Content>: BatchUpdating {
    /// A cell on the screen. It keeps its content until the view configures it again.
    public nonisolated final class Cell {
        public let reuseIdentifier: String
        public internal(set) var content: Content

        init(_ content: Content, reuseIdentifier: String) {
            self.content = content
            self.reuseIdentifier = reuseIdentifier
        }
    }

    /// A section of the data source.
    public nonisolated struct Section {
        public var cells: [Content]
        /// The reuse identifiers of the views. The keys are `header`, `footer`, and any names for the supplementary views.
        public var views: [String: String]

        public init(cells: [Content], views: [String: String] = [:]) {
            self.cells = cells
            self.views = views
        }
    }

    /// The end of an animation.
    public nonisolated enum AnimationEnd: Hashable, Sendable {
        case finished, interrupted
    }

    public var isShown = true
    /// The end of the animations. Set it to nil to keep the animations of the next batches in progress until ``endAnimations(_:)`` is called.
    public var animationEnd: AnimationEnd? = .finished
    /// The faults of all batches so far.
    public private(set) var faults: [ListViewFault] = []
    /// The cells of each section.
    public var cells: [[Cell]] { list.cells }

    private var list: ShownList<Content>
    /// The batch in progress.
    private var batch: ListBatch?
    /// The completions of the batches whose animations are in progress.
    private var completions: [@MainActor (Bool) -> Void] = []
    private let sections: () -> [Section]
    private let report: (ListViewFault) -> Void

    /// Creates a view that shows the sections of a data source.
    ///
    /// - Parameters:
    ///   - sections: returns the current sections of the data source.
    ///   - reuseIdentifier: returns the reuse identifier of the cell that shows a content.
    ///   - report: is called for each fault. By default, a fault ends the test process with its message, as an exception does, unless the
    ///     broken rule is stricter than UIKit. After a fault that is an exception of UIKit, the view is reloaded.
    public init(
        _ kind: ListViewKind, sections: @escaping () -> [Section], reuseIdentifier: @escaping (Content) -> String,
        report: @escaping (ListViewFault) -> Void = ListViewFault.end(with:)
    ) {
        self.sections = sections
        self.report = report
        list = ShownList(kind, reuseIdentifier: reuseIdentifier)
        list.reload(sections())
    }

    public func reloadData() {
        if batch != nil { fail([ListViewFault(.reloadInBatch, "reloadData was called within a batch")]) }
        list.reload(sections())
    }

    public func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
        defer {
            completions.append(completion)
            if batch == nil, let animationEnd { endAnimations(animationEnd) }
        }
        guard batch == nil else {
            fail([ListViewFault(.nestedBatch, "a batch was begun within a batch")])
            return updates()
        }
        let before = sections().map(\.cells.count)
        let reloads = faults.count { $0.rule == .reloadInBatch }
        batch = ListBatch()
        updates()
        let performed = batch ?? ListBatch()
        batch = nil
        guard faults.count(where: { $0.rule == .reloadInBatch }) == reloads else { return list.reload(sections()) }
        fail(list.perform(performed, from: before, to: sections()))
    }

    /// Ends the animations that are in progress, and calls the completions of their batches.
    public func endAnimations(_ end: AnimationEnd) {
        let ended = completions
        completions = []
        for completion in ended { completion(end == .finished) }
    }

    public func perform(_ operation: ListOperation) {
        precondition(batch != nil, "operations are performed within a batch")
        batch?.add(operation)
    }

    private func fail(_ new: [ListViewFault]) {
        faults += new
        new.forEach(report)
    }
}
