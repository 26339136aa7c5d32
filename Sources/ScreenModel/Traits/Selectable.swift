/// Tells what selecting a cell or a view does.
public protocol Selectable: ViewContent {
    /// Says what selecting the view does; it becomes `selection`.
    var whenSelected: Selection { get }
}

extension Selectable {
    @inlinable public var selection: Selection? { whenSelected }
}
