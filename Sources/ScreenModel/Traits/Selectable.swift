/// Tells what selecting a cell or a view does.
public protocol Selectable: ViewContent {
    var whenSelected: Selection { get }
}

extension Selectable {
    @inlinable public var selection: Selection? { whenSelected }
}
