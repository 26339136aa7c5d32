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
        var last = -1
        for stage in stages {
            let used = [
                !stage.updateCells.isEmpty, !stage.insertSections.isEmpty,
                !(stage.deleteCells.isEmpty && stage.insertCells.isEmpty && stage.moveCells.isEmpty),
                !(stage.deleteSections.isEmpty && stage.moveSections.isEmpty), !stage.updateSections.isEmpty,
            ]
            guard let kind = used.firstIndex(of: true), kind == used.lastIndex(of: true) else {
                throw Violation("rule 2: a stage of kinds \(used)")
            }
            guard kind > last else { throw Violation("rule 2: a stage of kind \(kind) after one of kind \(last)") }
            last = kind
        }
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
        _ = try sorted(updates, "an update", \.place)
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
        let leaving = try sorted(deletes + sources, "a source", \.self)
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
        for place in leaving.reversed() { list[place.section].cells.remove(at: place.item) }
        for (place, cell) in try sorted(arriving, "a target", \.0) {
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
        let gone = Set(deleted.map(\.id))
        if let cell = inserted.first(where: { gone.contains($0.id) }) { throw Violation("rule 6: \(cell) is deleted and inserted") }
        if let section = insertedSections.first(where: deletedSections.contains) {
            throw Violation("rule 6: section \(section) is deleted and inserted")
        }
    }

    private func places(_ first: CellPlace, _ count: Int) -> [CellPlace] {
        (0..<count).map { CellPlace(section: first.section, item: first.item + $0) }
    }

    /// In the order of their places, none of which is named twice.
    private func sorted<Element>(_ all: [Element], _ role: String, _ place: (Element) -> CellPlace) throws -> [Element] {
        let sorted = all.sorted { precedes(place($0), place($1)) }
        for (one, next) in zip(sorted, sorted.dropFirst()) where place(one) == place(next) {
            throw Violation("rule 1: a cell is \(role) twice")
        }
        return sorted
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
