/// The place of an element, under the name that it has in DifferenceKit.
public typealias ElementPath = CellPlace

extension ElementPath {
    /// Creates the place of an element in a section.
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
    /// The places of sections that are deleted, before the stage.
    public var sectionDeleted: [Int] { stage.deleteSections }
    /// The places of sections that are inserted, after the stage.
    public var sectionInserted: [Int] { stage.insertSections.map(\.place) }
    /// The places of sections whose headers, footers or supplementary views change.
    public var sectionUpdated: [Int] { stage.updateSections }
    /// The sections that are moved, with their places before and after the stage.
    public var sectionMoved: [(source: Int, target: Int)] { stage.moveSections.map { ($0.source, $0.destination) } }
    /// The places of elements that are deleted, before the stage.
    public var elementDeleted: [ElementPath] { stage.deleteCells.flatMap(\.places) }
    /// The places of elements that are inserted, after the stage, without those that come with an inserted section.
    public var elementInserted: [ElementPath] { stage.insertCells.flatMap(\.run.places) }
    /// The places of elements that are updated, before the stage.
    public var elementUpdated: [ElementPath] { stage.updateCells.map(\.place) }
    /// The elements that are moved, with their places before and after the stage.
    public var elementMoved: [(source: ElementPath, target: ElementPath)] { stage.moveCells.flatMap(\.moves) }
}

extension Changeset {
    /// The number of sections that are deleted, inserted, updated or moved.
    public var sectionChangeCount: Int { stage.sectionChangeCount }

    /// The number of elements that are deleted, inserted, updated or moved, without those that come or go with
    /// their section.
    public var elementChangeCount: Int { stage.cellChangeCount }

    /// The number of sections and elements that change.
    public var changeCount: Int { Stage.sum(sectionChangeCount, elementChangeCount) }
    /// Whether a section changes.
    public var hasSectionChanges: Bool { sectionChangeCount > 0 }
    /// Whether an element changes.
    public var hasElementChanges: Bool { elementChangeCount > 0 }
    /// Whether anything changes.
    public var hasChanges: Bool { changeCount > 0 }
}

extension StagedChangeset {
    /// The number of changes in all stages.
    public var changeCount: Int {
        reduce(0) { Stage.sum($0, $1.changeCount) }
    }
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
