import ScreenDiff

extension [SnapshotTree.Section] {
    /// Returns the updates for which a list view need not replace a view, because the existing view can show the new content. The sections
    /// must be in their state before the stage. Places that are out of bounds are ignored.
    func updatesInPlace(
        of stage: ChangesetTree.Stage, keepsView: (ContentObject, ContentObject) -> Bool
    ) -> UpdatesInPlace {
        var updates = UpdatesInPlace()
        for (place, cell) in zip(stage.operations.updateCells.lazy.map(\.place), stage.updatedCells) {
            guard indices.contains(place.section), self[place.section].cells.indices.contains(place.item) else { continue }
            let old = self[place.section].cells[place.item]
            if old.object.hasSameType(as: cell.object), keepsView(old.object, cell.object) { updates.cells.insert(place) }
        }
        for (place, views) in zip(stage.operations.updateSections, stage.updatedViews) where indices.contains(place) {
            if self[place].keepsViews(for: views, keepsView) { updates.sections.insert(place) }
        }
        return updates
    }
}

extension SnapshotTree.Section {
    /// Returns a Boolean value that indicates whether the existing header, footer and supplementary views of the section can show the new
    /// content.
    fileprivate func keepsViews(for new: SnapshotTree.Views, _ keepsView: (ContentObject, ContentObject) -> Bool) -> Bool {
        if views.canShow(new, keepsView) { return true }
        // If an earlier stage has moved or deleted a cell of this section, the list view no longer shows the supplementary views of that
        // cell here.
        let cells = Set(cells.lazy.map { ExactText($0.id) })
        let shown = views.supplementary.filter { view in view.cell.map { cells.contains(ExactText($0)) } ?? true }
        return SnapshotTree.Views(header: views.header, footer: views.footer, supplementary: shown).canShow(new, keepsView)
    }
}

extension SnapshotTree.Views {
    fileprivate func canShow(_ new: SnapshotTree.Views, _ keepsView: (ContentObject, ContentObject) -> Bool) -> Bool {
        let (old, new) = (objects, new.objects)
        return old.count == new.count
            && old.allSatisfy { place, old in new[place].map { old.hasSameType(as: $0) && keepsView(old, $0) } ?? false }
    }

    /// The content of each view. The key is the place of the view in the section.
    private var objects: [ExactText: ContentObject] {
        var objects: [ExactText: ContentObject] = [:]
        if let header { objects[ExactText("header")] = header.object }
        if let footer { objects[ExactText("footer")] = footer.object }
        for view in supplementary {
            let owner = view.cell.map { "cell \($0)" } ?? "item \(view.item ?? 0)"
            objects[ExactText("\(view.kind) at \(owner)")] = view.view.object
        }
        return objects
    }
}

extension ContentObject {
    fileprivate func hasSameType(as other: ContentObject) -> Bool { ExactText(type) == ExactText(other.type) }
}
