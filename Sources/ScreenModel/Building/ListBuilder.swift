/// Collects the lines of a closure into a list of cells or of sections.
///
/// A line is an element, an optional element or any sequence of elements; around the lines stand
/// `if`, `switch`, `for` and `if #available`.
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
