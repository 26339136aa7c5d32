/// A view that is one of several and answers as that one does.
///
/// An enum of headers adopts it with one requirement.
public protocol ViewVariant: ViewContent {
    /// The one that it is; asked for anew with each requirement.
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

/// A cell that is one of several and answers as that one does.
///
/// An enum of cells adopts it with one requirement, so that a list can mix them and still be
/// switched over.
public protocol CellVariant: ViewVariant, CellContent {
    /// The one that it is; asked for anew with each requirement.
    var cell: any CellContent { get }
}

extension CellVariant {
    public var view: any ViewContent { cell }
    public var id: String { cell.id }
}

extension ViewContent {
    /// Whether another view is of the same type, and known to show the same.
    @usableFromInline
    func isKnownEqual(toAny other: any ViewContent) -> Bool {
        func isKnownEqual<Other: ViewContent>(to other: Other) -> Bool {
            // They are one type, which a cast would take ten times as long to find out.
            Other.self == Self.self && self.isKnownEqual(to: unsafeBitCast(other, to: Self.self))
        }
        return isKnownEqual(to: other)
    }
}

/// A header, a footer or a supplementary view of any type.
///
/// It lets one model have several types of them: `header: AnyView(DayHeader(day))`.
public struct AnyView: ViewVariant {
    public let view: any ViewContent

    /// Takes a view that is erased already as it is, instead of wrapping it twice.
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

/// A cell of any type.
///
/// It lets one section mix cells: where a builder makes a list of `AnyCell`, cells of all types
/// are lines of it.
public struct AnyCell: CellVariant {
    public let cell: any CellContent

    /// Takes a cell that is erased already as it is, instead of wrapping it twice.
    @inlinable
    public init(_ cell: some CellContent) {
        self.cell = (cell as? AnyCell)?.cell ?? cell
    }

    public func isKnownEqual(to other: AnyCell) -> Bool {
        cell.isKnownEqual(toAny: other.cell)
    }

    // Without making a view of the cell, which would copy it.
    public func writeMembers(to writer: inout JSONWriter, in frame: Size?) {
        cell.writeMembers(to: &writer, in: frame)
    }
}
