/// A cell or a view that states how large it is.
public protocol Sized: ViewContent {
    /// Returns the size for a frame, both in points.
    func preferredSize(in frame: Size) -> Size
}

extension Sized {
    @inlinable
    public func size(in frame: Size?) -> Size? {
        frame.map(preferredSize)
    }
}

/// A cell or a view that can be selected.
public protocol Selectable: ViewContent {
    /// What selecting the view does; it becomes `selection`.
    var whenSelected: Selection { get }
}

extension Selectable {
    @inlinable public var selection: Selection? { whenSelected }
}

/// A cell or a view of a type that some clients do not know, as they are older than it.
///
/// A list that gets a new kind of cell has no need of a new revision then: clients that know the type show
/// the cell, all others what it says here.
public protocol FallingBack: ViewContent {
    /// What is shown where the type is not known; it becomes `fallback`.
    var whenUnknown: Fallback { get }
}

extension FallingBack {
    @inlinable public var fallback: Fallback? { whenUnknown }
}

/// What a client shows in the place of a cell or a view whose type it does not know.
///
/// On the wire it is the `fallback` of a cell: a view without an id, as the cell keeps its own, or null.
public enum Fallback: Sendable {
    /// Nothing: the cell has its place in the list, and no room on the screen.
    case nothing
    /// A view or a cell of a type that every client knows; so what that one falls back to itself is not sent.
    case view(any ViewContent)
}

extension Fallback {
    @usableFromInline
    package func write(to writer: inout JSONWriter, in frame: Size?) {
        writer.key("fallback")
        switch self {
        case .nothing: writer.writeNull()
        case .view(let view): writer.writeObject { view.writeMembersButFallback(to: &$0, in: frame) }
        }
    }
}

/// The size of a cell or a view, in points.
///
/// On the wire it is the `size` of a cell: `{"width"?, "height"}`. Without a width it is as wide
/// as its frame.
public struct Size: Hashable, Content {
    /// The width in points; nil takes the width of the frame.
    public var width: Double?

    /// The height in points.
    public var height: Double

    @inlinable
    public init(width: Double? = nil, height: Double) {
        self.width = width
        self.height = height
    }

    @inlinable
    public static func fields(_ field: inout some FieldVisitor<Self>) {
        field("width", \.width)
        field("height", \.height)
    }
}

/// What selecting a cell does: perform an action, or lead to another screen.
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
