#if canImport(SwiftUI)
public import SwiftUI

/// A SwiftUI list that shows a screen. It keeps the screen current while the list is visible.
///
///     ScreenList(screen) { cell in
///         if let delivery = cell.value(as: DeliveryCell.self) { DeliveryRow(delivery: delivery) }
///     }
///
/// A row, a header or a footer with an action or a link is a button. Other actions of a row are offered when it is swiped.
///
/// SwiftUI compares the ids of the rows itself, and decides what stays in place and what VoiceOver says. The list does not hold changes
/// while the user scrolls, and does not show supplementary views.
public struct ScreenList<Row: View>: View {
    private let choices: ListChoices
    private let row: (ListModel.Cell) -> Row
    private let header: (ListModel.View) -> String?
    private let footer: (ListModel.View) -> String?

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - header: Returns the title of a section from its header.
    ///   - footer: Returns the text below a section from its footer.
    ///   - report: A function that is called if an action fails.
    ///   - open: A function that opens a linked screen. It is not called for a link to the same screen. Such a link changes the parameters
    ///     of the screen.
    ///   - row: Returns the view of a cell.
    public init(
        _ screen: LiveScreen, header: @escaping (ListModel.View) -> String? = { _ in nil },
        footer: @escaping (ListModel.View) -> String? = { _ in nil }, report: @escaping (any Error) -> Void = { _ in },
        open: @escaping (ScreenLink) -> Void = { _ in }, @ViewBuilder row: @escaping (ListModel.Cell) -> Row
    ) {
        choices = ListChoices(screen: screen, open: open, report: report)
        self.header = header
        self.footer = footer
        self.row = row
    }

    public var body: some View {
        List(choices.screen.model.sections) { section in
            Section {
                ForEach(section.cells.filter { !$0.value.isHidden }) { cell in
                    selectable(cell, id: cell.id) { row(cell) }
                        .swipeActions {
                            ForEach(cell.offeredActions.filter { !$0.isDisabled }, id: \.self) { offered in
                                Button(offered.title, role: offered.isDestructive ? .destructive : nil) {
                                    choices.perform(offered.name, offered.input, id: cell.id)
                                }
                            }
                        }
                }
            } header: {
                text(of: section.header, header)
            } footer: {
                text(of: section.footer, footer)
            }
        }
        .task { await choices.screen.follow() }
    }

    @ViewBuilder private func text(of view: ListModel.View?, _ title: (ListModel.View) -> String?) -> some View {
        if let view, let title = title(view) { selectable(view, id: nil) { Text(title) } }
    }

    /// Shows content as a button if it has an action or a link.
    @ViewBuilder private func selectable(_ content: some ShownTraits, id: String?, @ViewBuilder label: () -> some View) -> some View {
        if content.selection != nil {
            Button(action: { choices.select(content, id: id) }, label: label)
        } else {
            label()
        }
    }
}
#endif
