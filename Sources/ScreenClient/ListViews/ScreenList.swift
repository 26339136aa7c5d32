#if canImport(SwiftUI)
public import SwiftUI

/// A SwiftUI list that shows a screen. It keeps the screen current while the list is visible.
///
///     ScreenList(screen) { cell in
///         if let delivery = cell.value(as: DeliveryCell.self) { DeliveryRow(delivery: delivery) }
///     }
///
/// Tapping a row performs its action or opens its link. Its other actions are offered when the row is swiped.
public struct ScreenList<Row: View>: View {
    private let screen: LiveScreen
    private let open: (ScreenLink) -> Void
    private let report: (any Error) -> Void
    private let row: (ListModel.Cell) -> Row
    private let header: (ListModel.View) -> String?

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - header: Returns the title of a section from its header.
    ///   - report: A function that is called if an action fails.
    ///   - open: A function that opens a linked screen. It is not called for a link to the same screen. Such a link changes the parameters
    ///     of the screen.
    ///   - row: Returns the view of a cell.
    public init(
        _ screen: LiveScreen, header: @escaping (ListModel.View) -> String? = { _ in nil },
        report: @escaping (any Error) -> Void = { _ in }, open: @escaping (ScreenLink) -> Void = { _ in },
        @ViewBuilder row: @escaping (ListModel.Cell) -> Row
    ) {
        self.screen = screen
        self.header = header
        self.open = open
        self.report = report
        self.row = row
    }

    public var body: some View {
        List(screen.model.sections) { section in
            Section(section.header.flatMap(header) ?? "") {
                ForEach(section.cells.filter { !$0.value.isHidden }) { cell in
                    row(cell)
                        .onTapGesture { presenter.select(cell) }
                        .swipeActions {
                            ForEach(cell.offeredActions.filter { !$0.isDisabled }, id: \.self) { offered in
                                Button(offered.title, role: offered.isDestructive ? .destructive : nil) {
                                    presenter.perform(offered.name, offered.input, of: cell)
                                }
                            }
                        }
                }
            }
        }
        .task { await screen.follow() }
    }

    /// A presenter that performs the actions and opens the links that the user selects. It shows no cells, because SwiftUI does this.
    private var presenter: ListPresenter {
        let presenter = ListPresenter(screen)
        presenter.open = open
        presenter.report = report
        return presenter
    }
}
#endif
