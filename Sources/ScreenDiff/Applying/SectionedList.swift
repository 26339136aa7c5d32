/// Is a list in sections that stages are played on.
///
/// `Section` stands for all that a section is but its cells. What a stage inserts or updates is read
/// from the list that the changeset leads to, at the places that the stage names, and from nowhere else.
public struct SectionedList<Section, Cell> {
    public var sections: [Section]
    /// The cells of each section.
    public var cells: [[Cell]]

    /// - Precondition: there are cells (maybe none) for each section.
    public init(sections: [Section], cells: [[Cell]]) {
        precondition(sections.count == cells.count, "each section has its cells")
        self.sections = sections
        self.cells = cells
    }

    /// Plays one stage, as a table or a collection view would.
    ///
    /// - Throws: why the stage does not fit this list; the list is then as it was.
    public mutating func apply(_ stage: Stage, from target: SectionedList) throws(StageMisfit) {
        var result = self
        try result.updateCells(stage.updateCells, target)
        try result.changeCells(stage, target)
        try result.changeSections(stage, target)
        try result.updateSections(stage.updateSections, target)
        self = result
    }

    private mutating func updateCells(_ updates: [CellUpdate], _ target: SectionedList) throws(StageMisfit) {
        for update in updates {
            guard contains(update.place) else { throw .noSuchCell(update.place) }
            guard target.contains(update.target) else { throw .noSuchContent(update.target) }
            cells[update.place.section][update.place.item] = target.cells[update.target.section][update.target.item]
        }
    }

    private mutating func changeCells(_ stage: Stage, _ target: SectionedList) throws(StageMisfit) {
        var change = CellChange<Cell>(sectionCount: sections.count)
        for run in stage.deleteCells { try change.remove(run, from: self) }
        for move in stage.moveCells {
            let run = CellRun(place: move.source, count: move.count)
            try change.remove(run, from: self)
            try change.put(cells[move.source.section][move.source.item..<move.source.item + move.count], at: move.destination)
        }
        for insert in stage.insertCells {
            let place = CellPlace(section: insert.targetSection, item: insert.run.place.item)
            let last = CellPlace(section: place.section, item: place.item + insert.run.count - 1)
            guard target.contains(place), target.contains(last) else { throw .noSuchContent(place) }
            try change.put(target.cells[place.section][place.item...last.item], at: insert.run.place)
        }
        try change.perform(on: &cells)
    }

    private mutating func changeSections(_ stage: Stage, _ target: SectionedList) throws(StageMisfit) {
        guard !(stage.insertSections.isEmpty && stage.deleteSections.isEmpty && stage.moveSections.isEmpty) else { return }
        typealias Whole = (section: Section, cells: [Cell])
        var all: [[Whole]] = [zip(sections, cells).map { ($0, $1) }]
        var change = CellChange<Whole>(sectionCount: 1)
        let whole = SectionedList<Void, Whole>(sections: [()], cells: all)
        for section in stage.deleteSections + stage.moveSections.map(\.source) {
            try change.remove(CellRun(place: CellPlace(section: 0, item: section), count: 1), from: whole)
        }
        for move in stage.moveSections {
            try change.put([all[0][move.source]], at: CellPlace(section: 0, item: move.destination))
        }
        for insert in stage.insertSections {
            guard target.sections.indices.contains(insert.target) else { throw .noSuchContentSection(insert.target) }
            let newCells = insert.newItems.flatMap { target.cells[insert.target][$0] }
            try change.put([(target.sections[insert.target], newCells)], at: CellPlace(section: 0, item: insert.place))
        }
        try change.perform(on: &all)
        sections = all[0].map(\.section)
        cells = all[0].map(\.cells)
    }

    private mutating func updateSections(_ updates: [Int], _ target: SectionedList) throws(StageMisfit) {
        for section in updates {
            guard sections.indices.contains(section) else { throw .noSuchSection(section) }
            guard target.sections.indices.contains(section) else { throw .noSuchContentSection(section) }
            sections[section] = target.sections[section]
        }
    }

    func contains(_ place: CellPlace) -> Bool {
        sections.indices.contains(place.section) && cells[place.section].indices.contains(place.item)
    }
}

/// Says why a stage does not fit the list that it is played on.
public enum StageMisfit: Error, Hashable {
    case noSuchCell(CellPlace)
    case noSuchSection(Int)
    /// A cell is deleted or moved twice.
    case removedTwice(CellPlace)
    /// Two cells are put at one place.
    case putTwice(CellPlace)
    /// A cell is put behind the end of what its section then has.
    case gapBefore(CellPlace)
    /// The target has no such content to insert or to update with.
    case noSuchContent(CellPlace)
    case noSuchContentSection(Int)
}
