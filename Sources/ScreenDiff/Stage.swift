/// Is one safe batch update: what to delete, insert, move and update at once.
///
/// The differ makes stages; the wire writes them and clients animate them. Places of deletes,
/// updates and move sources count in the list before the stage, places of inserts and move targets
/// in the list after it, as in `UICollectionView.performBatchUpdates(_:completion:)`. A stage holds
/// no content: what is inserted or updated names its place in the target.
public struct Stage: Hashable, Sendable {
    public var updateCells: [CellUpdate] = []
    public var insertSections: [SectionInsert] = []
    public var deleteCells: [CellRun] = []
    public var insertCells: [CellInsert] = []
    public var moveCells: [CellMove] = []
    /// Places in the list before, ascending.
    public var deleteSections: [Int] = []
    public var moveSections: [SectionMove] = []
    /// Places of sections whose views change, ascending. They are the same before, after, and in
    /// the target.
    public var updateSections: [Int] = []

    public init() {}

    public var isEmpty: Bool {
        updateCells.isEmpty && insertSections.isEmpty && deleteCells.isEmpty && insertCells.isEmpty
            && moveCells.isEmpty && deleteSections.isEmpty && moveSections.isEmpty && updateSections.isEmpty
    }
}

/// Names a cell by its section and its item in it.
public struct CellPlace: Hashable, Sendable {
    public var section: Int
    public var item: Int

    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }
}

/// Gives a cell the content that it has in the target.
public struct CellUpdate: Hashable, Sendable {
    public var place: CellPlace
    /// Where the cell with the new content is in the target.
    public var target: CellPlace

    public init(place: CellPlace, target: CellPlace) {
        self.place = place
        self.target = target
    }
}

/// Inserts a section with those of its cells that the source has not; the others are moved there.
public struct SectionInsert: Hashable, Sendable {
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

/// Is a run of neighbouring cells of one section.
public struct CellRun: Hashable, Sendable {
    public var place: CellPlace
    /// How many cells, at least one.
    public var count: Int

    public init(place: CellPlace, count: Int) {
        self.place = place
        self.count = count
    }
}

/// Inserts a run of neighbouring cells into a section that survives.
public struct CellInsert: Hashable, Sendable {
    public var run: CellRun
    /// The section's place in the target. The items are the same there.
    public var targetSection: Int

    public init(run: CellRun, targetSection: Int) {
        self.run = run
        self.targetSection = targetSection
    }
}

/// Moves a run of neighbours that stay neighbours.
public struct CellMove: Hashable, Sendable {
    public var source: CellPlace
    public var destination: CellPlace
    /// How many cells, at least one.
    public var count: Int

    public init(source: CellPlace, destination: CellPlace, count: Int) {
        self.source = source
        self.destination = destination
        self.count = count
    }
}

/// Moves a section with all that is in it.
public struct SectionMove: Hashable, Sendable {
    public var source: Int
    public var destination: Int

    public init(source: Int, destination: Int) {
        self.source = source
        self.destination = destination
    }
}
