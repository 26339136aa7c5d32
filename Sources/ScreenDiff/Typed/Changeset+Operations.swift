/// The place of an element, under the name that DifferenceKit uses for it.
public typealias ElementPath = CellPlace

extension ElementPath {
    /// Creates the place of an element in a section.
    public init(element: Int, section: Int) {
        self.init(section: section, item: element)
    }

    /// The index of the element in its section.
    public var element: Int {
        get { item }
        set { item = newValue }
    }
}

// The operations of the stage, under the names of DifferenceKit. The stage combines consecutive elements into runs. These
// properties list each element separately.
extension Changeset {
    /// The indices of deleted sections in the list before the stage.
    public var sectionDeleted: [Int] { stage.deleteSections }
    /// The indices of inserted sections in the list after the stage.
    public var sectionInserted: [Int] { stage.insertSections.map(\.place) }
    /// The indices of sections with changed headers, footers or supplementary views.
    public var sectionUpdated: [Int] { stage.updateSections }
    /// The indices of moved sections in the list before the stage (`source`) and in the list after the stage (`target`).
    public var sectionMoved: [(source: Int, target: Int)] { stage.moveSections.map { ($0.source, $0.destination) } }
    /// The places of deleted elements in the list before the stage. Elements of deleted sections are not included.
    public var elementDeleted: [ElementPath] { stage.deleteCells.flatMap(\.places) }
    /// The places of inserted elements in the list after the stage. Elements of inserted sections are not included.
    public var elementInserted: [ElementPath] { stage.insertCells.flatMap(\.run.places) }
    /// The places of updated elements in the list before the stage.
    public var elementUpdated: [ElementPath] { stage.updateCells.map(\.place) }
    /// The places of moved elements in the list before the stage (`source`) and in the list after the stage (`target`).
    public var elementMoved: [(source: ElementPath, target: ElementPath)] { stage.moveCells.flatMap(\.moves) }
}

extension Changeset {
    /// The number of sections that are deleted, inserted, updated or moved.
    public var sectionChangeCount: Int { stage.sectionChangeCount }

    /// The number of elements that are deleted, inserted, updated or moved. Elements of deleted sections and of inserted
    /// sections are not counted.
    public var elementChangeCount: Int { stage.cellChangeCount }

    /// The number of changes to sections and elements.
    public var changeCount: Int { Stage.sum(sectionChangeCount, elementChangeCount) }
    /// A Boolean value that indicates whether any section changes.
    public var hasSectionChanges: Bool { sectionChangeCount > 0 }
    /// A Boolean value that indicates whether any element changes.
    public var hasElementChanges: Bool { elementChangeCount > 0 }
    /// A Boolean value that indicates whether any section or element changes.
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

    /// Returns runs of the places. A place that directly follows the previous place belongs to the same run.
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
