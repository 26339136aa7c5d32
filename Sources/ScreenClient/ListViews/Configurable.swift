/// A view that shows a value.
///
///     final class DeliveryRow: UITableViewCell, Configurable {
///         func configure(with delivery: DeliveryCell) { textLabel?.text = delivery.weight }
///     }
@MainActor
public protocol Configurable<Content>: AnyObject {
    /// The type of the values that the view shows.
    associatedtype Content

    /// Shows a value in place of the value that the view showed before.
    func configure(with content: Content)
}

/// The part of a list in which a view is used.
public enum ViewRole: Hashable, Sendable {
    case cell, header, footer
    /// A supplementary view of a kind, such as `badge`.
    case supplementary(String)
}
