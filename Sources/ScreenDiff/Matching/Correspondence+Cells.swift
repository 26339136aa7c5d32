extension Correspondence {
    /// Pairs the cells: neighbours first, what is left by its identifier.
    mutating func pairCells(_ lists: some Comparison) {
        let unpaired = pairNeighbours(lists)
        if lists.areCellsUnique {
            pairRest(unpaired, lists)
        } else if !(unpaired.source.isEmpty && unpaired.target.isEmpty && areSectionsInOrder) {
            pairRestOrAll(unpaired, lists)
        }
    }

    private mutating func pairRest(_ unpaired: Unpaired, _ lists: some Comparison) {
        guard !unpaired.source.isEmpty && !unpaired.target.isEmpty else { return }
        var table = IdentityTable(capacity: unpaired.source.count, positionCount: source.cellCount)
        for cell in unpaired.source.reversed() { table.insert(Int(cell), lists) }
        for cell in unpaired.target {
            if let found = table.take(Int(cell), lists) { pairCell(source: found, target: Int(cell)) }
        }
    }

    /// Pairs the rest, unless it turns out that an identifier occurs twice in a list: then neighbours
    /// may have been paired that are not both the k-th, and all pairs are made anew.
    private mutating func pairRestOrAll(_ unpaired: Unpaired, _ lists: some Comparison) {
        var table = IdentityTable(capacity: source.cellCount, positionCount: source.cellCount)
        for cell in targetOfCell.indices.reversed() { table.insert(cell, lists) }
        var hasDuplicates = table.hasDuplicates
        var found: [Pair] = []
        for cell in unpaired.target where !hasDuplicates {
            guard let old = table.take(Int(cell), lists) else { continue }
            found.append(Pair(source: old, target: Int(cell)))
        }
        // A source cell that is paired with a neighbour already has an equal second in the target. So
        // has one that is asked for twice, but then `take` gave it to the first, as it must be.
        hasDuplicates = hasDuplicates || found.contains { isPaired(source: $0.source) }
        if hasDuplicates { pairAll(lists) } else { for pair in found { pairCell(source: pair.source, target: pair.target) } }
    }

    /// Pairs all cells by their identifiers, the k-th with the k-th.
    private mutating func pairAll(_ lists: some Comparison) {
        for section in trims.indices { trims[section] = Trim() }
        for cell in targetOfCell.indices { targetOfCell[cell] = Self.none }
        for cell in sourceOfCell.indices { sourceOfCell[cell] = Self.none }
        var table = IdentityTable(capacity: source.cellCount, positionCount: source.cellCount)
        for cell in targetOfCell.indices.reversed() { table.insert(cell, lists) }
        for cell in sourceOfCell.indices {
            if let found = table.take(cell, lists) { pairCell(source: found, target: cell) }
        }
    }

    /// Whether neighbours were paired, be it in a trim.
    private func isPaired(source cell: Int) -> Bool {
        if targetOfCell[cell] != Self.none { return true }
        let section = source.section(of: cell)
        return !untrimmedCells(ofSource: section).contains(cell)
    }

    private var areSectionsInOrder: Bool {
        var last = Self.none
        for target in targetOfSection where target != Self.none {
            if target < last { return false }
            last = target
        }
        return true
    }
}

extension IdentityTable {
    fileprivate mutating func insert(_ cell: Int, _ lists: some Comparison) {
        insert(cell, hash: lists.cellHash(source: cell)) { lists.isSameCell(source: cell, source: $0) }
    }

    fileprivate mutating func take(_ cell: Int, _ lists: some Comparison) -> Int? {
        take(hash: lists.cellHash(target: cell)) { lists.isSameCell(source: $0, target: cell) }
    }
}
