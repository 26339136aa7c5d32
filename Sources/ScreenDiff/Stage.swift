/// A batch update of a list view: deletes, inserts, moves and updates that the view performs together.
///
/// The places of deletes and updates, and the sources of moves, are indices in the list before the stage. The places of inserts, and the
/// destinations of moves, are indices in the list after the stage. `UICollectionView.performBatchUpdates(_:completion:)` uses the same
/// rule.
///
/// The target is the list after the last stage of the changeset. A stage holds no content. Instead, an insert or an update names the place
/// of its element in the target, and the content is read from there.
public struct Stage: Hashable, Sendable {
    /// Updates of the contents of cells. An updated cell stays in place, and can move in a later stage.
    public var updateCells: [CellUpdate] = []
    /// Inserts of sections, in ascending order of their places.
    public var insertSections: [SectionInsert] = []
    /// The deletes of cells, in ascending order of their places. Each deletes a run of neighbouring cells.
    public var deleteCells: [CellRun] = []
    /// The inserts of cells, in ascending order of their places. Each inserts a run of neighbouring cells.
    public var insertCells: [CellInsert] = []
    /// The moves of cells. Each moves a run of neighbouring cells, within a section or to a different section.
    public var moveCells: [CellMove] = []
    /// Indices of deleted sections in the list before the stage, in ascending order.
    public var deleteSections: [Int] = []
    /// Moves of sections.
    public var moveSections: [SectionMove] = []
    /// Indices of sections with changed headers, footers or supplementary views, in ascending order. Such a section has the
    /// same index in the list before the stage, in the list after the stage, and in the target.
    public var updateSections: [Int] = []

    /// Creates a stage without operations.
    public init() {}

    /// A Boolean value that indicates whether the stage has no operations.
    public var isEmpty: Bool {
        updateCells.isEmpty && insertSections.isEmpty && deleteCells.isEmpty && insertCells.isEmpty
            && moveCells.isEmpty && deleteSections.isEmpty && moveSections.isEmpty && updateSections.isEmpty
    }
}

/// The place of a cell: the index of its section, and the index of the cell in the section.
public struct CellPlace: Hashable, Sendable {
    public var section: Int
    public var item: Int

    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }
}

/// An update that replaces the content of a cell by the content that the cell has in the target.
public struct CellUpdate: Hashable, Sendable {
    /// The place of the cell in the list before the stage.
    public var place: CellPlace
    /// The place of the cell in the target.
    public var target: CellPlace

    public init(place: CellPlace, target: CellPlace) {
        self.place = place
        self.target = target
    }
}

/// An insert of a section with its new cells. A later stage moves existing cells into the section.
public struct SectionInsert: Hashable, Sendable {
    /// The index of the section in the list after the stage.
    public var place: Int
    /// The index of the section in the target.
    public var target: Int
    /// The new cells, as ascending ranges of indices in this section of the target.
    public var newItems: [Range<Int>]

    public init(place: Int, target: Int, newItems: [Range<Int>]) {
        self.place = place
        self.target = target
        self.newItems = newItems
    }
}

/// A run of neighbouring cells of one section.
public struct CellRun: Hashable, Sendable {
    /// The place of the first cell.
    public var place: CellPlace
    /// The number of cells, at least one.
    public var count: Int

    public init(place: CellPlace, count: Int) {
        self.place = place
        self.count = count
    }
}

/// An insert of neighbouring cells into a section that exists in both the source and the target.
public struct CellInsert: Hashable, Sendable {
    /// The inserted cells, with their places in the list after the stage.
    public var run: CellRun
    /// The index of the section in the target. In this section of the target, the inserted cells have the same indices as in `run`.
    public var targetSection: Int

    public init(run: CellRun, targetSection: Int) {
        self.run = run
        self.targetSection = targetSection
    }
}

/// A move of neighbouring cells, which stay next to each other in the same order.
public struct CellMove: Hashable, Sendable {
    /// The place of the first cell in the list before the stage.
    public var source: CellPlace
    /// The place of the first cell in the list after the stage.
    public var destination: CellPlace
    /// The number of cells, at least one.
    public var count: Int

    public init(source: CellPlace, destination: CellPlace, count: Int) {
        self.source = source
        self.destination = destination
        self.count = count
    }
}

/// A move of a section with its cells.
public struct SectionMove: Hashable, Sendable {
    /// The index of the section in the list before the stage.
    public var source: Int
    /// The index of the section in the list after the stage.
    public var destination: Int

    public init(source: Int, destination: Int) {
        self.source = source
        self.destination = destination
    }
}

extension Stage {
    /// The number of cells that are deleted, inserted, moved or updated. Cells of deleted or inserted sections are not counted.
    public var cellChangeCount: Int {
        let runs = deleteCells.map(\.count) + insertCells.map(\.run.count) + moveCells.map(\.count)
        return runs.reduce(updateCells.count, Self.sum)
    }

    /// Returns the sum of two counts. A caller can create a stage with any numbers, so the result is `Int.max` on overflow, and a negative
    /// `b` counts as 0.
    static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, overflows) = a.addingReportingOverflow(max(b, 0))
        return overflows ? .max : sum
    }

    private static func count(of items: [Range<Int>]) -> Int {
        items.reduce(0) { count, range in
            let (length, overflows) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
            return sum(count, overflows ? .max : length)
        }
    }

    /// The number of sections that are deleted, inserted or moved, or that have updated views.
    public var sectionChangeCount: Int {
        insertSections.count + deleteSections.count + moveSections.count + updateSections.count
    }
}

extension Stage: CustomDebugStringConvertible {
    /// The operations as text, with one line for each kind, such as `  moveCells [1, 0]→[0, 2]×3`.
    public var debugDescription: String {
        let lines: [(String, [String])] = [
            ("updateCells", updateCells.map { "\($0.place)" }),
            ("insertSections", insertSections.map { "\($0.place) with \(Self.count(of: $0.newItems))" }),
            ("deleteCells", deleteCells.map { "\($0.place)" + Self.times($0.count) }),
            ("insertCells", insertCells.map { "\($0.run.place)" + Self.times($0.run.count) }),
            ("moveCells", moveCells.map { "\($0.source)→\($0.destination)" + Self.times($0.count) }),
            ("deleteSections", deleteSections.map { "\($0)" }),
            ("moveSections", moveSections.map { "\($0.source)→\($0.destination)" }),
            ("updateSections", updateSections.map { "\($0)" }),
        ]
        return lines.filter { !$0.1.isEmpty }.map { "  \($0) \($1.joined(separator: ", "))" }.joined(separator: "\n")
    }

    private static func times(_ count: Int) -> String {
        count == 1 ? "" : "×\(count)"
    }
}

extension CellPlace: CustomStringConvertible {
    public var description: String { "[\(section), \(item)]" }
}
