extension SnapshotTree {
    /// Replaces each cell, header and footer by its counterpart in an earlier snapshot if their contents are equal. So a value that was
    /// decoded from the counterpart is reused.
    ///
    /// The counterpart of a cell has the same id. The counterparts of a header and a footer are in the section with the same id. The
    /// content of this snapshot does not change.
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
    /// Returns a copy of these views. The header and the footer are replaced by the earlier ones if their contents are equal.
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
