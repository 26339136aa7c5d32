/// A view that is one of several and answers as that one does.
///
/// An enum of headers adopts it with one requirement.
public protocol ViewVariant: ViewContent {
    /// The one that it is; asked for anew with each requirement.
    var view: any ViewContent { get }
}

extension ViewVariant {
    public var reuseIdentifier: String { view.reuseIdentifier }
    public var selection: Selection? { view.selection }
    public var actions: [OfferedAction] { view.actions }

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
}
