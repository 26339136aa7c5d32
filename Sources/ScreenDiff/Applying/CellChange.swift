/// Collects what leaves and what comes in a stage, and performs it on all sections at once.
struct CellChange<Cell> {
    private var removed: [Set<Int>]
    private var put: [[Int: Cell]]

    init(sectionCount: Int) {
        removed = Array(repeating: [], count: sectionCount)
        put = Array(repeating: [:], count: sectionCount)
    }

    mutating func remove<Section>(_ run: CellRun, from list: SectionedList<Section, Cell>) throws(StageMisfit) {
        for item in run.place.item..<run.place.item + run.count {
            let place = CellPlace(section: run.place.section, item: item)
            guard list.contains(place) else { throw .noSuchCell(place) }
            guard removed[place.section].insert(item).inserted else { throw .removedTwice(place) }
        }
    }

    mutating func put(_ cells: some Collection<Cell>, at first: CellPlace) throws(StageMisfit) {
        guard put.indices.contains(first.section) else { throw .noSuchSection(first.section) }
        for (offset, cell) in cells.enumerated() {
            let item = first.item + offset
            guard put[first.section].updateValue(cell, forKey: item) == nil else {
                throw .putTwice(CellPlace(section: first.section, item: item))
            }
        }
    }

    func perform(on sections: inout [[Cell]]) throws(StageMisfit) {
        for section in sections.indices where !(removed[section].isEmpty && put[section].isEmpty) {
            sections[section] = try changed(sections[section], section)
        }
    }

    private func changed(_ cells: [Cell], _ section: Int) throws(StageMisfit) -> [Cell] {
        var staying = cells.indices.lazy.filter { !removed[section].contains($0) }.makeIterator()
        let count = cells.count - removed[section].count + put[section].count
        var result: [Cell] = []
        result.reserveCapacity(count)
        for item in 0..<count {
            if let cell = put[section][item] {
                result.append(cell)
            } else if let index = staying.next() {
                result.append(cells[index])
            }
        }
        if result.count != count || staying.next() != nil { throw misplaced(count, section) }
        return result
    }

    /// The counts always add up, so if something is missing, something else lies outside.
    private func misplaced(_ count: Int, _ section: Int) -> StageMisfit {
        let item = put[section].keys.filter { $0 < 0 || $0 >= count }.min() ?? count
        return .gapBefore(CellPlace(section: section, item: item))
    }
}
