/// Holds what one view on the screen shows: a cell, a header, a footer or a supplementary view.
///
/// Its fields are the content of the view on the wire; the requirements here become the keys that
/// mean the same everywhere. A type states them itself or adopts a trait, such as `Sized` or
/// `Selectable`, that answers them.
public protocol ViewContent: Content {
    /// Names the kind of view that shows the content: the wire's `type`.
    ///
    /// By default it follows from the type's name: `DeliveryCell` is `delivery`.
    var reuseIdentifier: String { get }

    /// Returns the size in a frame, both in points; nil by default, which leaves it to the client.
    func size(in frame: Size?) -> Size?

    /// Says what selecting the view does; nil by default, which makes it not selectable.
    var selection: Selection? { get }

    /// Lists what else can be done with what is shown; empty by default.
    var actions: [OfferedAction] { get }
}

extension ViewContent {
    public var reuseIdentifier: String { ReuseIdentifiers.shared.identifier(of: Self.self) }

    @inlinable
    public func size(in frame: Size?) -> Size? { nil }

    @inlinable public var selection: Selection? { nil }

    @inlinable public var actions: [OfferedAction] { [] }
}
