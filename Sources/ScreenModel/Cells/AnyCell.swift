/// Holds a cell of any type.
///
/// It lets one section mix cells: where a builder makes a list of `AnyCell`, cells of all types
/// are lines of it.
public struct AnyCell: CellVariant {
    public let cell: any CellContent

    public init(_ cell: some CellContent) {
        self.cell = cell
    }

    /// Takes the cell as it is, instead of wrapping it twice.
    public init(_ cell: AnyCell) {
        self = cell
    }
}
