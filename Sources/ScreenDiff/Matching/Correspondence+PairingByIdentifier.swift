extension Correspondence {
    /// Pairs the cells: neighbours first, what is left by its identifier.
    @inlinable
    mutating func pairCells(_ lists: some ComparedLists) {
        var unpaired = pairNeighbours(lists)
        guard unpaired.count > 0 else { return }
        let paired = source.cellCount - unpaired.source.count
        // To pair few anew costs less than to look whether they may be kept.
        let areKept = paired > 0 && (lists.areCellsUnique || 4 * paired >= unpaired.count)
        if paired > 0 && !areKept { unpaired = unpairAll() } else { unpaired.sortTarget() }
        let isDoubtful = areKept && !lists.areCellsUnique
        let hashes = UnpairedHashes(unpaired, lists)
        let table = lists.pair(unpaired, hashes, remembering: isDoubtful, &targetOfCell, &sourceOfCell)
        if isDoubtful && isRepeated(unpaired, hashes, table, lists) {
            unpaired = unpairAll()
            _ = lists.pair(unpaired, UnpairedHashes(unpaired, lists), remembering: false, &targetOfCell, &sourceOfCell)
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

    /// Takes back all pairs of cells.
    ///
    /// - Returns: all cells.
    @inlinable
    mutating func unpairAll() -> UnpairedCells {
        for section in trims.indices { trims[section] = Trim() }
        for cell in targetOfCell.indices { targetOfCell[cell] = Self.none }
        for cell in sourceOfCell.indices { sourceOfCell[cell] = Self.none }
        changedCells = []
        return UnpairedCells(source: source.cellCount, target: target.cellCount)
    }
}

extension ComparedLists {
    /// Pairs cells by their identifiers, the k-th with the k-th.
    ///
    /// - Parameter remembers: whether the table shall know the others of the target, too.
    @inlinable
    func pair(
        _ unpaired: UnpairedCells, _ hashes: UnpairedHashes, remembering remembers: Bool, _ targetOfCell: inout ContiguousArray<Int32>,
        _ sourceOfCell: inout ContiguousArray<Int32>
    ) -> IdentityTable {
        var table = IdentityTable(capacity: remembers ? unpaired.count : unpaired.source.count)
        table.insert(unpaired.source, hashes: hashes.source) { isSameCell(source: $0, source: $1) }
        var targets = targetOfCell.mutableSpan
        var sources = sourceOfCell.mutableSpan
        table.take(unpaired.target, hashes: hashes.target, remembering: remembers) {
            isSameCell(source: $0, target: $1)
        } found: { source, target in
            targets[Int(source)] = target
            sources[Int(target)] = source
        }
        return table
    }
}
