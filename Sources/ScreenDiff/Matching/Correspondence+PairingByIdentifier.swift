extension Correspondence {
    /// Pairs the cells: neighbours first, what is left by its identifier.
    @inlinable
    mutating func pairCells(_ lists: some ComparedLists) {
        let pairCount = pairNeighbours(lists)
        let unpairedCount = source.cellCount + target.cellCount - 2 * pairCount
        guard unpairedCount > 0 else { return }
        // To pair few anew costs less than to look whether they may be kept.
        let areKept = pairCount > 0 && (lists.areCellsUnique || 4 * pairCount >= unpairedCount)
        if pairCount > 0 && !areKept { unpairAll() }
        let isDoubtful = areKept && !lists.areCellsUnique
        var unpaired = unpairedCells(pairCount: areKept ? pairCount : 0)
        let table = lists.pair(unpaired, remembering: isDoubtful, &targetOfCell, &sourceOfCell)
        if isDoubtful && isRepeated(unpaired, table, lists) {
            unpairAll()
            unpaired = unpairedCells(pairCount: 0)
            _ = lists.pair(unpaired, remembering: false, &targetOfCell, &sourceOfCell)
        }
        compareContents(of: unpaired.source, lists)
    }

    /// Whether an identifier that neighbours were paired by occurs among the rest, too: then some that
    /// are not both the k-th may have been paired.
    ///
    /// Few are compared one by one, which costs less than hashing all others. Among many a hash is
    /// looked for; that it may be another identifier's only costs time.
    @inlinable
    func isRepeated(
        _ unpaired: UnpairedCells, _ table: IdentityTable, _ lists: some ComparedLists
    ) -> Bool {
        guard unpaired.count > 8 else {
            return unpaired.anyRunOfOthers(ofSource: source.cellCount) { unpaired.contains(anyOf: $0, lists) }
        }
        return unpaired.anyRunOfOthers(ofSource: source.cellCount) { paired in
            paired.contains { table.mayKnow(lists.cellHash(source: $0)) }
        }
    }

    /// Takes back all pairs of cells.
    @inlinable
    mutating func unpairAll() {
        for section in trims.indices { trims[section] = Trim() }
        for cell in targetOfCell.indices { targetOfCell[cell] = Self.none }
        for cell in sourceOfCell.indices { sourceOfCell[cell] = Self.none }
        changedCells = []
    }
}

extension ComparedLists {
    /// Pairs cells by their identifiers, the k-th with the k-th.
    ///
    /// - Parameter remembers: whether the table shall know the others of the target, too.
    @inlinable
    func pair(
        _ unpaired: UnpairedCells, remembering remembers: Bool, _ targetOfCell: inout ContiguousArray<Int32>,
        _ sourceOfCell: inout ContiguousArray<Int32>
    ) -> IdentityTable {
        var table = IdentityTable(capacity: remembers ? unpaired.count : unpaired.source.count, remembering: remembers)
        table.insert(unpaired.source) { cellHash(source: $0) } isEqual: { isSameCell(source: $0, source: $1) }
        var targets = targetOfCell.mutableSpan
        var sources = sourceOfCell.mutableSpan
        table.take(unpaired.target) {
            cellHash(target: $0)
        } isEqual: {
            isSameCell(source: $0, target: $1)
        } found: { source, target in
            targets[Int(source)] = target
            sources[Int(target)] = source
        }
        return table
    }
}
