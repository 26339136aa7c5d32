public import Foundation
import ScreenModel
import ScreenWire

/// The views that an app uses for the types of cells, headers, footers and supplementary views, so that a list needs no `switch`.
///
///     let views = CellViews(registry: client.registry)
///     views.register(DeliveryCell.self, in: DeliveryRow.self)
///     views.register(DayHeader.self, in: DayView.self, for: .header)
///
/// A cell of an unknown type is shown as its fallback, if the type of the fallback is registered. If the fallback is null, the cell takes
/// no room. If there is no fallback, or the type of the fallback is not registered, the cell is shown in a generic view.
@MainActor
public final class CellViews {
    /// The registry that decodes the cells.
    public let registry: CellRegistry
    private var registered: [Key: RegisteredView] = [:]

    /// Creates an object in which no views are registered yet.
    ///
    /// - Parameter registry: The registry of the client whose screens are shown.
    public init(registry: CellRegistry) {
        self.registry = registry
    }

    /// The role and the reuse identifier of a view.
    struct Key: Hashable {
        let role: ViewRole
        let identifier: ExactText

        init(_ role: ViewRole, _ identifier: String) {
            self.role = role
            self.identifier = ExactText(identifier)
        }
    }

    /// A nib file that creates a view.
    struct Nib {
        let name: String
        let bundle: Bundle?
    }

    /// Registers a type of values, and the class of the views that show these values. A class that is already registered for the type is
    /// replaced.
    ///
    /// Register all types before a list is shown.
    ///
    /// The class must fit its role in the list view: a cell of a table is a `UITableViewCell`, its header or footer is a
    /// `UITableViewHeaderFooterView`, a view of a collection is a `UICollectionViewCell` or a `UICollectionReusableView`. A class that does
    /// not fit is not used: its cells are shown in a generic view, and its headers, footers and supplementary views are empty.
    ///
    /// - Parameters:
    ///   - role: The part of the list in which the view is used.
    ///   - name: The `type` in the document. By default, the name is derived from the name of the Swift type, as by
    ///     ``CellRegistry/register(_:as:)``.
    ///   - nib: The name of the nib file that creates the view, or `nil` to create the view from its class.
    ///   - bundle: The bundle that contains the nib file, or `nil` for the main bundle.
    public func register<View: Configurable>(
        _ type: View.Content.Type, in view: View.Type, for role: ViewRole = .cell, as name: String? = nil, nib: String? = nil,
        bundle: Bundle? = nil
    ) where View.Content: Decodable & Sendable {
        let name = name ?? ReuseIdentifiers.identifier(fromTypeName: String(describing: type))
        registry.register(type, as: name)
        let nib = nib.map { Nib(name: $0, bundle: bundle) }
        registered[Key(role, name)] = RegisteredView(type: view, nib: nib) { view, value in
            guard let view = view as? View, let content = value as? View.Content else { return false }
            view.configure(with: content)
            return true
        }
    }

    /// Returns the class of the view that shows content with this reuse identifier, and its nib file. The value is `nil` if no class is
    /// registered, or if the class does not inherit from the class that the list view needs.
    func view<Base: AnyObject>(for identifier: String, in role: ViewRole, as base: Base.Type) -> (type: Base.Type, nib: Nib?)? {
        guard let view = registered[Key(role, identifier)], let type = view.type as? Base.Type else { return nil }
        return (type, view.nib)
    }

    /// Shows a cell, or the fallback of a cell, in a view that was dequeued for its `reuseIdentifier`.
    ///
    /// - Returns: False if the app has no view for the value. The caller then shows the cell in a generic way, or not at all if its value
    ///   is hidden.
    @discardableResult
    public func configure(_ view: AnyObject, with cell: ListModel.Cell) -> Bool {
        configure(view, cell.value, cell.reuseIdentifier, .cell)
    }

    /// Shows a header, a footer or a supplementary view, or its fallback, in a view that was dequeued for its `reuseIdentifier`.
    ///
    /// - Returns: False if the app has no view for the value.
    @discardableResult
    public func configure(_ view: AnyObject, with content: ListModel.View, as role: ViewRole) -> Bool {
        configure(view, content.value, content.reuseIdentifier, role)
    }

    private func configure(_ view: AnyObject, _ value: CellValue, _ identifier: String, _ role: ViewRole) -> Bool {
        guard case .known(let content) = value else { return false }
        return registered[Key(role, identifier)]?.configure(view, content) ?? false
    }
}

/// A class of views, and the function that shows a value in such a view.
private struct RegisteredView {
    let type: AnyObject.Type
    let nib: CellViews.Nib?
    /// Returns false if the view or the value has another type.
    let configure: @MainActor (AnyObject, any Sendable) -> Bool
}

// MARK: - Sizes and selection

/// The traits of a cell or a view that is shown. If a fallback is shown, these are the traits of the fallback.
public protocol ShownTraits {
    /// The content that is shown, or `nil` if nothing is shown.
    var shownContent: JSONValue? { get }
}

extension ListModel.Cell: ShownTraits {}
extension ListModel.View: ShownTraits {}

extension ShownTraits {
    /// Returns the size that the server states, in points, or `nil` if the client decides the size. Hidden content has the height 0. If the
    /// server states no width, the result has the given width.
    public func shownSize(in width: Double) -> Size? {
        guard let shownContent else { return Size(width: width, height: 0) }
        guard let size = shownContent["size"].flatMap(Size.init) else { return nil }
        return Size(width: size.width ?? width, height: size.height)
    }

    /// The effect of selecting the view: its action, or else its link. The value is `nil` if the view must not be highlighted.
    public var selection: ListSelection? {
        if let action = shownContent?["action"].flatMap(ScreenAction.init) { return .action(action) }
        return shownContent?["link"].flatMap(ScreenLink.init).map { .link($0) }
    }

    /// The actions that the view offers in a menu, or when it is swiped.
    public var offeredActions: [OfferedAction] {
        guard case .array(let actions) = shownContent?["actions"] else { return [] }
        return actions.compactMap(OfferedAction.init)
    }
}

/// The effect of selecting a cell or a view.
public enum ListSelection: Hashable, Sendable {
    /// The action is performed.
    case action(ScreenAction)
    /// The linked screen opens.
    case link(ScreenLink)
}
