/// The cells and sections of the source, and which of the target each of them is.
///
/// Matching makes it, from identifiers of any type; staging turns it into stages and needs nothing
/// else. Cells are numbered through all sections. `none` stands for "has no counterpart"; what follows on
/// it is no counterpart, either.
@usableFromInline
struct Correspondence {
    @inlinable static var none: Int32 { .min }

    @usableFromInline let source: CellNumbering
    @usableFromInline let target: CellNumbering
    /// For each section of one side, its counterpart on the other.
    @usableFromInline var targetOfSection: [Int32]
    @usableFromInline var sourceOfSection: [Int32]
    /// For each section of the source that survives, how many cells at its start and end are the
    /// same cells in the same order in its counterpart. They stay where they are, and are not in the
    /// two lists below.
    @usableFromInline var trims: [Trim]
    /// For each cell outside the trims, its counterpart on the other side.
    ///
    /// Contiguous, as only then older systems of Apple's have spans of them.
    @usableFromInline var targetOfCell: ContiguousArray<Int32>
    @usableFromInline var sourceOfCell: ContiguousArray<Int32>
    /// The pairs of cells whose contents differ, in the source's order.
    @usableFromInline var changedCells: [Pair] = []
    /// The surviving sections, as places in the target, whose views differ, ascending.
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

    /// Finds what became of each cell and section.
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
