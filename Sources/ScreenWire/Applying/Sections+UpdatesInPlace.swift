import ScreenDiff

extension [SnapshotTree.Section] {
    /// Returns the updates of a stage that keep a view, because its type stays the same. These are the sections before the stage. Only
    /// updated cells and views are read. Places that are out of bounds are ignored.
    func updatesInPlace(of stage: ChangesetTree.Stage) -> UpdatesInPlace {
        var updates = UpdatesInPlace()
        for (place, cell) in zip(stage.operations.updateCells.lazy.map(\.place), stage.updatedCells) {
            guard indices.contains(place.section), self[place.section].cells.indices.contains(place.item) else { continue }
            let old = self[place.section].cells[place.item]
            if ExactText(old.type) == ExactText(cell.type) { updates.cells.insert(place) }
        }
        for (place, views) in zip(stage.operations.updateSections, stage.updatedViews) where indices.contains(place) {
            if self[place].showsViews(ofTypes: views.types) { updates.sections.insert(place) }
        }
        return updates
    }
}

extension SnapshotTree.Section {
    /// Returns a Boolean value that indicates whether a list view shows views of these types for the section.
    fileprivate func showsViews(ofTypes types: [ExactText: ExactText]) -> Bool {
        if views.types == types { return true }
        // The view of a cell that has left the section in an earlier stage has left together with the cell.
        let cells = Set(cells.lazy.map { ExactText($0.id) })
        let shown = views.supplementary.filter { view in view.cell.map { cells.contains(ExactText($0)) } ?? true }
        return SnapshotTree.Views(header: views.header, footer: views.footer, supplementary: shown).types == types
    }
}

extension SnapshotTree.Views {
    /// The types of the views, by the place of the view in the section.
    fileprivate var types: [ExactText: ExactText] {
        var types: [ExactText: ExactText] = [:]
        if let header { types[ExactText("header")] = ExactText(header.type) }
        if let footer { types[ExactText("footer")] = ExactText(footer.type) }
        for view in supplementary {
            let owner = view.cell.map { "cell \($0)" } ?? "item \(view.item ?? 0)"
            types[ExactText("\(view.kind) at \(owner)")] = ExactText(view.view.type)
        }
        return types
    }
}
