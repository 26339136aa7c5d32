/// A cell or a view that states its size. It needs content with a frame: `ScreenContent(title:frame:model:)`.
public protocol Sized: ViewContent {
    /// Returns the size for the given frame, both in points.
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
    /// The action that the client performs, or the link that it opens, when the user selects the view.
    var whenSelected: Selection { get }
}

extension Selectable {
    @inlinable public var selection: Selection? { whenSelected }
}

/// A cell or a view that has a replacement for clients that do not know its type. With a fallback, a list can introduce a new type of cell
/// without a new revision of the screen.
public protocol FallbackProviding: ViewContent {
    /// The content that a client shows if it does not know the type.
    var fallbackView: Fallback { get }
}

extension FallbackProviding {
    @inlinable public var fallback: Fallback? { fallbackView }
}

/// The replacement for a cell or a view whose type a client does not know. On the wire it is the `fallback` of the cell: null, or a view
/// without an id.
public enum Fallback: Sendable {
    /// No view. The cell keeps its index in the list, but is not visible.
    case nothing
    /// A view or a cell of a type that every client knows. If this view or cell has a fallback of its own, that second fallback is not
    /// sent.
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

/// The size of a cell or a view, in points. On the wire it is the `size` of the cell: `{"width"?, "height"}`.
public struct Size: Hashable, Content {
    /// The width in points, or `nil` for the width of the frame.
    public var width: Double?

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

/// The effect of selecting a cell: an action or a link. On the wire it is the cell's `action` or its `link`.
public enum Selection: Hashable, Sendable {
    /// Selecting the cell performs an action.
    case action(ScreenAction)
    /// Selecting the cell opens the linked screen.
    case link(ScreenLink)

    /// The action, or `nil` for a link.
    @inlinable public var action: ScreenAction? {
        if case .action(let action) = self { action } else { nil }
    }

    /// The link, or `nil` for an action.
    @inlinable public var link: ScreenLink? {
        if case .link(let link) = self { link } else { nil }
    }
}
