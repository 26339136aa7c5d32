import ScreenDiff

extension DocumentReader {
    mutating func cellUpdate(_ json: JSONValue) -> (place: CellPlace, cell: SnapshotTree.Cell)? {
        guard isOperation(json, of: ["at", "cell"]) else { return nil }
        let place = member("at", of: json) { $0.cellPlace($1) }
        let cell = member("cell", of: json) { $0.cell($1) }
        guard let place, let cell else { return nil }
        return (place, cell)
    }

    mutating func sectionInsert(_ json: JSONValue) -> (place: Int, section: SnapshotTree.Section)? {
        guard isOperation(json, of: ["at", "section"]) else { return nil }
        let place = member("at", of: json) { $0.place($1) }
        let section = member("section", of: json) { $0.section($1) }
        guard let place, let section else { return nil }
        return (place, section)
    }

    mutating func cellDelete(_ json: JSONValue) -> CellRun? {
        guard let numbers = numbers(json, count: 3, endsWithCount: true) else { return nil }
        return CellRun(place: CellPlace(section: numbers[0], item: numbers[1]), count: numbers[2])
    }

    mutating func cellInsert(_ json: JSONValue) -> (place: CellPlace, cells: [SnapshotTree.Cell])? {
        guard isOperation(json, of: ["at", "cells"]) else { return nil }
        let place = member("at", of: json) { $0.cellPlace($1) }
        let cells = member("cells", of: json) { reader, cells in
            if cells == .array([]) { reader.fault(.isEmpty) }
            return reader.elements(of: cells) { $0.cell($1) }
        }
        guard let place, let cells else { return nil }
        return (place, cells)
    }

    mutating func cellMove(_ json: JSONValue) -> CellMove? {
        guard let numbers = numbers(json, count: 5, endsWithCount: true) else { return nil }
        return CellMove(
            source: CellPlace(section: numbers[0], item: numbers[1]),
            destination: CellPlace(section: numbers[2], item: numbers[3]), count: numbers[4]
        )
    }

    mutating func sectionMove(_ json: JSONValue) -> SectionMove? {
        guard let numbers = numbers(json, count: 2) else { return nil }
        return SectionMove(source: numbers[0], destination: numbers[1])
    }

    mutating func viewsUpdate(_ json: JSONValue) -> (place: Int, views: SnapshotTree.Views)? {
        guard isOperation(json, of: ["at", "header", "footer", "supplementary"]) else { return nil }
        let place = member("at", of: json) { $0.place($1) }
        let views = views(of: json)
        return place.map { ($0, views) }
    }

    /// Returns false if an operation is not an object. Records a fault for each unknown key, because the key can change the meaning of the
    /// operation.
    private mutating func isOperation(_ json: JSONValue, of names: [String]) -> Bool {
        guard let members = members(json) else { return false }
        for member in members where !names.contains(member.name) { fault(at: .name(member.name), .unknownKey) }
        return true
    }

    private mutating func cellPlace(_ json: JSONValue) -> CellPlace? {
        guard let numbers = numbers(json, count: 2) else { return nil }
        return CellPlace(section: numbers[0], item: numbers[1])
    }

    private mutating func numbers(_ json: JSONValue, count: Int, endsWithCount: Bool = false) -> [Int]? {
        if case .array(let elements) = json, elements.count != count {
            fault(.wrongCount(expected: count, found: elements.count))
            return nil
        }
        var index = 0
        let numbers = elements(of: json) { reader, element in
            index += 1
            return endsWithCount && index == count ? reader.count(element) : reader.place(element)
        }
        return numbers?.count == count ? numbers : nil
    }
}
