#if canImport(UIKit) && !os(watchOS)
import ScreenWire
import UIKit

extension ListChoices {
    /// Returns the menu with the actions that a cell offers, or `nil` if it offers none.
    func menu(of cell: ListModel.Cell) -> UIContextMenuConfiguration? {
        let actions = cell.offeredActions
        guard !actions.isEmpty else { return nil }
        return UIContextMenuConfiguration(identifier: nil, previewProvider: nil) { _ in
            UIMenu(
                children: actions.map { offered in
                    var attributes: UIMenuElement.Attributes = []
                    if offered.isDestructive { attributes.insert(.destructive) }
                    if offered.isDisabled { attributes.insert(.disabled) }
                    return UIAction(title: offered.title, attributes: attributes) { _ in
                        perform(offered.name, offered.input, id: cell.id)
                    }
                })
        }
    }
}
#endif
