public import ScreenDiff

/// A list view for tests. It enforces the rules of `UITableView` and `UICollectionView` for batches, and fails with their messages.
///
///     var rows = model
///     let view = StrictListView(.tableView) { rows }
///     view.reload(using: rows.changeset(to: target)) { rows = $0 }
///     #expect(view.cells[0][0] === first)
///
/// The view asks its data source for the list at the begin and at the end of each batch, as the list views of UIKit do. A cell is an
/// object, so that a test can check which cells survive a batch.
@MainActor
public final class StrictListView<Content>: BatchUpdating {
    /// A cell on the screen. It keeps its content until the view configures it again.
    public final class Cell {
        public let reuseIdentifier: String
        public fileprivate(set) var content: Content

        fileprivate init(_ content: Content, _ reuseIdentifier: String) {
            self.content = content
            self.reuseIdentifier = reuseIdentifier
        }
    }

    /// A section of the data source.
    public struct Section {
        public var cells: [Content]
        /// The reuse identifiers of the header, the footer and the supplementary views, by any names of their places.
        public var views: [String: String]

        public init(cells: [Content], views: [String: String] = [:]) {
            self.cells = cells
            self.views = views
        }
    }

    public let kind: ListViewKind
    public var isShown = true
    /// A Boolean value that indicates whether animations run to their end. The view passes it to the completion of each batch.
    public var finishesAnimations = true
    /// The cells of each section.
    public private(set) var cells: [[Cell]] = []
    /// The faults of all batches so far.
    public private(set) var faults: [ListViewFault] = []
    /// The reuse identifiers of the header, the footer and the supplementary views of each section.
    private var views: [[String: String]] = []
    /// The batch in progress.
    private var batch: ListBatch?

    private let sections: () -> [Section]
    private let reuseIdentifier: (Content) -> String
    private let report: (ListViewFault) -> Void

    /// Creates a view that shows the sections of a data source.
    ///
    /// - Parameters:
    ///   - sections: returns the current sections of the data source.
    ///   - reuseIdentifier: returns the reuse identifier of the cell that shows a content.
    ///   - report: is called for each fault. By default, a fault ends the test with the message of the fault, as an exception does. After a
    ///     fault the view is reloaded.
    public init(
        _ kind: ListViewKind, sections: @escaping () -> [Section], reuseIdentifier: @escaping (Content) -> String,
        report: @escaping (ListViewFault) -> Void = { fatalError($0.message) }
    ) {
        self.kind = kind
        self.sections = sections
        self.reuseIdentifier = reuseIdentifier
        self.report = report
        show(sections())
    }

    public func reloadData() {
        if batch != nil { fail(.reloadInBatch, "reloadData was called within a batch") }
        show(sections())
    }

    public func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
        defer { completion(finishesAnimations) }
        guard batch == nil else {
            fail(.nestedBatch, "a batch was begun within a batch")
            return updates()
        }
        let before = sections().map(\.cells.count)
        let known = faults.count
        batch = ListBatch()
        updates()
        let performed = batch ?? ListBatch()
        batch = nil
        let after = sections()
        guard faults.count == known, isFollowed(by: performed, before, after.map(\.cells.count)) else { return show(after) }
        apply(performed, after)
    }

    public func perform(_ operation: ListOperation) {
        precondition(batch != nil, "operations are performed within a batch")
        batch?.add(operation)
    }

    private func show(_ new: [Section]) {
        cells = new.map { $0.cells.map { Cell($0, reuseIdentifier($0)) } }
        views = new.map(\.views)
    }

    private func fail(_ rule: ListViewRule, _ message: String) {
        fail(ListViewFault(rule, message))
    }

    private func fail(_ fault: ListViewFault) {
        faults.append(fault)
        report(fault)
    }
}

// The end of a batch.
extension StrictListView {
    /// Reports the first rule that a batch breaks.
    ///
    /// - Parameters:
    ///   - before: the numbers of cells when the batch began.
    ///   - after: the numbers of cells at the end of the batch.
    /// - Returns: a Boolean value that indicates whether the batch breaks no rule.
    private func isFollowed(by batch: ListBatch, _ before: [Int], _ after: [Int]) -> Bool {
        let shown = cells.map(\.count)
        if before == shown {
            guard let fault = batch.fault(from: before, to: after, in: kind) else { return true }
            fail(fault)
        } else {
            // A view that asks for the numbers again now performs the operations on the new numbers.
            let fault = batch.fault(from: before, to: after, in: kind) ?? ListBatch().fault(from: shown, to: before, in: kind)
            fail(.dataSourceChange, fault?.message ?? "")
        }
        return false
    }

    /// Performs a batch that follows the rules, and reports if a view is updated in place although its type changes.
    private func apply(_ batch: ListBatch, _ after: [Section]) {
        let sectionOrigins = batch.sectionOrigins(from: cells.count, to: after.count)
        let origins = batch.origins(from: cells.map(\.count), to: after.map(\.cells.count))
        let (oldCells, oldViews) = (cells, views)
        let newSections = Set(batch.sections.reloads.map(\.section))
        let (reloaded, reconfigured) = (Set(batch.cells.reloads), Set(batch.cells.reconfigures))
        cells = zip(after, origins).map { section, origins in
            zip(section.cells, origins).map { content, origin in
                guard let origin, !reloaded.contains(origin), !newSections.contains(origin.section) else {
                    return Cell(content, reuseIdentifier(content))
                }
                let cell = oldCells[origin.section][origin.item]
                if reconfigured.contains(origin) { reconfigure(cell, with: content) }
                return cell
            }
        }
        views = zip(after, sectionOrigins).map { section, origin in
            guard let origin, !newSections.contains(origin) else { return section.views }
            if batch.updatedSections.contains(origin), oldViews[origin] != section.views {
                fail(.updatedViews, "the views of section \(origin) are \(section.views), but the list view shows \(oldViews[origin])")
            }
            return oldViews[origin]
        }
    }

    private func reconfigure(_ cell: Cell, with content: Content) {
        let new = reuseIdentifier(content)
        if new != cell.reuseIdentifier {
            fail(
                .reconfiguredType,
                "Attempted to dequeue a cell for a different registration or reuse identifier than the existing cell when "
                    + "reconfiguring an "
                    + "item, which is not allowed. You can only dequeue a cell with the same registration or reuse identifier that "
                    + "was used "
                    + "for the existing cell. Dequeued reuse identifier: \(new); Original reuse identifier: \(cell.reuseIdentifier)")
        }
        cell.content = content
    }
}
