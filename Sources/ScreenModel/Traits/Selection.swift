/// Says what selecting a cell does: perform an action, or lead to another screen.
///
/// On the wire the one is the cell's `action`, the other its `link`.
public enum Selection: Hashable, Sendable {
    case action(ScreenAction)
    case link(ScreenLink)

    /// The action, unless it is a link.
    @inlinable public var action: ScreenAction? {
        if case .action(let action) = self { action } else { nil }
    }

    /// The link, unless it is an action.
    @inlinable public var link: ScreenLink? {
        if case .link(let link) = self { link } else { nil }
    }
}
