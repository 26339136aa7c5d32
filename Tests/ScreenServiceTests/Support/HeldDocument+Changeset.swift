import ScreenWire

extension HeldDocument {
    /// The operations of each stage, in the order that rule 2 prescribes.
    private static let stages: [Set<String>] = [
        ["updateCells"], ["insertSections"], ["deleteCells", "insertCells", "moveCells"], ["deleteSections", "moveSections"],
        ["updateSections"],
    ]

    /// Applies a changeset in JSON.
    ///
    /// - Returns: The names of the operations in the changeset.
    @discardableResult
    mutating func apply(_ bytes: [UInt8]) throws -> Set<String> {
        try apply(JSONReader.read(bytes).sorted)
    }

    /// Applies a changeset whose members are sorted by name.
    @discardableResult
    mutating func apply(_ changeset: JSONValue) throws -> Set<String> {
        guard changeset["kind"] == .string("changeset"), changeset["screen"] == self["screen"], changeset["from"] == self["version"] else {
            throw Violation("a changeset of something else")
        }
        guard let stages = changeset["stages"]?.elements else { throw Violation("no stages") }
        self["version"] = changeset["version"]
        if let title = changeset["title"] {
            guard title != self["title"] else { throw Violation("rule 4: the title is the same already") }
            self["title"] = title
        }
        var verbs: Set<String> = []
        var last = -1
        for stage in stages {
            let names = try play(stage)
            guard let kind = Self.stages.firstIndex(where: names.isSubset), kind > last else {
                throw Violation("rules 2 and 3: a stage of \(names)")
            }
            last = kind
            verbs.formUnion(names)
        }
        return verbs
    }

    private mutating func play(_ stage: JSONValue) throws -> Set<String> {
        guard case .object(let members) = stage, !members.isEmpty else { throw Violation("no stage: \(stage)") }
        let before = sections
        var operations: [String: [JSONValue]] = [:]
        for member in members {
            guard let list = member.value.elements, !list.isEmpty else { throw Violation("an empty \(member.name)") }
            operations[member.name] = list
        }
        try updateCells(operations["updateCells"] ?? [])
        try changeCells(operations["deleteCells"] ?? [], operations["insertCells"] ?? [], operations["moveCells"] ?? [])
        try changeSections(operations["deleteSections"] ?? [], operations["insertSections"] ?? [], operations["moveSections"] ?? [])
        try updateSections(operations["updateSections"] ?? [])
        guard sections != before else { throw Violation("rule 4: \(stage) changes nothing") }
        return Set(members.map(\.name))
    }

    private mutating func updateCells(_ operations: [JSONValue]) throws {
        var updated: Set<[Int]> = []
        for operation in operations {
            let at = try operation["at"].numbers(2)
            guard updated.insert(at).inserted else { throw Violation("rule 1: \(at) is updated twice") }
            let old = try cell(at)
            guard let new = operation["cell"], new["id"] == old["id"] else { throw Violation("an update of another cell: \(operation)") }
            guard new != old else { throw Violation("rule 4: \(old) is the same already") }
            sections[at[0]].cells[at[1]] = new
        }
    }

    private mutating func changeCells(_ deletes: [JSONValue], _ inserts: [JSONValue], _ moves: [JSONValue]) throws {
        var sources: [[Int]] = []
        var arriving: [(place: [Int], cell: JSONValue)] = []
        for delete in deletes { sources += try run(try delete.numbers(3)) }
        guard sources == sources.sorted(by: { $0.lexicographicallyPrecedes($1) }) else { throw Violation("deletes do not ascend") }
        for move in moves {
            let numbers = try move.numbers(5)
            let from = try run([numbers[0], numbers[1], numbers[4]])
            for (place, target) in zip(from, try run([numbers[2], numbers[3], numbers[4]])) { arriving.append((target, try cell(place))) }
            sources += from
        }
        for insert in inserts {
            let at = try insert["at"].numbers(2)
            guard let cells = insert["cells"]?.elements, !cells.isEmpty else { throw Violation("an insert of nothing") }
            for (offset, cell) in cells.enumerated() { arriving.append(([at[0], at[1] + offset], cell)) }
        }
        guard Set(sources).count == sources.count else { throw Violation("rule 1: a cell is a source twice") }
        guard Set(arriving.map(\.place)).count == arriving.count else { throw Violation("rule 1: a place is a target twice") }
        for place in sources.sorted(by: { $1.lexicographicallyPrecedes($0) }) {
            _ = try cell(place)
            sections[place[0]].cells.remove(at: place[1])
        }
        for (place, cell) in arriving.sorted(by: { $0.place.lexicographicallyPrecedes($1.place) }) {
            guard sections.indices.contains(place[0]), (0...sections[place[0]].cells.count).contains(place[1]) else {
                throw Violation("rule 1: \(place) is out of bounds afterwards")
            }
            sections[place[0]].cells.insert(cell, at: place[1])
        }
    }

    private mutating func changeSections(_ deletes: [JSONValue], _ inserts: [JSONValue], _ moves: [JSONValue]) throws {
        var sources = try deletes.map { try number($0) }
        guard sources == sources.sorted() else { throw Violation("deletes of sections do not ascend") }
        var arriving: [(place: Int, section: Section)] = []
        for insert in inserts {
            guard let section = insert["section"] else { throw Violation("an insert of no section") }
            arriving.append((try number(insert["at"]), try Section(section)))
        }
        guard arriving.map(\.place) == arriving.map(\.place).sorted() else { throw Violation("inserts of sections do not ascend") }
        for move in moves {
            let numbers = try move.numbers(2)
            guard sections.indices.contains(numbers[0]) else { throw Violation("rule 1: no section \(numbers[0])") }
            sources.append(numbers[0])
            arriving.append((numbers[1], sections[numbers[0]]))
        }
        guard Set(sources).count == sources.count else { throw Violation("rule 1: a section is a source twice") }
        guard Set(arriving.map(\.place)).count == arriving.count else { throw Violation("rule 1: a section is a target twice") }
        guard sources.allSatisfy(sections.indices.contains) else { throw Violation("rule 1: no such section") }
        for source in sources.sorted(by: >) { sections.remove(at: source) }
        for (place, section) in arriving.sorted(by: { $0.place < $1.place }) {
            guard (0...sections.count).contains(place) else { throw Violation("rule 1: section \(place) is out of bounds afterwards") }
            sections.insert(section, at: place)
        }
    }

    private mutating func updateSections(_ operations: [JSONValue]) throws {
        var updated: Set<Int> = []
        for operation in operations {
            let at = try number(operation["at"])
            guard sections.indices.contains(at), updated.insert(at).inserted else { throw Violation("rule 1: update of section \(at)") }
            guard case .object(let members) = operation else { throw Violation("no update: \(operation)") }
            let views = members.filter { $0.name != "at" }
            guard views != sections[at].views else { throw Violation("rule 4: same views") }
            sections[at].views = views
        }
    }
}

// Functions that read places and numbers in a changeset.
extension HeldDocument {
    private func cell(_ place: [Int]) throws -> JSONValue {
        guard sections.indices.contains(place[0]), sections[place[0]].cells.indices.contains(place[1]) else {
            throw Violation("rule 1: no cell at \(place)")
        }
        return sections[place[0]].cells[place[1]]
    }

    private func run(_ numbers: [Int]) throws -> [[Int]] {
        guard numbers[2] > 0 else { throw Violation("rule 4: a run of \(numbers[2])") }
        return (0..<numbers[2]).map { [numbers[0], numbers[1] + $0] }
    }

    private func number(_ value: JSONValue?) throws -> Int {
        guard let number = value?.int else { throw Violation("no number") }
        return number
    }
}

extension JSONValue? {
    fileprivate func numbers(_ count: Int) throws -> [Int] {
        guard let self else { throw HeldDocument.Violation("no numbers") }
        return try self.numbers(count)
    }
}

extension JSONValue {
    fileprivate func numbers(_ count: Int) throws -> [Int] {
        guard let numbers = elements?.compactMap(\.int), numbers.count == count, numbers.count == elements?.count else {
            throw HeldDocument.Violation("not \(count) numbers: \(self)")
        }
        return numbers
    }
}
