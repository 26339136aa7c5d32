/// A result builder for lists of cells or sections. An expression is an element, an optional element or a sequence of elements.
@resultBuilder
public enum ListBuilder<Element> {
    @inlinable
    public static func buildExpression(_ element: Element) -> [Element] {
        [element]
    }

    @inlinable
    public static func buildExpression(_ element: Element?) -> [Element] {
        element.map { [$0] } ?? []
    }

    @inlinable
    public static func buildExpression(_ elements: some Sequence<Element>) -> [Element] {
        Array(elements)
    }

    @inlinable
    public static func buildBlock() -> [Element] {
        []
    }

    @inlinable
    public static func buildPartialBlock(first: [Element]) -> [Element] {
        first
    }

    @inlinable
    public static func buildPartialBlock(
        accumulated: consuming [Element], next: [Element]
    ) -> [Element] {
        accumulated += next
        return accumulated
    }

    @inlinable
    public static func buildOptional(_ part: [Element]?) -> [Element] {
        part ?? []
    }

    @inlinable
    public static func buildEither(first: [Element]) -> [Element] {
        first
    }

    @inlinable
    public static func buildEither(second: [Element]) -> [Element] {
        second
    }

    @inlinable
    public static func buildArray(_ parts: [[Element]]) -> [Element] {
        parts.flatMap(\.self)
    }

    @inlinable
    public static func buildLimitedAvailability(_ part: [Element]) -> [Element] {
        part
    }
}

extension ListBuilder {
    @inlinable
    static func list<Entity>(
        over entities: some Sequence<Entity>, _ elements: (Entity) throws -> [Element]
    ) rethrows -> [Element] {
        var list: [Element] = []
        list.reserveCapacity(entities.underestimatedCount)
        for entity in entities { list += try elements(entity) }
        return list
    }
}

/// Wraps cells of every type in a list of `AnyCell`.
extension ListBuilder where Element == AnyCell {
    @inlinable
    public static func buildExpression(_ cell: some CellContent) -> [AnyCell] {
        [AnyCell(cell)]
    }

    @inlinable
    public static func buildExpression(_ cell: (some CellContent)?) -> [AnyCell] {
        cell.map { [AnyCell($0)] } ?? []
    }

    // This overload is disfavored, so that a sequence of `AnyCell` is not wrapped twice.
    @_disfavoredOverload @inlinable
    public static func buildExpression<Cell: CellContent>(_ cells: some Sequence<Cell>) -> [AnyCell] {
        cells.map { AnyCell($0) }
    }
}
