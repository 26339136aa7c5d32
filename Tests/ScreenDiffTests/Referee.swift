import ScreenDiff
import ScreenModel

/// Plays stages as a table or a collection view would, and says where one would throw.
///
/// It knows the design's rules and nothing of the differ: lists are arrays of arrays, sources are
/// removed from the last to the first, targets put in from the first to the last.
struct Referee {
    let target: TestModel
    private var list: [TestSection]
    private var deleted: [TestCell] = []
    private var inserted: [TestCell] = []
    private var deletedSections: [String] = []
    private var insertedSections: [String] = []
    private(set) var moveCount = 0
    private(set) var sectionMoveCount = 0

    struct Violation: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// Plays all stages and checks that they keep rules 1 to 6.
    static func judge(_ stages: [Stage], from source: TestModel, to target: TestModel) throws -> Referee {
        var referee = Referee(target: target, list: source.sections)
        try referee.checkOrder(stages)
        for stage in stages { try referee.play(stage) }
        guard referee.list == target.sections else {
            throw Violation("rule 5: \(referee.list) is not the target \(target.sections)")
        }
        try referee.checkSurvivors()
        return referee
    }

    private init(target: TestModel, list: [TestSection]) {
        self.target = target
        self.list = list
    }

    /// Rules 2 and 3.
    private func checkOrder(_ stages: [Stage]) throws {
        let kinds = try stages.map { stage in
            var used: Set<Int> = []
            if !stage.updateCells.isEmpty { used.insert(0) }
            if !stage.insertSections.isEmpty { used.insert(1) }
            if !(stage.deleteCells.isEmpty && stage.insertCells.isEmpty && stage.moveCells.isEmpty) { used.insert(2) }
            if !(stage.deleteSections.isEmpty && stage.moveSections.isEmpty) { used.insert(3) }
            if !stage.updateSections.isEmpty { used.insert(4) }
            guard used.count == 1, let kind = used.first else { throw Violation("rule 2: a stage of kinds \(used)") }
            return kind
        }
        guard kinds == Array(Set(kinds)).sorted() else { throw Violation("rule 2: stages of kinds \(kinds)") }
    }

    private mutating func play(_ stage: Stage) throws {
        try updateCells(stage.updateCells)
        try changeCells(stage)
        try changeSections(stage)
        for section in stage.updateSections {
            guard list.indices.contains(section) else { throw Violation("rule 1: update of section \(section)") }
            let new = target[section]
            guard list[section].header != new.header || list[section].footer != new.footer else {
                throw Violation("rule 4: section \(section) has these views already")
            }
            list[section].header = new.header
            list[section].footer = new.footer
        }
    }

    private mutating func updateCells(_ updates: [CellUpdate]) throws {
        guard !updates.isEmpty else { return }
        try unique(updates.map(\.place), "update")
        for update in updates {
            let old = try cell(at: update.place)
            let new = target[update.target.section].cells[update.target.item]
            guard old.id == new.id else { throw Violation("update of \(old) with another cell \(new)") }
            guard old != new else { throw Violation("rule 4: \(old) is the same already") }
            list[update.place.section].cells[update.place.item] = new
        }
    }

    private mutating func changeCells(_ stage: Stage) throws {
        guard !(stage.deleteCells.isEmpty && stage.moveCells.isEmpty && stage.insertCells.isEmpty) else { return }
        let deletes = stage.deleteCells.flatMap { places($0.place, $0.count) }
        let sources = stage.moveCells.flatMap { places($0.source, $0.count) }
        let destinations = stage.moveCells.flatMap { places($0.destination, $0.count) }
        let inserts = stage.insertCells.flatMap { places($0.run.place, $0.run.count) }
        try unique(deletes + sources, "source")
        try unique(destinations + inserts, "target")
        deleted += try deletes.map(cell)
        var arriving = try zip(destinations, sources.map(cell)).map { ($0, $1) }
        for insert in stage.insertCells {
            for place in places(insert.run.place, insert.run.count) {
                let new = target[insert.targetSection].cells[place.item]
                inserted.append(new)
                arriving.append((place, new))
            }
        }
        moveCount += sources.count
        for place in (deletes + sources).sorted(by: precedes).reversed() { list[place.section].cells.remove(at: place.item) }
        for (place, cell) in arriving.sorted(by: { precedes($0.0, $1.0) }) {
            guard list.indices.contains(place.section), place.item <= list[place.section].count else {
                throw Violation("rule 1: no place \(place) after the stage")
            }
            list[place.section].cells.insert(cell, at: place.item)
        }
    }

    private mutating func changeSections(_ stage: Stage) throws {
        guard !(stage.deleteSections.isEmpty && stage.moveSections.isEmpty && stage.insertSections.isEmpty) else { return }
        let sources = stage.deleteSections + stage.moveSections.map(\.source)
        guard Set(sources).count == sources.count else { throw Violation("rule 1: a section is a source twice") }
        guard sources.allSatisfy(list.indices.contains) else { throw Violation("rule 1: no such section") }
        for section in stage.deleteSections {
            deleted += list[section].cells
            deletedSections.append(list[section].id)
        }
        var arriving = stage.moveSections.map { ($0.destination, list[$0.source]) }
        for insert in stage.insertSections {
            var section = target[insert.target]
            section.cells = insert.newItems.flatMap { section.cells[$0] }
            inserted += section.cells
            insertedSections.append(section.id)
            arriving.append((insert.place, section))
        }
        sectionMoveCount += stage.moveSections.count
        for section in sources.sorted().reversed() { list.remove(at: section) }
        for (place, section) in arriving.sorted(by: { $0.0 < $1.0 }) {
            guard place <= list.count else { throw Violation("rule 1: no section place \(place) after the stage") }
            list.insert(section, at: place)
        }
    }

    /// Rule 6: nothing is both deleted and inserted, not even its k-th twin.
    private func checkSurvivors() throws {
        if (deleted.isEmpty || inserted.isEmpty) && (deletedSections.isEmpty || insertedSections.isEmpty) { return }
        let both = Set(deleted.map(\.id)).intersection(inserted.map(\.id))
        guard both.isEmpty else { throw Violation("rule 6: cells \(both) are deleted and inserted") }
        let sections = Set(deletedSections).intersection(insertedSections)
        guard sections.isEmpty else { throw Violation("rule 6: sections \(sections) are deleted and inserted") }
    }

    private func places(_ first: CellPlace, _ count: Int) -> [CellPlace] {
        (0..<count).map { CellPlace(section: first.section, item: first.item + $0) }
    }

    private func unique(_ places: [CellPlace], _ role: String) throws {
        guard Set(places).count == places.count else { throw Violation("rule 1: a cell is a \(role) twice") }
    }

    private func cell(at place: CellPlace) throws -> TestCell {
        guard list.indices.contains(place.section), list[place.section].indices.contains(place.item) else {
            throw Violation("rule 1: no cell at \(place)")
        }
        return list[place.section].cells[place.item]
    }

    private func precedes(_ a: CellPlace, _ b: CellPlace) -> Bool {
        (a.section, a.item) < (b.section, b.item)
    }
}
