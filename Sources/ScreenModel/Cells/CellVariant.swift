/// A type that wraps one of several views and forwards to it.
///
/// For example, each case of an enum contains a header of a different type. The enum returns the header of its current case:
///
///     var view: any ViewContent {
///         switch self {
///         case .day(let header): header
///         case .contract(let header): header
///         }
///     }
public protocol ViewVariant: ViewContent {
    /// The wrapped view. It is read for each forwarded property or method, so reading it should be fast.
    var view: any ViewContent { get }
}

extension ViewVariant {
    public static var variants: [any ViewContent.Type]? { nil }

    public var reuseIdentifier: String { view.reuseIdentifier }
    public var selection: Selection? { view.selection }
    public var actions: [OfferedAction] { view.actions }
    public var fallback: Fallback? { view.fallback }

    public func size(in frame: Size?) -> Size? {
        view.size(in: frame)
    }

    public static func fields(_ field: inout some FieldVisitor<Self>) {
        field.dynamic { variant, writer in variant.view.writeFields(to: &writer) }
    }
}

/// A type that wraps one of several cells and forwards to it.
///
/// For example, an enum whose cases contain cells of different types can be the cell type of a section that mixes these cells.
public protocol CellVariant: ViewVariant, CellContent {
    /// The wrapped cell. It is read for each forwarded property or method, so reading it should be fast.
    var cell: any CellContent { get }
}

extension CellVariant {
    public var view: any ViewContent { cell }
    public var id: String { cell.id }
}

extension ViewContent {
    /// Returns a Boolean value that indicates whether `other` has the same type and is known to be equal.
    @usableFromInline
    func isKnownEqual(toAny other: any ViewContent) -> Bool {
        func isKnownEqual<Other: ViewContent>(to other: Other) -> Bool {
            // The types are equal, so the bit cast is valid. `as?` takes ten times as long.
            Other.self == Self.self && self.isKnownEqual(to: unsafeBitCast(other, to: Self.self))
        }
        return isKnownEqual(to: other)
    }
}

/// A type-erased header, footer or supplementary view, such as `header: AnyView(DayHeader(day))`.
public struct AnyView: ViewVariant {
    public let view: any ViewContent

    /// Creates a type-erased view. If `view` is an `AnyView`, the view inside it is wrapped instead.
    @inlinable
    public init(_ view: some ViewContent) {
        self.view = (view as? AnyView)?.view ?? view
    }

    public func isKnownEqual(to other: AnyView) -> Bool {
        view.isKnownEqual(toAny: other.view)
    }

    public func writeMembers(to writer: inout JSONWriter, in frame: Size?) {
        view.writeMembers(to: &writer, in: frame)
    }
}

/// A type-erased cell. A section of `AnyCell` can mix cells of different types, and its ``ListBuilder`` wraps them.
public struct AnyCell: CellVariant {
    public let cell: any CellContent

    /// Creates a type-erased cell. If `cell` is an `AnyCell`, the cell inside it is wrapped instead.
    @inlinable
    public init(_ cell: some CellContent) {
        self.cell = (cell as? AnyCell)?.cell ?? cell
    }

    public func isKnownEqual(to other: AnyCell) -> Bool {
        cell.isKnownEqual(toAny: other.cell)
    }

    // The default implementation would read `view`, which copies the existential.
    public func writeMembers(to writer: inout JSONWriter, in frame: Size?) {
        cell.writeMembers(to: &writer, in: frame)
    }
}
