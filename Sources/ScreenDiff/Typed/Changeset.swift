/// One safe batch update, with what the list shows after it.
///
/// The names here are those of DifferenceKit. `stage` says the same in runs of neighbours.
public struct Changeset<Collection: Swift.Collection> {
    /// What to tell the view.
    public var stage: Stage
    fileprivate var content: Content

    fileprivate enum Content {
        case made(Collection)
        /// Found with others; the step is nil for the last of them, after which the list is the target. What is shown
        /// is nil unless it was set.
        case found(PlayedLists<Collection>, step: Int?, shown: Collection? = nil)
    }

    /// What the list shows after this stage, for the closure in which the view's data is set. All that stays in
    /// the list shows what it does in the target, but for the views of a section that are yet to be updated.
    ///
    /// The data of the last stage that was found between two lists is the target. That of all others is computed at
    /// once, when the first of it is asked for. Where it is set to another, `applying(_:)` still reads what such a
    /// changeset inserts and updates from the target.
    public var data: Collection {
        get {
            switch content {
            case .made(let data): data
            case .found(let lists, let step, let shown): shown ?? step.map { lists[$0] } ?? lists.target
            }
        }
        set {
            switch content {
            case .made:
                content = .made(newValue)
                stage.insertSections = Self.inserts(at: stage.insertSections.map(\.place), in: newValue)
            case .found(let lists, let step, _): content = .found(lists, step: step, shown: newValue)
            }
        }
    }

    /// The list that the places in the target are of, which the stage reads what it inserts and updates from.
    var target: Collection {
        switch content {
        case .made(let data): data
        case .found(let lists, _, _): lists.target
        }
    }

    /// Whether it was made and not found: the stage's places are then those of a list of its own.
    var isMade: Bool {
        if case .made = content { true } else { false }
    }

    init(_ stage: Stage, _ lists: PlayedLists<Collection>, step: Int?) {
        self.stage = stage
        content = .found(lists, step: step)
    }

    /// Creates a changeset of operations that one knows.
    ///
    /// What is inserted has its place in `data`. What is updated has its place in the list before, as in
    /// DifferenceKit, and is read from `data` at the place where the other operations leave it. Places come in any order,
    /// as there.
    public init(
        data: Collection,
        sectionDeleted: [Int] = [], sectionInserted: [Int] = [], sectionUpdated: [Int] = [],
        sectionMoved: [(source: Int, target: Int)] = [],
        elementDeleted: [ElementPath] = [], elementInserted: [ElementPath] = [], elementUpdated: [ElementPath] = [],
        elementMoved: [(source: ElementPath, target: ElementPath)] = []
    ) {
        content = .made(data)
        stage = Stage()
        stage.deleteSections = sectionDeleted.sorted()
        stage.insertSections = Self.inserts(at: sectionInserted.sorted(), in: data)
        stage.updateSections = sectionUpdated.sorted()
        stage.moveSections = sectionMoved.sorted { $0.source < $1.source }.map { SectionMove(source: $0.source, destination: $0.target) }
        stage.deleteCells = CellRun.runs(of: elementDeleted.sorted(by: precedes))
        stage.insertCells = CellRun.runs(of: elementInserted.sorted(by: precedes)).map {
            CellInsert(run: $0, targetSection: $0.place.section)
        }
        stage.updateCells = elementUpdated.sorted(by: precedes).map { CellUpdate(place: $0, target: $0) }
        stage.moveCells = CellMove.runs(of: elementMoved.sorted { precedes($0.source, $1.source) })
    }

    /// Inserts of sections with all that they have in a list; with nothing where that has none.
    private static func inserts(at places: [Int], in data: Collection) -> [SectionInsert] {
        places.map { place in
            let section = place < 0 ? nil : data.dropFirst(place).first as? any DifferentiableSection
            return SectionInsert(place: place, target: place, newItems: section.map { [0..<$0.elements.count] } ?? [])
        }
    }
}

extension Changeset: Equatable where Collection: Equatable {
    /// Whether both tell a view the same and show the same, wherever they read it from.
    public static func == (a: Changeset, b: Changeset) -> Bool {
        a.stage.withoutTargets == b.stage.withoutTargets && a.data == b.data
    }
}

extension Stage {
    /// This stage with no places but those that a view is told.
    fileprivate var withoutTargets: Stage {
        var stage = self
        for index in updateCells.indices { stage.updateCells[index].target = updateCells[index].place }
        for index in insertCells.indices { stage.insertCells[index].targetSection = insertCells[index].run.place.section }
        stage.insertSections = insertSections.map { SectionInsert(place: $0.place, target: $0.place, newItems: []) }
        return stage
    }
}

extension Changeset: Sendable where Collection: Sendable {}
extension Changeset.Content: Sendable where Collection: Sendable {}

extension Changeset: CustomDebugStringConvertible {
    /// The stage, a line for each kind of operation.
    public var debugDescription: String { stage.debugDescription }
}
