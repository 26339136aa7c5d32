extension Correspondence {
    /// Pairs the cells of both lists. First compares neighbouring cells, and then pairs the remaining cells by identifier.
    @inlinable
    mutating func pairCells(_ lists: some ComparedLists) {
        let pairCount = pairNeighbours(lists)
        let unpairedCount = source.cellCount + target.cellCount - 2 * pairCount
        guard unpairedCount > 0 else { return }
        // Pairing a few cells again costs less than checking whether their pairs are valid.
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

    /// Returns a Boolean value that indicates whether a cell that was paired by comparing neighbours has the same identifier as
    /// an unpaired cell. If so, the pairs may break a rule: the k-th occurrence of an identifier in the source must be paired
    /// with its k-th occurrence in the target.
    ///
    /// If few cells are unpaired, the paired cells are compared with them one by one, which costs less than hashing all paired
    /// cells. If many cells are unpaired, each paired cell is looked up among them by its hash. A hash collision can only cause
    /// a false positive, which costs time.
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

    /// Removes all pairs of cells.
    @inlinable
    mutating func unpairAll() {
        for section in trims.indices { trims[section] = Trim() }
        for cell in targetOfCell.indices { targetOfCell[cell] = Self.none }
        for cell in sourceOfCell.indices { sourceOfCell[cell] = Self.none }
        changedCells = []
    }
}

extension ComparedLists {
    /// Pairs cells by identifier. The k-th occurrence of an identifier in the source is paired with its k-th occurrence in the
    /// target.
    ///
    /// - Parameter remembers: a Boolean value that indicates whether the table also stores identifiers that occur only in the
    ///   target.
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
