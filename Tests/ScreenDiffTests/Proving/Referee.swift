import ScreenDiff
import ScreenModel
import TestModels

/// Performs stages as a table or collection view does, and throws an error if such a view would throw one.
///
/// The referee implements the rules of the protocol, and shares no code with the differ. It uses outlines, because stages have no content.
/// For each stage, it removes elements at their places in the list before the stage, and inserts elements at their places in the list after
/// the stage. The remaining elements fill the free places in order. One referee checks many pairs, and reuses its memory.
struct Referee {
    private(set) var moveCount = 0
    private(set) var moveRunCount = 0
    private(set) var sectionMoveCount = 0
    private var list = List(sections: [], cells: [])
    private var next = List(sections: [], cells: [])
    private var deleted: [UInt64] = []
    private var inserted: [UInt64] = []
    private var deletedSections: [UInt64] = []
    private var insertedSections: [UInt64] = []
    /// A Boolean value for each cell, or for each section, of the list to which a stage is applied. It is true if an operation of the stage
    /// refers to this cell or section.
    private var isNamed: [Bool] = []
    /// For each place in the list after a stage, the cell that an operation puts there, or `nil` if no operation puts a cell there.
    private var cellArrivals: [Outline.Cell?] = []
    /// For each index in the list after a stage, the section that an operation puts there, or `nil` if no operation puts a section there. A
    /// moved section is stored as its index before the stage. An inserted section is stored as the bitwise complement of its index in the
    /// inserts of the stage.
    private var sectionArrivals: [Int?] = []

    struct Violation: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// The sections and cells of an outline. The cell counts of the sections may be wrong during a stage.
    fileprivate struct List: Equatable {
        var sections: [Outline.Section]
        var cells: [Outline.Cell]
    }

    static func judge(_ stages: [Stage], from source: TestModel, to target: TestModel) throws -> Referee {
        var referee = Referee()
        try referee.judge(stages, from: source.outline, to: target.outline)
        return referee
    }

    /// Performs all stages, and checks rules 1 to 6.
    mutating func judge(_ stages: [Stage], from source: Outline, to target: Outline) throws {
        begin(with: source)
        let target = List(sections: target.sections, cells: target.cells)
        try checkOrder(stages)
        for stage in stages { try play(stage, target) }
        guard list == target else { throw Violation("rule 5: \(list) is not the target \(target)") }
        try checkSurvivors()
    }

    /// Returns one list for each stage: the list after this stage.
    static func lists(after stages: [Stage], from source: Outline, to target: Outline) throws -> [Outline] {
        var referee = Referee()
        referee.begin(with: source)
        let target = List(sections: target.sections, cells: target.cells)
        return try stages.map { stage in
            try referee.play(stage, target)
            return Outline(sections: referee.list.sections, cells: referee.list.cells)
        }
    }

    private mutating func begin(with source: Outline) {
        (moveCount, moveRunCount, sectionMoveCount) = (0, 0, 0)
        list.sections.refill(with: source.sections)
        list.cells.refill(with: source.cells)
        deleted.removeAll(keepingCapacity: true)
        inserted.removeAll(keepingCapacity: true)
        deletedSections.removeAll(keepingCapacity: true)
        insertedSections.removeAll(keepingCapacity: true)
    }

    /// Checks that the stages follow rules 2 and 3.
    private func checkOrder(_ stages: [Stage]) throws {
        var last = -1
        for stage in stages {
            var kinds = 0
            if !stage.updateCells.isEmpty { kinds |= 1 }
            if !stage.insertSections.isEmpty { kinds |= 2 }
            if !(stage.deleteCells.isEmpty && stage.insertCells.isEmpty && stage.moveCells.isEmpty) { kinds |= 4 }
            if !(stage.deleteSections.isEmpty && stage.moveSections.isEmpty) { kinds |= 8 }
            if !stage.updateSections.isEmpty { kinds |= 16 }
            guard kinds.nonzeroBitCount == 1 else { throw Violation("rule 2: a stage of kinds \(String(kinds, radix: 2))") }
            let kind = kinds.trailingZeroBitCount
            guard kind > last else { throw Violation("rule 2: a stage of kind \(kind) after one of kind \(last)") }
            last = kind
        }
    }

    private mutating func play(_ stage: Stage, _ target: List) throws {
        try updateCells(stage.updateCells, target)
        if !(stage.deleteCells.isEmpty && stage.moveCells.isEmpty && stage.insertCells.isEmpty) {
            try changeCells(stage, target)
        }
        if !(stage.deleteSections.isEmpty && stage.moveSections.isEmpty && stage.insertSections.isEmpty) {
            try changeSections(stage, target)
        }
        for section in stage.updateSections {
            guard list.sections.indices.contains(section), target.sections.indices.contains(section) else {
                throw Violation("rule 1: update of section \(section)")
            }
            let views = target.sections[section].views
            guard list.sections[section].views != views else { throw Violation("rule 4: section \(section) has these views already") }
            list.sections[section].views = views
        }
    }

    private mutating func updateCells(_ updates: [CellUpdate], _ target: List) throws {
        guard !updates.isEmpty else { return }
        isNamed.refill(with: repeatElement(false, count: list.cells.count))
        for update in updates {
            let number = try name(update.place, "an update")
            let new = target.cells[try target.number(of: update.target)]
            let old = list.cells[number]
            guard old.id == new.id else { throw Violation("update of \(old) with another cell \(new)") }
            guard old.content != new.content else { throw Violation("rule 4: \(old) is the same already") }
            list.cells[number] = new
        }
    }

    /// Checks rule 6: no element is both deleted and inserted.
    private func checkSurvivors() throws {
        if let cell = inserted.first(where: deleted.contains) { throw Violation("rule 6: cell \(cell) is deleted and inserted") }
        if let section = insertedSections.first(where: deletedSections.contains) {
            throw Violation("rule 6: section \(section) is deleted and inserted")
        }
    }

    /// Returns the index of the cell at a place, and records that an operation refers to the cell. Throws an error if an earlier operation
    /// refers to the same cell.
    private mutating func name(_ place: CellPlace, _ role: String) throws -> Int {
        let number = try list.number(of: place)
        guard !isNamed[number] else { throw Violation("rule 1: a cell is \(role) twice") }
        isNamed[number] = true
        return number
    }
}

extension Referee {
    private mutating func changeCells(_ stage: Stage, _ target: List) throws {
        isNamed.refill(with: repeatElement(false, count: list.cells.count))
        next.sections.refill(with: list.sections)
        for run in stage.deleteCells {
            for place in run.place.following(run.count) { deleted.append(list.cells[try leave(place)].id) }
        }
        for move in stage.moveCells {
            for place in move.source.following(move.count) { _ = try leave(place) }
        }
        try makeRoom(for: stage)
        for move in stage.moveCells {
            let start = try list.number(of: move.source)
            for (offset, place) in move.destination.following(move.count).enumerated() {
                try arrive(list.cells[start + offset], at: place)
            }
            moveCount += move.count
        }
        moveRunCount += stage.moveCells.count
        for insert in stage.insertCells {
            for place in insert.run.place.following(insert.run.count) {
                let new = target.cells[try target.number(of: CellPlace(section: insert.targetSection, item: place.item))]
                inserted.append(new.id)
                try arrive(new, at: place)
            }
        }
        fillGaps()
    }

    private mutating func leave(_ place: CellPlace) throws -> Int {
        let number = try name(place, "a source")
        next.sections[place.section].cellCount -= 1
        return number
    }

    private mutating func makeRoom(for stage: Stage) throws {
        for move in stage.moveCells { try makeRoom(for: move.count, in: move.destination.section) }
        for insert in stage.insertCells { try makeRoom(for: insert.run.count, in: insert.run.place.section) }
        let count = next.sections.reduce(0) { $0 + $1.cellCount }
        cellArrivals.refill(with: repeatElement(nil, count: count))
    }

    private mutating func makeRoom(for count: Int, in section: Int) throws {
        guard next.sections.indices.contains(section) else { throw Violation("rule 1: no section \(section)") }
        next.sections[section].cellCount += count
    }

    private mutating func arrive(_ cell: Outline.Cell, at place: CellPlace) throws {
        let number = try next.number(of: place)
        guard cellArrivals[number] == nil else { throw Violation("rule 1: a cell is a target twice") }
        cellArrivals[number] = cell
    }

    private mutating func fillGaps() {
        next.cells.removeAll(keepingCapacity: true)
        var (start, nextStart) = (0, 0)
        for section in list.sections.indices {
            var old = start
            for number in nextStart..<nextStart + next.sections[section].cellCount {
                if let arrival = cellArrivals[number] {
                    next.cells.append(arrival)
                } else {
                    while isNamed[old] { old += 1 }
                    next.cells.append(list.cells[old])
                    old += 1
                }
            }
            start += list.sections[section].cellCount
            nextStart += next.sections[section].cellCount
        }
        swap(&list, &next)
    }
}

extension Referee {
    private mutating func changeSections(_ stage: Stage, _ target: List) throws {
        isNamed.refill(with: repeatElement(false, count: list.sections.count))
        for section in stage.deleteSections {
            try leave(section)
            deleted.append(contentsOf: list.cells[list.cellNumbers(of: section)].lazy.map(\.id))
            deletedSections.append(list.sections[section].id)
        }
        for move in stage.moveSections { try leave(move.source) }
        let staying = isNamed.count { !$0 }
        let count = staying + stage.moveSections.count + stage.insertSections.count
        sectionArrivals.refill(with: repeatElement(nil, count: count))
        for move in stage.moveSections { try arrive(move.source, at: move.destination) }
        for (number, insert) in stage.insertSections.enumerated() { try arrive(~number, at: insert.place) }
        sectionMoveCount += stage.moveSections.count
        putTogether(stage.insertSections, target)
    }

    private mutating func leave(_ section: Int) throws {
        guard isNamed.indices.contains(section) else { throw Violation("rule 1: no section \(section)") }
        guard !isNamed[section] else { throw Violation("rule 1: a section is a source twice") }
        isNamed[section] = true
    }

    private mutating func arrive(_ section: Int, at place: Int) throws {
        guard sectionArrivals.indices.contains(place) else { throw Violation("rule 1: no section place \(place) after the stage") }
        guard sectionArrivals[place] == nil else { throw Violation("rule 1: a section is a target twice") }
        sectionArrivals[place] = section
    }

    private mutating func putTogether(_ inserts: [SectionInsert], _ target: List) {
        next.sections.removeAll(keepingCapacity: true)
        next.cells.removeAll(keepingCapacity: true)
        var old = 0
        for arrival in sectionArrivals {
            if let arrival, arrival < 0 {
                insert(inserts[~arrival], target)
                continue
            }
            while arrival == nil && isNamed[old] { old += 1 }
            let section = arrival ?? old
            next.sections.append(list.sections[section])
            next.cells.append(contentsOf: list.cells[list.cellNumbers(of: section)])
            if arrival == nil { old += 1 }
        }
        swap(&list, &next)
    }

    private mutating func insert(_ insert: SectionInsert, _ target: List) {
        var section = target.sections[insert.target]
        let start = target.cellNumbers(of: insert.target).lowerBound
        section.cellCount = 0
        for item in insert.newItems.joined() {
            let cell = target.cells[start + item]
            inserted.append(cell.id)
            next.cells.append(cell)
            section.cellCount += 1
        }
        insertedSections.append(section.id)
        next.sections.append(section)
    }
}

extension Referee.List {
    /// Returns the index of the cell at a place. Cells are numbered consecutively across all sections.
    fileprivate func number(of place: CellPlace) throws -> Int {
        guard sections.indices.contains(place.section), (0..<sections[place.section].cellCount).contains(place.item) else {
            throw Referee.Violation("rule 1: no cell at \(place)")
        }
        return cellNumbers(of: place.section).lowerBound + place.item
    }

    fileprivate func cellNumbers(of section: Int) -> Range<Int> {
        let start = sections[..<section].reduce(0) { $0 + $1.cellCount }
        return start..<start + sections[section].cellCount
    }
}

extension CellPlace {
    /// Returns `count` consecutive places, starting with this place.
    fileprivate func following(_ count: Int) -> some Sequence<CellPlace> {
        (item..<item + count).lazy.map { CellPlace(section: section, item: $0) }
    }
}

extension Array {
    /// Replaces all elements, and reuses the memory of the array.
    fileprivate mutating func refill(with elements: some Collection<Element>) {
        removeAll(keepingCapacity: true)
        append(contentsOf: elements)
    }
}
