public import Foundation
import ScreenWire

/// The common part of the objects that show a screen in a list view: `ScreenTable` and `ScreenCollection`.
@MainActor
open class ScreenListView: NSObject {
    let views: CellViews
    var choices: ListChoices
    let presenter: ListPresenter
    private var binding: DataBinding?
    /// The views that are registered with the list view.
    var registered: Set<CellViews.Key> = []
    /// The greatest number of changes in a stage that is animated. If a stage has more, the list view is reloaded. In an `NSTableView`, which
    /// has no sections, each row of a section that is inserted, deleted or moved is a change.
    public var changeLimit = 500

    init(
        showing screen: LiveScreen, in views: CellViews, report: @escaping (any Error) -> Void, open: @escaping (ScreenLink) -> Void
    ) {
        self.views = views
        choices = ListChoices(screen: screen, open: open, report: report)
        presenter = ListPresenter(screen)
        super.init()
        presenter.perform = { [weak self] update, setData in self?.perform(update, setData) }
        binding = presenter.bind(to: screen)
    }

    /// Performs a change on the list view.
    ///
    /// - Parameter setData: Sets the sections of the presenter.
    func perform(_ update: ListUpdate, _ setData: (ListModel.Sections) -> Void) { setData(update.model.sections) }

    /// Holds changes for a reason, until the reason ends. Changes are held while the user scrolls, too.
    public func begin(_ reason: HoldingReason) { presenter.begin(reason) }

    /// Ends a reason to hold changes, and performs the held changes as one.
    public func end(_ reason: HoldingReason) { presenter.end(reason) }

    /// The number of changes that are held.
    public var heldCount: Int { presenter.held.count }

    /// A function that is called with ``heldCount`` when it has changed.
    public var heldCountChanged: (Int) -> Void {
        get { presenter.countChanged }
        set { presenter.countChanged = newValue }
    }

    /// Performs the changes that are held.
    public func showHeld() { presenter.showHeld() }
}
