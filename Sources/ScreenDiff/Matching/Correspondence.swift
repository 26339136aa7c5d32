/// The pairs of cells and of sections of two lists. The two members of a pair are counterparts.
///
/// Matching creates a correspondence from identifiers of any type. Staging needs only the correspondence. `targetOfCell` and
/// `targetOfSection` contain the counterpart of each element of the source, or `none`. `sourceOfCell` and `sourceOfSection` contain the
/// counterpart of each element of the target. Cells are numbered consecutively across all sections of a list.
///
/// Cells at the start or at the end of a section are trimmed if they equal the cells at the start or at the end of the section's
/// counterpart. Trimmed cells are paired in order and stay in place. Only their counts are stored. `targetOfCell` and `sourceOfCell`
/// contain `none` for them.
@usableFromInline
struct Correspondence {
    @inlinable static var none: Int32 { .min }

    @usableFromInline let source: CellNumbering
    @usableFromInline let target: CellNumbering
    @usableFromInline var targetOfSection: [Int32]
    @usableFromInline var sourceOfSection: [Int32]
    /// For each section of the source, the counts of trimmed cells at its start and at its end.
    @usableFromInline var trims: [Trim]
    /// The type is `ContiguousArray`, because older Apple systems provide spans only for that type.
    @usableFromInline var targetOfCell: ContiguousArray<Int32>
    @usableFromInline var sourceOfCell: ContiguousArray<Int32>
    /// The pairs of cells with different contents, in the order of the source.
    @usableFromInline var changedCells: [Pair] = []
    /// The sections with different headers, footers or supplementary views, as indices in the target, in ascending order.
    @usableFromInline var changedSections: [Int] = []

    @usableFromInline
    struct Trim {
        @usableFromInline var prefix = 0
        @usableFromInline var suffix = 0

        @inlinable
        init(prefix: Int = 0, suffix: Int = 0) {
            self.prefix = prefix
            self.suffix = suffix
        }
    }

    @usableFromInline
    struct Pair {
        @usableFromInline var source: Int
        @usableFromInline var target: Int

        @inlinable
        init(source: Int, target: Int) {
            self.source = source
            self.target = target
        }
    }

    @inlinable
    init(_ lists: some ComparedLists) {
        source = lists.source
        target = lists.target
        targetOfSection = Array(repeating: Self.none, count: source.sectionCount)
        sourceOfSection = Array(repeating: Self.none, count: target.sectionCount)
        targetOfCell = ContiguousArray(repeating: Self.none, count: source.cellCount)
        sourceOfCell = ContiguousArray(repeating: Self.none, count: target.cellCount)
        trims = Array(repeating: Trim(), count: source.sectionCount)
        pairSections(lists)
        pairCells(lists)
        compareViews(lists)
    }

    @inlinable
    func untrimmedCells(ofSource section: Int) -> Range<Int> {
        let cells = source.cells(of: section)
        return cells.lowerBound + trims[section].prefix..<cells.upperBound - trims[section].suffix
    }

    @inlinable
    func untrimmedCells(ofTarget section: Int) -> Range<Int> {
        let cells = target.cells(of: section)
        guard sourceOfSection[section] != Self.none else { return cells }
        let trim = trims[Int(sourceOfSection[section])]
        return cells.lowerBound + trim.prefix..<cells.upperBound - trim.suffix
    }

    @inlinable
    mutating func pairSections(_ lists: some ComparedLists) {
        var table = IdentityTable(capacity: source.sectionCount)
        let old = targetOfSection.indices.map { Int32(truncatingIfNeeded: $0) }
        let new = sourceOfSection.indices.map { Int32(truncatingIfNeeded: $0) }
        table.insert(old, hash: lists.sectionHash(source:)) { lists.isSameSection(source: $0, source: $1) }
        table.take(new, hash: lists.sectionHash(target:)) {
            lists.isSameSection(source: $0, target: $1)
        } found: { source, target in
            targetOfSection[Int(source)] = target
            sourceOfSection[Int(target)] = source
        }
    }
}
