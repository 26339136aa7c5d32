/// One safe batch update, with what the list shows after it.
///
/// The names here are those of DifferenceKit. `stage` says the same in runs of neighbours.
public struct Changeset<Collection: Swift.Collection> {
    /// What to tell the view.
    public var stage: Stage
    fileprivate var content: Content

    fileprivate enum Content {
        case given(Collection)
        case played(PlayedLists<Collection>, step: Int)
    }

    /// What the list shows after this stage, for the closure in which the view's data is set. All that stays in
    /// the list shows what it does in the target, but for the views of a section that are yet to be updated.
    ///
    /// A changeset that was found between two lists computes the data of all its stages at once, when the first is
    /// asked for.
    public var data: Collection {
        get {
            switch content {
            case .given(let data): data
            case .played(let lists, let step): lists[step]
            }
        }
        set { content = .given(newValue) }
    }

    /// The list that the places in the target are of, which the stage reads what it inserts and updates from.
    var target: Collection {
        switch content {
        case .given(let data): data
        case .played(let lists, _): lists.target
        }
    }

    /// Whether the data was given and not found: the stage's places are then those of a list of its own.
    var isMade: Bool {
        if case .given = content { true } else { false }
    }

    init(_ stage: Stage, _ lists: PlayedLists<Collection>, step: Int) {
        self.stage = stage
        content = .played(lists, step: step)
    }

    /// Creates a changeset of operations that one knows.
    ///
    /// What is inserted has its place in `data`. What is updated has its place in the list before, as in
    /// DifferenceKit, and is read from `data` at the place where the other operations leave it.
    public init(
        data: Collection,
        sectionDeleted: [Int] = [], sectionInserted: [Int] = [], sectionUpdated: [Int] = [],
        sectionMoved: [(source: Int, target: Int)] = [],
        elementDeleted: [ElementPath] = [], elementInserted: [ElementPath] = [], elementUpdated: [ElementPath] = [],
        elementMoved: [(source: ElementPath, target: ElementPath)] = []
    ) {
        content = .given(data)
        stage = Stage()
        stage.deleteSections = sectionDeleted
        stage.insertSections = sectionInserted.map { SectionInsert(place: $0, target: $0, newItems: Self.items(of: $0, in: data)) }
        stage.updateSections = sectionUpdated
        stage.moveSections = sectionMoved.map { SectionMove(source: $0.source, destination: $0.target) }
        stage.deleteCells = CellRun.runs(of: elementDeleted)
        stage.insertCells = CellRun.runs(of: elementInserted).map { CellInsert(run: $0, targetSection: $0.place.section) }
        stage.updateCells = elementUpdated.map { CellUpdate(place: $0, target: $0) }
        stage.moveCells = CellMove.runs(of: elementMoved)
    }

    /// All that a section has; none if the list has none.
    private static func items(of section: Int, in data: Collection) -> [Range<Int>] {
        let section = section < 0 ? nil : data.dropFirst(section).first as? any DifferentiableSection
        return section.map { [0..<$0.elements.count] } ?? []
    }
}

extension Changeset: Equatable where Collection: Equatable {
    public static func == (a: Changeset, b: Changeset) -> Bool {
        a.stage == b.stage && a.data == b.data
    }
}

extension Changeset: Sendable where Collection: Sendable {}
extension Changeset.Content: Sendable where Collection: Sendable {}

extension Changeset: CustomDebugStringConvertible {
    /// The stage, a line for each kind of operation.
    public var debugDescription: String { stage.debugDescription }
}
