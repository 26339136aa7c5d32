extension SectionedList {
    /// Applies a stage that a caller created from operations.
    ///
    /// - Parameter after: the list after the stage. An updated element is read from this list, at the place that the element has there.
    mutating func apply(made stage: Stage, from after: SectionedList) throws(StageMisfit) {
        if stage.updateCells.isEmpty && stage.updateSections.isEmpty { return try apply(stage, from: after) }
        var others = stage
        (others.updateCells, others.updateSections) = ([], [])
        var left = SectionedList<Int?, CellPlace?>(
            sections: sections.indices.map { $0 },
            cells: cells.enumerated().map { section, cells in cells.indices.map { CellPlace(section: section, item: $0) } }
        )
        let unnamed = SectionedList<Int?, CellPlace?>(
            sections: after.sections.map { _ in nil }, cells: after.cells.map { $0.map { _ in nil } }
        )
        try left.apply(others, from: unnamed)
        let (sections, cells) = left.placesByName
        var stage = stage
        for index in stage.updateCells.indices {
            if let place = cells[stage.updateCells[index].place] { stage.updateCells[index].target = place }
        }
        try apply(stage, from: after, sectionUpdates: { sections[$0] ?? $0 })
    }
}

// A list that contains places instead of contents. Each section and each cell is represented by its place before a stage, or by nil if the
// stage inserts it.
extension SectionedList<Int?, CellPlace?> {
    fileprivate var placesByName: (sections: [Int: Int], cells: [CellPlace: CellPlace]) {
        var sectionPlaces: [Int: Int] = [:]
        var cellPlaces: [CellPlace: CellPlace] = [:]
        for (section, name) in sections.enumerated() {
            if let name { sectionPlaces[name] = section }
            for (item, name) in cells[section].enumerated() {
                if let name { cellPlaces[name] = CellPlace(section: section, item: item) }
            }
        }
        return (sectionPlaces, cellPlaces)
    }
}
