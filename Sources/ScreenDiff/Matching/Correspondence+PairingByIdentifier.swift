extension Correspondence {
    /// Pairs the cells: neighbours first, what is left by its identifier.
    @inlinable
    mutating func pairCells(_ lists: some ComparedLists) {
        let unpaired = pairNeighbours(lists)
        guard unpaired.count > 0 else { return }
        let hashes = UnpairedHashes(unpaired, lists)
        let table = pairRest(unpaired, hashes, lists)
        if !lists.areCellsUnique && isRepeated(unpaired, hashes, table, lists) {
            pairAll(lists)
        } else {
            compareContents(of: unpaired.source, lists)
        }
    }

    @inlinable
    mutating func pairRest(_ unpaired: UnpairedCells, _ hashes: UnpairedHashes, _ lists: some ComparedLists) -> IdentityTable {
        var table = IdentityTable(capacity: unpaired.count, positionCount: source.cellCount)
        for (cell, hash) in zip(unpaired.source.reversed(), hashes.source.reversed()) {
            table.insert(Int(cell), hash: hash) { lists.isSameCell(source: Int(cell), source: $0) }
        }
        for (cell, hash) in zip(unpaired.target, hashes.target) {
            let found = table.take(hash: hash) { lists.isSameCell(source: $0, target: Int(cell)) }
            if let found {
                targetOfCell[found] = cell
                sourceOfCell[Int(cell)] = Int32(truncatingIfNeeded: found)
            } else if !lists.areCellsUnique {
                table.remember(hash)
            }
        }
        return table
    }

    /// Whether an identifier that neighbours were paired by occurs among the rest, too: then some that
    /// are not both the k-th may have been paired.
    ///
    /// Few are compared one by one, which costs less than hashing all others. Among many a hash is
    /// looked for; that it may be another identifier's only costs time.
    @inlinable
    func isRepeated(
        _ unpaired: UnpairedCells, _ hashes: UnpairedHashes, _ table: IdentityTable, _ lists: some ComparedLists
    ) -> Bool {
        guard unpaired.count > 8 else {
            return unpaired.anyRunOfOthers(ofSource: source.cellCount) { unpaired.contains(anyOf: $0, lists) }
        }
        let filter = HashFilter(hashes)
        return unpaired.anyRunOfOthers(ofSource: source.cellCount) { paired in
            paired.contains { cell in
                let hash = lists.cellHash(source: cell)
                return filter.mayContain(hash) && table.mayKnow(hash)
            }
        }
    }

    /// Pairs all cells by their identifiers, the k-th with the k-th.
    @inlinable
    mutating func pairAll(_ lists: some ComparedLists) {
        for section in trims.indices { trims[section] = Trim() }
        for cell in targetOfCell.indices { targetOfCell[cell] = Self.none }
        for cell in sourceOfCell.indices { sourceOfCell[cell] = Self.none }
        changedCells = []
        var all = UnpairedCells()
        all.append(source: 0..<source.cellCount)
        all.append(target: 0..<target.cellCount)
        _ = pairRest(all, UnpairedHashes(all, lists), lists)
        compareContents(of: all.source, lists)
    }
}
