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
    /// Only the operations of the stages are read. If the whole content is new, all its cells are read.
    ///
    /// - Parameters:
    ///   - visible: The places of the visible rows, from top to bottom.
    ///   - sections: The sections before the change.
    public init?(visible: [CellPlace], of sections: ListModel.Sections, in update: ListUpdate) {
        let found: (CellPlace, CellPlace)?
        switch update.kind {
        case .stages(let steps):
            found = visible.lazy.compactMap { place in steps.places(after: place).map { (place, $0) } }.first
        case .snapshot:
            let places = update.model.places(of: Set(visible.map { ExactText(sections[$0.section].cells[$0.item].id) }))
            found =
                visible.lazy.compactMap { place in
                    places[ExactText(sections[place.section].cells[place.item].id)].map { (place, $0) }
                }.first
        }
        guard let found else { return nil }
        (before, after) = found
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

extension [ListUpdate.Step] {
    /// Returns the new place of the cell that is at `place` before the first step, or `nil` if a step deletes or moves the cell or its
    /// section.
    fileprivate func places(after place: CellPlace) -> CellPlace? {
        reduce(place) { place, step in place.flatMap { step.stage.place(after: $0) } }
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

extension Stage {
    /// Returns the new place of the cell that is at `place` before the stage, or `nil` if the stage deletes or moves the cell or its
    /// section. The stage must not have operations on both cells and sections.
    func place(after place: CellPlace) -> CellPlace? {
        let gone = deleteCells + moveCells.map { CellRun(place: $0.source, count: $0.count) }
        let new = insertCells.map(\.run) + moveCells.map { CellRun(place: $0.destination, count: $0.count) }
        func ranges(_ runs: [CellRun]) -> [Range<Int>] {
            runs.filter { $0.place.section == place.section }.map { $0.place.item..<$0.place.item + $0.count }
        }
        func single(_ index: Int) -> Range<Int> { index..<index + 1 }
        let item = Self.index(after: place.item, without: ranges(gone), with: ranges(new))
        let section = Self.index(
            after: place.section, without: (deleteSections + moveSections.map(\.source)).map(single),
            with: (insertSections.map(\.place) + moveSections.map(\.destination)).map(single))
        guard let item, let section else { return nil }
        return CellPlace(section: section, item: item)
    }

    /// Returns the new index of the element at `index` when the elements in `gone` are removed and the elements in `new` are added. Returns
    /// `nil` if the element itself is removed. The ranges in `new` are indices after the change.
    private static func index(after index: Int, without gone: [Range<Int>], with new: [Range<Int>]) -> Int? {
        guard !gone.contains(where: { $0.contains(index) }) else { return nil }
        let rest = gone.reduce(index) { $1.upperBound <= index ? $0 - $1.count : $0 }
        return new.sorted { $0.lowerBound < $1.lowerBound }.reduce(rest) { $1.lowerBound <= $0 ? $0 + $1.count : $0 }
    }
}
