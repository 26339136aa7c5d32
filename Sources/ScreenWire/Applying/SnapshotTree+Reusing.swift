extension SnapshotTree {
    /// Replaces each cell, header and footer by its counterpart in an earlier snapshot if their contents are equal. So values that were
    /// decoded from the earlier snapshot are reused.
    ///
    /// A cell and its counterpart have the same id. A header or a footer and its counterpart are in sections with the same id.
    public mutating func reuse(_ earlier: SnapshotTree) {
        var cells: [ExactText: Cell] = [:]
        var views: [ExactText: Views] = [:]
        cells.reserveCapacity(earlier.sections.reduce(0) { $0 + $1.cells.count })
        for section in earlier.sections {
            views[ExactText(section.id)] = section.views
            for cell in section.cells { cells[ExactText(cell.id)] = cell }
        }
        for index in sections.indices {
            for item in sections[index].cells.indices {
                let cell = sections[index].cells[item]
                guard let old = cells[ExactText(cell.id)], old.content == cell.content else { continue }
                sections[index].cells[item] = old
            }
            if let old = views[ExactText(sections[index].id)] { sections[index].views = sections[index].views.reusing(old) }
        }
    }
}

extension SnapshotTree.Views {
    func reusing(_ earlier: SnapshotTree.Views) -> SnapshotTree.Views {
        SnapshotTree.Views(
            header: header.reusing(earlier.header), footer: footer.reusing(earlier.footer), supplementary: supplementary)
    }
}

extension SnapshotTree.View? {
    fileprivate func reusing(_ earlier: SnapshotTree.View?) -> SnapshotTree.View? {
        self?.content == earlier?.content ? earlier : self
    }
}
