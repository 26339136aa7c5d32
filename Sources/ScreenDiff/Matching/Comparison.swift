/// Is two lists as matching sees them: which cells are the same, and whether they show the same.
///
/// Typed collections and outlines both take this form. Matching is inlinable and so specialised for the
/// types that it compares; from staging on, all are one. Cells are numbered through all sections of
/// their list.
@usableFromInline
protocol Comparison {
    var source: Shape { get }
    var target: Shape { get }
    /// Whether it is known that no identifier of a cell occurs twice in a list.
    var areCellsUnique: Bool { get }

    func isSameCell(source: Int, target: Int) -> Bool
    func isSameCell(source: Int, source other: Int) -> Bool
    func cellHash(source: Int) -> UInt64
    func cellHash(target: Int) -> UInt64
    /// The first of `count` pairs, within a section on either side, whose contents differ, counted from
    /// 0; nil if none.
    func firstChange(source: CellPlace, target: CellPlace, count: Int) -> Int?

    func isSameSection(source: Int, target: Int) -> Bool
    func isSameSection(source: Int, source other: Int) -> Bool
    func sectionHash(source: Int) -> UInt64
    func sectionHash(target: Int) -> UInt64
    func areViewsEqual(source: Int, target: Int) -> Bool
}

extension Comparison {
    /// How many cells from these places on are the same, one by one; at most `limit`.
    @inlinable
    func commonPrefix(source: Int, target: Int, limit: Int) -> Int {
        var length = 0
        while length < limit, isSameCell(source: source + length, target: target + length) { length += 1 }
        return length
    }

    /// How many cells before these places are the same, one by one, backwards; at most `limit`.
    @inlinable
    func commonSuffix(source: Int, target: Int, limit: Int) -> Int {
        var length = 0
        while length < limit, isSameCell(source: source - 1 - length, target: target - 1 - length) { length += 1 }
        return length
    }
}
