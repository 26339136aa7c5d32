/// Is two lists as matching sees them: which cells are the same, and whether they show the same.
///
/// Typed collections and outlines both take this form, and from here on are one. Cells are numbered
/// through all sections of their list.
protocol Comparison {
    var source: Shape { get }
    var target: Shape { get }
    /// Whether it is known that no identifier of a cell occurs twice in a list.
    var areCellsUnique: Bool { get }

    func isSameCell(source: Int, target: Int) -> Bool
    func isSameCell(source: Int, source other: Int) -> Bool
    /// How many cells from these places on are the same, one by one; at most `limit`.
    func commonPrefix(source: Int, target: Int, limit: Int) -> Int
    /// How many cells before these places are the same, one by one, backwards; at most `limit`.
    func commonSuffix(source: Int, target: Int, limit: Int) -> Int
    func cellHash(source: Int) -> UInt64
    func cellHash(target: Int) -> UInt64
    /// The first of `count` pairs from these places on whose contents differ, counted from 0; nil if none.
    func firstChange(source: Int, target: Int, count: Int) -> Int?

    func isSameSection(source: Int, target: Int) -> Bool
    func isSameSection(source: Int, source other: Int) -> Bool
    func sectionHash(source: Int) -> UInt64
    func sectionHash(target: Int) -> UInt64
    func areViewsEqual(source: Int, target: Int) -> Bool
}
