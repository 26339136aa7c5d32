import ScreenDiff
import Testing

/// A list view that shows the identifiers of a diffable data source. It performs a batch as UIKit does: sources are indices in the list
/// before the batch, and targets are indices in the list after the batch.
@MainActor final class CellsView<SectionID: Hashable, ItemID: Hashable>: BatchUpdating {
    private(set) var dataSource: DiffableDataSource<SectionID, ItemID>!
    /// The identifiers of the cells in each section.
    private(set) var shown: [[ItemID]] = []
    private var operations: [ListOperation] = []
    private var action: (() -> Void)?

    // The effects on cells since the last call of `forgetEffects()`.
    private(set) var created: [ItemID] = []
    private(set) var removed: [ItemID] = []
    private(set) var moved: [ItemID] = []
    private(set) var reconfigured: [ItemID] = []
    private(set) var reloaded: [ItemID] = []
    private(set) var reloadedSections: [SectionID?] = []
    private(set) var reloadCount = 0

    let isShown: Bool
    /// A Boolean value that indicates whether animations continue until `endAnimations()` is called.
    var holdsAnimations = false
    private var animations: [@MainActor (Bool) -> Void] = []

    init(isShown: Bool = true) {
        self.isShown = isShown
        dataSource = DiffableDataSource(self)
    }

    func forgetEffects() {
        (created, removed, moved, reconfigured, reloaded, reloadedSections, reloadCount) = ([], [], [], [], [], [], 0)
    }

    func reloadData() {
        shown = content
        reloadCount += 1
    }

    func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
        operations = []
        updates()
        for operation in operations { note(operation) }
        if operations.contains(where: \.concernsSections) { changeSections() } else { changeCells() }
        #expect(shown == content, "\(operations)")
        animations.append(completion)
        if !holdsAnimations { endAnimations() }
    }

    func endAnimations() {
        for completion in animations { completion(true) }
        animations = []
    }

    func perform(_ operation: ListOperation) {
        operations.append(operation)
        let action = action
        self.action = nil
        action?()
    }

    /// Calls a function once, within the next batch.
    func whenPerforming(_ action: @escaping () -> Void) {
        self.action = action
    }

    /// The identifiers that the data source returns now.
    private var content: [[ItemID]] {
        (0..<dataSource.numberOfSections).map { section in
            (0..<dataSource.numberOfItems(inSection: section)).compactMap {
                dataSource.itemIdentifier(for: CellPlace(section: section, item: $0))
            }
        }
    }

    private func note(_ operation: ListOperation) {
        switch operation {
        case .deleteCells(let places): removed += places.map { shown[$0.section][$0.item] }
        case .deleteSections(let sections): removed += sections.flatMap { shown[$0] }
        case .insertCells(let places): created += places.compactMap(dataSource.itemIdentifier(for:))
        case .insertSections(let sections): created += sections.flatMap { content[$0] }
        case .moveCell(let source, _): moved.append(shown[source.section][source.item])
        case .reconfigureCells(let places): reconfigured += places.map { shown[$0.section][$0.item] }
        case .reloadCells(let places): reloaded += places.map { shown[$0.section][$0.item] }
        case .reloadSections(let sections): reloadedSections += sections.map(dataSource.sectionIdentifier(for:))
        case .updateSections: Issue.record("the header of a section of identifiers is updated in place")
        case .moveSection: break
        }
    }

    private func changeCells() {
        var leaving: Set<CellPlace> = []
        var arriving: [CellPlace: ItemID] = [:]
        for operation in operations {
            switch operation {
            case .deleteCells(let places): leaving.formUnion(places)
            case .insertCells(let places): for place in places { arriving[place] = dataSource.itemIdentifier(for: place) }
            case .moveCell(let source, let target):
                leaving.insert(source)
                arriving[target] = shown[source.section][source.item]
            default: break
            }
        }
        shown = shown.enumerated().map { section, cells in
            let staying = cells.indices.filter { !leaving.contains(CellPlace(section: section, item: $0)) }.map { cells[$0] }
            var arrivals: [Int: ItemID] = [:]
            for (place, cell) in arriving where place.section == section { arrivals[place.item] = cell }
            return merged(staying, arrivals)
        }
    }

    private func changeSections() {
        var leaving: Set<Int> = []
        var arriving: [Int: [ItemID]] = [:]
        for operation in operations {
            switch operation {
            case .deleteSections(let sections): leaving.formUnion(sections)
            case .insertSections(let sections): for section in sections { arriving[section] = content[section] }
            case .moveSection(let source, let target):
                leaving.insert(source)
                arriving[target] = shown[source]
            default: break
            }
        }
        shown = merged(shown.indices.filter { !leaving.contains($0) }.map { shown[$0] }, arriving)
    }

    private func merged<Element>(_ staying: [Element], _ arriving: [Int: Element]) -> [Element] {
        var rest = staying[...]
        return (0..<staying.count + arriving.count).compactMap { arriving[$0] ?? rest.popFirst() }
    }
}

extension ListOperation {
    fileprivate var concernsSections: Bool {
        switch self {
        case .deleteSections, .insertSections, .moveSection: true
        default: false
        }
    }
}
