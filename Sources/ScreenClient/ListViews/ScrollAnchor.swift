public import ScreenDiff
import ScreenWire

/// The row that a list view keeps in place while it performs a change, so that changes above this row do not move the text that the user
/// reads.
public struct ScrollAnchor: Hashable, Sendable {
    /// The place of the row before the change.
    public let before: CellPlace
    /// The place of the row after the change.
    public let after: CellPlace

    /// Finds the first visible row that survives a change and does not move. Returns `nil` if there is no such row.
    ///
    /// Only the operations of the stages are read. If the whole content is new, all its cells are read, and the row can have any place.
    ///
    /// - Parameters:
    ///   - visible: The places of the visible rows, from top to bottom. Each must exist in `sections`.
    ///   - sections: The sections before the change.
    public init?(visible: [CellPlace], of sections: ListModel.Sections, in update: ListUpdate) {
        let found: (CellPlace, CellPlace)?
        switch update.kind {
        case .stages(let steps):
            let moves = steps.map { PlaceChange($0.stage) }
            found = Self.first(of: visible) { place in moves.reduce(place) { place, change in place.flatMap(change.place(after:)) } }
        case .snapshot:
            let places = update.model.places(of: Set(visible.map { ExactText(sections[$0.section].cells[$0.item].id) }))
            found = Self.first(of: visible) { places[ExactText(sections[$0.section].cells[$0.item].id)] }
        }
        guard let found else { return nil }
        (before, after) = found
    }

    private static func first(of places: [CellPlace], placeAfter: (CellPlace) -> CellPlace?) -> (CellPlace, CellPlace)? {
        for place in places {
            if let after = placeAfter(place) { return (place, after) }
        }
        return nil
    }

    /// Returns the content offset that keeps the row in place.
    ///
    /// - Parameters:
    ///   - offset: The content offset before the change. The view may have changed its own offset during the change.
    ///   - oldTop: The position of the row in the content before the change.
    ///   - newTop: The position of the row in the content after the change.
    ///   - limits: The least and the greatest offset after the change. If the content is shorter than the view, `greatest` is less than
    ///     `least`, and the result is `least`.
    public static func offset(before offset: Double, oldTop: Double, newTop: Double, limits: (least: Double, greatest: Double)) -> Double {
        max(min(offset + newTop - oldTop, limits.greatest), limits.least)
    }
}

extension ListModel {
    /// Returns the places of the cells that have one of these ids.
    fileprivate func places(of ids: Set<ExactText>) -> [ExactText: CellPlace] {
        var places: [ExactText: CellPlace] = [:]
        for (index, section) in sections.enumerated() where places.count < ids.count {
            for (item, cell) in section.cells.enumerated() where ids.contains(ExactText(cell.id)) {
                places[ExactText(cell.id)] = CellPlace(section: index, item: item)
            }
        }
        return places
    }
}

/// The places that the cells of a list have after a stage. The stage must not have operations on both cells and sections.
private struct PlaceChange {
    private let sections: IndexChange
    private let cells: [Int: IndexChange]

    init(_ stage: Stage) {
        var sections = IndexChange()
        for index in stage.deleteSections + stage.moveSections.map(\.source) { sections.removed.append(index..<index + 1) }
        for index in stage.insertSections.map(\.place) + stage.moveSections.map(\.destination) { sections.added.append(index..<index + 1) }
        var cells: [Int: IndexChange] = [:]
        for run in stage.deleteCells + stage.moveCells.map({ CellRun(place: $0.source, count: $0.count) }) {
            cells[run.place.section, default: IndexChange()].removed.append(run.place.item..<run.place.item + run.count)
        }
        for run in stage.insertCells.map(\.run) + stage.moveCells.map({ CellRun(place: $0.destination, count: $0.count) }) {
            cells[run.place.section, default: IndexChange()].added.append(run.place.item..<run.place.item + run.count)
        }
        self.sections = sections.sorted
        self.cells = cells.mapValues(\.sorted)
    }

    /// Returns the new place of the cell that is at `place` before the stage, or `nil` if the stage deletes or moves the cell or its
    /// section.
    func place(after place: CellPlace) -> CellPlace? {
        guard let section = sections.index(after: place.section) else { return nil }
        guard let cells = cells[place.section] else { return CellPlace(section: section, item: place.item) }
        return cells.index(after: place.item).map { CellPlace(section: section, item: $0) }
    }
}

/// The ranges of elements that a stage removes from a list, and the ranges that it adds. The added ranges are indices after the stage.
private struct IndexChange {
    var removed: [Range<Int>] = []
    var added: [Range<Int>] = []

    var sorted: IndexChange {
        IndexChange(removed: removed, added: added.sorted { $0.lowerBound < $1.lowerBound })
    }

    /// Returns the new index of the element at `index`, or `nil` if the element itself is removed.
    func index(after index: Int) -> Int? {
        guard !removed.contains(where: { $0.contains(index) }) else { return nil }
        let rest = removed.reduce(index) { $1.upperBound <= index ? $0 - $1.count : $0 }
        return added.reduce(rest) { $1.lowerBound <= $0 ? $0 + $1.count : $0 }
    }
}
