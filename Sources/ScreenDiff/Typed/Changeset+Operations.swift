/// The place of an element, under the name that it has in DifferenceKit.
public typealias ElementPath = CellPlace

extension ElementPath {
    public init(element: Int, section: Int) {
        self.init(section: section, item: element)
    }

    /// The number of elements of the section before this one.
    public var element: Int {
        get { item }
        set { item = newValue }
    }
}

// What the stage says, one by one.
extension Changeset {
    public var sectionDeleted: [Int] { stage.deleteSections }
    public var sectionInserted: [Int] { stage.insertSections.map(\.place) }
    public var sectionUpdated: [Int] { stage.updateSections }
    public var sectionMoved: [(source: Int, target: Int)] { stage.moveSections.map { ($0.source, $0.destination) } }
    public var elementDeleted: [ElementPath] { stage.deleteCells.flatMap(\.places) }
    /// Those that come with an inserted section are not among them.
    public var elementInserted: [ElementPath] { stage.insertCells.flatMap(\.run.places) }
    public var elementUpdated: [ElementPath] { stage.updateCells.map(\.place) }
    public var elementMoved: [(source: ElementPath, target: ElementPath)] { stage.moveCells.flatMap(\.moves) }
}

extension Changeset {
    /// The number of sections that are deleted, inserted, updated or moved.
    public var sectionChangeCount: Int { stage.sectionChangeCount }

    /// The number of elements that are deleted, inserted, updated or moved, without those that come or go with
    /// their section.
    public var elementChangeCount: Int { stage.cellChangeCount }

    public var changeCount: Int { sectionChangeCount + elementChangeCount }
    public var hasSectionChanges: Bool { sectionChangeCount > 0 }
    public var hasElementChanges: Bool { elementChangeCount > 0 }
    public var hasChanges: Bool { changeCount > 0 }
}

extension CellRun {
    var places: [CellPlace] {
        (0..<max(0, count)).map { CellPlace(section: place.section, item: place.item &+ $0) }
    }

    /// Runs of what follows each other, in the order given.
    static func runs(of places: [CellPlace]) -> [CellRun] {
        places.reduce(into: []) { runs, place in
            if let last = runs.last, place.isBehind(last.place, by: last.count) {
                runs[runs.count - 1].count += 1
            } else {
                runs.append(CellRun(place: place, count: 1))
            }
        }
    }
}

extension CellMove {
    var moves: [(source: CellPlace, target: CellPlace)] {
        Array(zip(CellRun(place: source, count: count).places, CellRun(place: destination, count: count).places))
    }

    static func runs(of moves: [(source: CellPlace, target: CellPlace)]) -> [CellMove] {
        moves.reduce(into: []) { runs, move in
            if let last = runs.last, move.source.isBehind(last.source, by: last.count),
                move.target.isBehind(last.destination, by: last.count)
            {
                runs[runs.count - 1].count += 1
            } else {
                runs.append(CellMove(source: move.source, destination: move.target, count: 1))
            }
        }
    }
}

extension CellPlace {
    fileprivate func isBehind(_ other: CellPlace, by count: Int) -> Bool {
        section == other.section && item.subtractingReportingOverflow(other.item) == (count, false)
    }
}
