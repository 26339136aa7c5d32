extension Correspondence {
    /// Pairs the cells of both lists. The k-th occurrence of an identifier in the source is paired with its k-th occurrence in the target.
    ///
    /// First, `pairNeighbours` pairs most cells without hashing them. Then all unpaired cells are paired by identifier. If any of these
    /// cells has the same identifier as a cell that `pairNeighbours` has paired, the pairs may break the rule that the k-th occurrences of
    /// an identifier are paired. In this case, all pairs are removed, and all cells are paired by identifier.
    @inlinable
    mutating func pairCells(_ lists: some ComparedLists) {
        let pairCount = pairNeighbours(lists)
        let unpairedCount = source.cellCount + target.cellCount - 2 * pairCount
        guard unpairedCount > 0 else { return }
        // If `pairNeighbours` has paired only a few cells, pairing them again costs less than checking their pairs.
        let arePairsKept = pairCount > 0 && (lists.areCellsUnique || 4 * pairCount >= unpairedCount)
        if pairCount > 0 && !arePairsKept { unpairAll() }
        let isDoubtful = arePairsKept && !lists.areCellsUnique
        var unpaired = unpairedCells(pairCount: arePairsKept ? pairCount : 0)
        let table = lists.pair(unpaired, remembering: isDoubtful, &targetOfCell, &sourceOfCell)
        if isDoubtful && isRepeated(unpaired, table, lists) {
            unpairAll()
            unpaired = unpairedCells(pairCount: 0)
            _ = lists.pair(unpaired, remembering: false, &targetOfCell, &sourceOfCell)
        }
        compareContents(of: unpaired.source, lists)
    }

    /// Returns a Boolean value that indicates whether an unpaired cell has the same identifier as a cell that `pairNeighbours` has paired.
    /// A false positive is possible if hashes collide, and only costs time.
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

    @inlinable
    mutating func unpairAll() {
        for section in trims.indices { trims[section] = Trim() }
        for cell in targetOfCell.indices { targetOfCell[cell] = Self.none }
        for cell in sourceOfCell.indices { sourceOfCell[cell] = Self.none }
        changedCells = []
    }
}

extension ComparedLists {
    /// Pairs cells by identifier, and returns the table for the look-ups of `isRepeated`.
    @inlinable
    func pair(
        _ unpaired: UnpairedCells, remembering remembers: Bool, _ targetOfCell: inout ContiguousArray<Int32>,
        _ sourceOfCell: inout ContiguousArray<Int32>
    ) -> IdentityTable {
        var table = IdentityTable(capacity: remembers ? unpaired.count : unpaired.source.count, remembering: remembers)
        table.insert(unpaired.source) {
            cellHash(source: $0)
        } isEqual: {
            isSameCell(source: $0, source: $1)
        }
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
