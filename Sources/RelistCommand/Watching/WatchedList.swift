import Foundation
import ScreenClient

/// The list view of the terminal. It performs the stages of a screen as the list views of apps do, and marks the rows that they change.
@MainActor
final class WatchedList: BatchUpdating {
    let isShown = true
    /// The number of cells that the last update deleted.
    private(set) var deletedCount = 0
    private var sections = ListModel.Sections()
    /// The change of each cell in the last update, by section and cell.
    private var changes: [[WatchedRow.Change?]] = []
    private var batch = Batch()
    /// The language of dates.
    private let locale: Locale

    /// The sections and cells that the batch in progress removes and adds. A move removes at its source and adds at its target.
    private struct Batch {
        var deletedSections: [Int] = []
        var addedSections: [(place: Int, source: Int?)] = []
        var removedCells: [CellPlace] = []
        var addedCells: [(place: CellPlace, change: WatchedRow.Change?)] = []
    }

    /// Creates an empty list.
    ///
    /// - Parameter locale: The language of the screen, or `nil` if it is not known.
    init(locale: String? = nil) {
        self.locale = Locale(identifier: locale ?? "en")
    }

    /// The current rows of the list.
    var rows: [WatchedRow] { rows(at: .now).rows }

    /// Returns the rows of the list at a time, with the changes of the last update. Hidden cells have no row.
    ///
    /// - Returns: The rows, and the next time at which the text of a date in them changes.
    func rows(at now: Date) -> (rows: [WatchedRow], until: Date?) {
        var until: Date?
        func show(_ date: LiveDate) -> String {
            if let change = date.nextChange(after: now) { until = min(until ?? change, change) }
            return date.text(at: now, in: locale)
        }
        let rows = zip(sections, changes).flatMap { section, changes in
            let cells = zip(section.cells, changes).compactMap { WatchedRow($0, $1, show: show) }
            let views = [section.header, section.footer].map { $0.map { WatchedRow($0, show: show) } }
            return [views[0]].compactMap { $0 } + cells + [views[1]].compactMap { $0 }
        }
        return (rows, until)
    }

    /// Shows an update. If it has stages, the rows that they change are marked.
    func show(_ update: ListUpdate) {
        deletedCount = 0
        changes = changes.map { $0.map { _ in nil } }
        reload(using: update) { sections = $0 }
    }

    func reloadData() {
        changes = sections.map { $0.cells.map { _ in nil } }
    }

    func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
        batch = Batch()
        updates()
        endBatch()
        completion(true)
    }

    func perform(_ operation: ListOperation) {
        switch operation {
        case .deleteSections(let sections): batch.deletedSections += sections
        case .insertSections(let sections): batch.addedSections += sections.map { ($0, nil) }
        case .moveSection(let source, let target): batch.addedSections.append((target, source))
        // These operations change only headers and footers, whose rows are read from the data.
        case .updateSections, .reloadSections: break
        case .deleteCells(let places):
            batch.removedCells += places
            deletedCount += places.count
        case .insertCells(let places): batch.addedCells += places.map { ($0, .inserted) }
        case .reconfigureCells(let places), .reloadCells(let places):
            for place in places { mark(place, .updated) }
        case .moveCell(let source, let target):
            mark(source, .moved)
            batch.removedCells.append(source)
            batch.addedCells.append((target, changes[source.section][source.item]))
        }
    }

    /// Marks a cell. A cell that the same update inserted remains marked as inserted.
    private func mark(_ place: CellPlace, _ change: WatchedRow.Change) {
        if changes[place.section][place.item] != .inserted { changes[place.section][place.item] = change }
    }

    /// Applies the batch to `changes`. The removed sections and cells are given by their places before the batch, and the added ones by
    /// their places after the batch.
    private func endBatch() {
        for (section, places) in Dictionary(grouping: batch.removedCells, by: \.section) {
            let removed = Set(places.map(\.item))
            changes[section] = changes[section].indices.filter { !removed.contains($0) }.map { changes[section][$0] }
        }
        deletedCount += batch.deletedSections.reduce(0) { $0 + changes[$1].count }
        let added = batch.addedSections.sorted { $0.place < $1.place }.map { place, source in
            (place, source.map { changes[$0] } ?? sections[place].cells.map { _ in .inserted })
        }
        let removed = batch.deletedSections + batch.addedSections.compactMap(\.source)
        for section in removed.sorted(by: >) { changes.remove(at: section) }
        for (place, section) in added { changes.insert(section, at: place) }
        for (section, cells) in Dictionary(grouping: batch.addedCells, by: \.place.section) {
            var (old, new) = (changes[section].makeIterator(), [WatchedRow.Change?]())
            for cell in cells.sorted(by: { $0.place.item < $1.place.item }) {
                while new.count < cell.place.item, let change = old.next() { new.append(change) }
                precondition(new.count == cell.place.item, "a batch inserts a cell after the end of its section")
                new.append(cell.change)
            }
            changes[section] = new + IteratorSequence(old)
        }
    }
}
