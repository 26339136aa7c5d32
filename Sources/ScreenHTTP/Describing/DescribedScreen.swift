import ScreenModel
import ScreenService
import ScreenWire

/// A screen as its description needs it.
struct DescribedScreen {
    let name: String
    /// What the names of its schemas and operations begin with.
    let prefix: String
    let title: String
    let access: Access
    let layout: String
    let revisions: ClosedRange<Int>
    /// Nil where any may come.
    let cellTypes: [any ViewContent.Type]?
    let viewTypes: [any ViewContent.Type]?
    let parameters: [any ParameterDeclaring]
    let actions: [Action]
    /// The language that counts when a client states none.
    let locale: ScreenLocale

    /// - Parameter isFree: whether a prefix is that of no other screen.
    init<Described: Screen>(
        _ screen: Described, _ actions: [Action], in locale: ScreenLocale, isFree: (_ prefix: String) -> Bool
    ) {
        name = Described.name
        // `a-1` and `a1` are two.
        let words = Described.name.asComponentName
        prefix = isFree(words) ? words : (2...).lazy.map { "\(words)\($0)" }.first(where: isFree)!
        title = screen.title.in(locale)
        access = screen.access
        revisions = Described.revisions
        layout = Described.Model.layout.rawValue
        cellTypes = Described.shownCellTypes
        viewTypes = Described.shownViewTypes
        parameters = screen.parameters
        self.actions = actions
        self.locale = locale
    }
}
