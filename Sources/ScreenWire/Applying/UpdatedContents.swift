package import ScreenDiff

/// The contents that a stage updates, before and after the stage.
package struct UpdatedContents: Sendable {
    private var cells: [(place: CellPlace, old: ContentObject, new: ContentObject)] = []
    private var sections: [(index: Int, old: SnapshotTree.Section, new: SnapshotTree.Views)] = []

    /// Collects the contents. Places that are out of bounds are ignored.
    ///
    /// - Parameter before: The sections before the stage.
    init(of stage: ChangesetTree.Stage, in before: [SnapshotTree.Section]) {
        for (place, cell) in zip(stage.operations.updateCells.lazy.map(\.place), stage.updatedCells) {
            guard before.indices.contains(place.section), before[place.section].cells.indices.contains(place.item) else { continue }
            cells.append((place, before[place.section].cells[place.item].object, cell.object))
        }
        for (index, views) in zip(stage.operations.updateSections, stage.updatedViews) where before.indices.contains(index) {
            sections.append((index, before[index], views))
        }
    }

    /// Returns the updates that can be performed without replacing a view.
    ///
    /// - Parameter keepsView: Returns a Boolean value that indicates whether a view that shows the first content can show the second
    ///   content. Both contents have the same type.
    package func inPlace(keepsView: (ContentObject, ContentObject) -> Bool = { _, _ in true }) -> UpdatesInPlace {
        func canShow(_ old: ContentObject, _ new: ContentObject) -> Bool {
            ExactText(old.type) == ExactText(new.type) && keepsView(old, new)
        }
        var updates = UpdatesInPlace()
        for (place, old, new) in cells where canShow(old, new) { updates.cells.insert(place) }
        for (index, old, new) in sections where old.keepsViews(for: new, canShow) { updates.sections.insert(index) }
        return updates
    }
}

extension SnapshotTree.Section {
    /// Returns a Boolean value that indicates whether the views that are shown for this section can show the contents of `new`.
    fileprivate func keepsViews(for new: SnapshotTree.Views, _ canShow: (ContentObject, ContentObject) -> Bool) -> Bool {
        func canShowOptional(_ old: SnapshotTree.View?, _ new: SnapshotTree.View?) -> Bool {
            guard let old, let new else { return old == nil && new == nil }
            return canShow(old.object, new.object)
        }
        guard canShowOptional(header, new.header), canShowOptional(footer, new.footer) else { return false }
        var shown = views.places
        if shown.count > new.places.count {
            // A supplementary view disappears together with its cell. Therefore the views of cells that earlier stages removed from the
            // section are not shown.
            let cells = Set(cells.lazy.map { ExactText($0.id) })
            shown = shown.filter { place, _ in place.cell.map(cells.contains) ?? true }
        }
        return shown.count == new.places.count
            && shown.allSatisfy { place, old in new.places[place].map { canShow(old.object, $0.object) } ?? false }
    }
}
