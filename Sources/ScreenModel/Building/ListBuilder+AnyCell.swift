/// Lists of mixed cells take cells of all types without naming `AnyCell`.
extension ListBuilder where Element == AnyCell {
    public static func buildExpression(_ cell: some CellContent) -> [AnyCell] {
        [AnyCell(cell)]
    }

    public static func buildExpression(_ cell: (some CellContent)?) -> [AnyCell] {
        cell.map { [AnyCell($0)] } ?? []
    }

    // A sequence of `AnyCell` fits here as well; it goes where it is not wrapped again.
    @_disfavoredOverload
    public static func buildExpression<Cell: CellContent>(_ cells: some Sequence<Cell>) -> [AnyCell] {
        cells.map { AnyCell($0) }
    }
}
