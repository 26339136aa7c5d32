/// A stage of a staged changeset: the operations of a batch update, and the list after the stage.
///
/// Types and properties have the same names as in DifferenceKit. The property `stage` has the same operations, grouped into
/// runs of neighbouring elements.
public struct Changeset<Collection: Swift.Collection> {
    /// The operations to perform on the view.
    public var stage: Stage
    fileprivate var content: Content

    fileprivate enum Content {
        /// A changeset that a caller created from operations.
        case made(Collection)
        /// A changeset that came from a server.
        case received(Collection, inPlace: @Sendable () -> UpdatesInPlace)
        /// A changeset that was computed from two lists. `step` is the index of its stage. `shown` is the data that a caller has set.
        case found(PlayedLists<Collection>, step: Int, shown: Collection? = nil)
    }

    /// The list after this stage, to set as the data of the view. Surviving elements already have the content of the target.
    /// But the header, the footer and the supplementary views of a surviving section change only in the stage that updates the
    /// section.
    ///
    /// If the stages were computed from two lists, the data of the last stage is the target list. The data of all other stages is computed
    /// together, when the data of one of these stages is first read. If a caller sets `data` to another list, `applying(_:)` still reads
    /// inserted and updated elements from the target.
    public var data: Collection {
        get {
            switch content {
            case .made(let data), .received(let data, _): data
            case .found(let lists, let step, let shown): shown ?? lists[step]
            }
        }
        set {
            switch content {
            case .made:
                content = .made(newValue)
                stage.insertSections = Self.inserts(at: stage.insertSections.map(\.place), in: newValue)
            case .received(_, let inPlace): content = .received(newValue, inPlace: inPlace)
            case .found(let lists, let step, _): content = .found(lists, step: step, shown: newValue)
            }
        }
    }

    /// The list from which inserted and updated elements are read.
    var target: Collection {
        switch content {
        case .made(let data), .received(let data, _): data
        case .found(let lists, _, _): lists.target
        }
    }

    /// A Boolean value that indicates whether a caller created the changeset from operations. In this case, `data` is the
    /// target.
    var isMade: Bool {
        if case .made = content { true } else { false }
    }

    /// The updates of this stage that do not replace a view.
    var updatesInPlace: UpdatesInPlace {
        switch content {
        case .made: UpdatesInPlace()
        case .received(_, let inPlace): inPlace()
        case .found(let lists, let step, _): lists.updatesInPlace(of: stage, step: step)
        }
    }

    /// A Boolean value that indicates whether a view without sections can perform the stage. This is possible if all rows are in one
    /// section before and after the stage.
    var fitsOneSection: Bool {
        guard stage.insertSections.isEmpty, stage.deleteSections.isEmpty, stage.moveSections.isEmpty else { return false }
        let hasSections = if case .received = content { true } else { Collection.Element.self is any DifferentiableSection.Type }
        return hasSections ? data.count == 1 : stage.cellSections.count <= 1
    }

    init(_ stage: Stage, _ lists: PlayedLists<Collection>, step: Int) {
        self.stage = stage
        content = .found(lists, step: step)
    }

    /// Creates a changeset from a stage that came from a server.
    ///
    /// - Parameters:
    ///   - data: the sections after the stage.
    ///   - inPlace: returns the updates that do not replace a view. It is called when a list view performs the stage, because the types of
    ///     the shown views are not known earlier.
    package init(_ stage: Stage, data: Collection, inPlace: @escaping @Sendable () -> UpdatesInPlace) {
        self.stage = stage
        content = .received(data, inPlace: inPlace)
    }

    /// Creates a changeset from the given operations. The places can be in any order.
    ///
    /// The place of an inserted element is a place in `data`. The place of an updated element is a place in the list before the stage, as
    /// in DifferenceKit. The content of an updated element is read from `data`, at the place that the element has after all other
    /// operations.
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

    /// Returns one insert for each index in `places`. The insert has all elements of the section that `data` has at this index.
    /// If `data` has no section at this index, the insert has no elements.
    private static func inserts(at places: [Int], in data: Collection) -> [SectionInsert] {
        places.map { place in
            let section = place < 0 ? nil : data.dropFirst(place).first as? any DifferentiableSection
            return SectionInsert(place: place, target: place, newItems: section.map { [0..<$0.elements.count] } ?? [])
        }
    }
}

extension Changeset: Equatable where Collection: Equatable {
    /// Returns a Boolean value that indicates whether both changesets have the same operations and the same data.
    public static func == (a: Changeset, b: Changeset) -> Bool {
        a.stage.withoutTargets == b.stage.withoutTargets && a.data == b.data
    }
}

extension Stage {
    /// A copy of this stage without the places in the target. A view does not need these places.
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
    /// The operations of the stage as text, with one line for each kind.
    public var debugDescription: String { stage.debugDescription }
}
