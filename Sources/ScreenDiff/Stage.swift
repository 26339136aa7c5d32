/// One safe batch update: what to delete, insert, move and update at once.
///
/// The differ makes stages; the wire writes them and clients animate them. Places of deletes,
/// updates and move sources count in the list before the stage, places of inserts and move targets
/// in the list after it, as in `UICollectionView.performBatchUpdates(_:completion:)`. A stage holds
/// no content: what is inserted or updated names its place in the target.
public struct Stage: Hashable, Sendable {
    /// Updates of cells that stay or move in later stages.
    public var updateCells: [CellUpdate] = []
    /// Ascending.
    public var insertSections: [SectionInsert] = []
    /// Ascending.
    public var deleteCells: [CellRun] = []
    /// Ascending.
    public var insertCells: [CellInsert] = []
    /// Moves of runs, from any section to any.
    public var moveCells: [CellMove] = []
    /// Places in the list before, ascending.
    public var deleteSections: [Int] = []
    /// Moves of sections.
    public var moveSections: [SectionMove] = []
    /// Places of sections whose views change, ascending. They are the same before, after, and in
    /// the target.
    public var updateSections: [Int] = []

    /// Creates a stage that says nothing.
    public init() {}

    /// Whether it says nothing.
    public var isEmpty: Bool {
        updateCells.isEmpty && insertSections.isEmpty && deleteCells.isEmpty && insertCells.isEmpty
            && moveCells.isEmpty && deleteSections.isEmpty && moveSections.isEmpty && updateSections.isEmpty
    }
}

/// The place of a cell: its section and its item in it.
public struct CellPlace: Hashable, Sendable {
    public var section: Int
    public var item: Int

    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }
}

/// An update of a cell to the content that it has in the target.
public struct CellUpdate: Hashable, Sendable {
    /// Where the cell is in the list before the stage.
    public var place: CellPlace
    /// Where the cell with the new content is in the target.
    public var target: CellPlace

    public init(place: CellPlace, target: CellPlace) {
        self.place = place
        self.target = target
    }
}

/// An insert of a section with those of its cells that the source has not; the others are moved there.
public struct SectionInsert: Hashable, Sendable {
    /// Its place in the list after the stage.
    public var place: Int
    /// The section's place in the target.
    public var target: Int
    /// Items of the section in the target, as ascending ranges, that come with it.
    public var newItems: [Range<Int>]

    public init(place: Int, target: Int, newItems: [Range<Int>]) {
        self.place = place
        self.target = target
        self.newItems = newItems
    }
}

/// A run of neighbouring cells of one section.
public struct CellRun: Hashable, Sendable {
    /// The place of the first.
    public var place: CellPlace
    /// The number of cells, at least one.
    public var count: Int

    public init(place: CellPlace, count: Int) {
        self.place = place
        self.count = count
    }
}

/// An insert of neighbouring cells into a section that survives.
public struct CellInsert: Hashable, Sendable {
    /// The cells in the list after the stage.
    public var run: CellRun
    /// The section's place in the target. The items are the same there.
    public var targetSection: Int

    public init(run: CellRun, targetSection: Int) {
        self.run = run
        self.targetSection = targetSection
    }
}

/// A move of neighbours that stay neighbours.
public struct CellMove: Hashable, Sendable {
    /// The place of the first in the list before the stage.
    public var source: CellPlace
    /// The place of the first in the list after it.
    public var destination: CellPlace
    /// The number of cells, at least one.
    public var count: Int

    public init(source: CellPlace, destination: CellPlace, count: Int) {
        self.source = source
        self.destination = destination
        self.count = count
    }
}

/// A move of a section with all that is in it.
public struct SectionMove: Hashable, Sendable {
    /// Its place in the list before the stage.
    public var source: Int
    /// Its place in the list after it.
    public var destination: Int

    public init(source: Int, destination: Int) {
        self.source = source
        self.destination = destination
    }
}

extension Stage {
    /// The number of cells that are deleted, inserted, moved or updated, without those that come or go with their section.
    public var cellChangeCount: Int {
        let runs = deleteCells.map(\.count) + insertCells.map(\.run.count) + moveCells.map(\.count)
        return runs.reduce(updateCells.count, Self.sum)
    }

    /// The greatest number there is where the sum is greater: anybody can make a stage.
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

    /// The number of sections that are deleted, inserted, moved or whose views are updated.
    public var sectionChangeCount: Int {
        insertSections.count + deleteSections.count + moveSections.count + updateSections.count
    }
}

extension Stage: CustomDebugStringConvertible {
    /// A line for each kind of operation that there is: `  moveCells [1, 0]→[0, 2]×3`.
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
