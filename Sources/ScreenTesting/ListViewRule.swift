/// The rules of `UITableView` and `UICollectionView` for batches.
///
/// A batch that breaks a rule ends the app with an exception, unless the rule says otherwise. Newer systems summarize most of these
/// exceptions as "Invalid batch updates detected" (DifferenceKit#155). Some rules are stricter than UIKit on purpose
/// (``isStricterThanUIKit``), because the stages of Relist never need a batch that breaks them.
public enum ListViewRule: String, Hashable, Sendable, CaseIterable {
    /// The number of sections after a batch is the number before, plus inserted sections, minus deleted sections.
    ///
    /// References: DeepDiff#56, MessageKit#1008.
    case sectionCount

    /// The number of cells of a section after a batch is the number before, plus cells that are inserted or moved in, minus cells that are
    /// deleted or moved out.
    ///
    /// References: simplenote-ios#730, DifferenceKit#102.
    case cellCount

    /// If an operation deletes, reloads, updates or moves a cell or section, this cell or section exists before the batch.
    ///
    /// References: DeepDiff#54 and DeepDiff#8 for deletes and reloads, RxDataSources#35 for moves.
    case sourceExists

    /// If an operation inserts or moves a cell or section to a place, this place exists after the batch.
    ///
    /// References: openradar 22684413 for inserts, Bond#593 for moves.
    case targetExists

    /// No cell or section is deleted twice. A reload counts as a delete, so none is reloaded twice.
    ///
    /// A collection view reports nothing at first and crashes in a later layout. References: IGListKit#657 and #689, openradar 31786176.
    case deletedOnce

    /// No deleted cell or section is also reloaded.
    ///
    /// References: simplenote-ios#798, openradar 22684413.
    case deleteOrReload

    /// No moved cell or section is also deleted or reloaded.
    ///
    /// A reload is a delete and an insert, so the message of a reload names a delete. References: Texture#507 and DataSources#12 for
    /// deletes, openradar 33662307 and "The Hidden Trap in Selective Table View and Collection View Reloads" (pspdfkit.com, 2020) for
    /// reloads.
    case deleteOrMove

    /// No cell or section is moved twice.
    ///
    /// Reference for the message: UXCollectionView, a collection view by Apple for macOS (github.com/OpenUXKit/OpenUXKit).
    case movedOnce

    /// No cell or section is inserted at the target of a move. A reload counts as an insert. The place of a reloaded cell or section is
    /// computed from the deletes and inserts in the batch, without its moves.
    ///
    /// References: RxDataSources#321 and YapDatabase#489 for inserts, IGListKit#690 for reloads of sections.
    case insertOrMove

    /// No two cells or sections are moved to the same place.
    ///
    /// Reference for the message: UXCollectionView.
    case oneTarget

    /// No two cells or sections are inserted at the same place.
    ///
    /// Stricter than UIKit: a collection view accepts two inserts at one place (IGListKit#651), but rule 1 of Relist's protocol does not.
    case insertedOnce

    /// A cell or section that is updated in place is not deleted, reloaded or moved in the same batch.
    ///
    /// Stricter than UIKit: Apple's documentation and WWDC 2018, session 225, only advise a separate batch.
    case updatedApart

    /// No cell of a deleted or reloaded section is reloaded, reconfigured or moved, and no cell is moved to an inserted or reloaded section.
    /// No operation at all names a cell of a moved section.
    ///
    /// References: JSQDataSourcesKit#12 for deleted sections, TLIndexPathTools#18 for inserted sections. UIKit does not report an operation
    /// on a cell of a moved section, but computes wrong numbers of cells: openradar 27041784 for a reload of a cell, openradar 48941906 for
    /// a move of a cell, Bento#51 for an insert of a cell.
    case cellOfChangedSection

    /// No cell is deleted together with its section, or inserted together with its section. A reloaded section is deleted and inserted.
    ///
    /// Stricter than UIKit: the example in Apple's documentation of `NSFetchedResultsControllerDelegate` passes such operations to a table.
    case impliedOperation

    /// The reuse identifier of a reconfigured cell stays the same.
    ///
    /// References: Apple's documentation of `reconfigureItems(at:)`, DiffableKit 7.6.4.
    case reconfiguredType

    /// A header, footer or supplementary view appears, disappears or changes its type only if its section is reloaded.
    ///
    /// UIKit raises no exception, but it shows an old header, or none: `headerView(forSection:)` returns only a view that exists.
    case updatedViews

    /// A batch does not begin within another batch.
    ///
    /// Stricter than UIKit: nested batches are permitted, but UIKit compares the numbers of cells only at the end of the outer batch, when
    /// the data has changed twice. References: Apple's documentation of `beginUpdates()`, DifferenceKit#132.
    case nestedBatch

    /// The view is not reloaded within a batch.
    ///
    /// References: SectionKit#99, Apple's documentation of `reloadData()` of both views.
    case reloadInBatch

    /// The data source changes only within a batch. After any other change of the data source, the view is reloaded.
    ///
    /// References: DeepDiff#27, DifferenceKit#17, openradar 28167779, Apple's documentation of `performBatchUpdates(_:completion:)`.
    case dataSourceChange

    /// A Boolean value that indicates whether UIKit is not known to report a batch that breaks the rule. A ``StrictListView`` reports such a
    /// batch, but performs it.
    public var isStricterThanUIKit: Bool {
        switch self {
        case .insertedOnce, .updatedApart, .impliedOperation, .nestedBatch: true
        default: false
        }
    }
}

/// A rule that a batch broke.
public struct ListViewFault: Error, Hashable, CustomStringConvertible {
    public let rule: ListViewRule
    /// The message of UIKit's exception. If UIKit has none, a description of the fault.
    public let message: String

    init(_ rule: ListViewRule, _ message: String) {
        self.rule = rule
        self.message = message
    }

    public var description: String { message }

    /// Ends the test process, unless the rule is stricter than UIKit.
    public static func end(with fault: ListViewFault) {
        if !fault.rule.isStricterThanUIKit { fatalError(fault.message) }
    }
}

/// The kinds of list views. Each kind has its own messages for violated rules.
public enum ListViewKind: Hashable, Sendable, CaseIterable {
    case tableView, collectionView

    /// The word for a cell in a message.
    var cell: String { self == .tableView ? "row" : "item" }
    var view: String { self == .tableView ? "table view" : "collection view" }
}
