extension Outline {
    /// The stages that turn `source` into this outline; none if they are the same.
    public func stages(from source: Outline) -> [Stage] {
        Staging.stages(for: Correspondence(source: OutlineSide(source), target: OutlineSide(self), isUnique: true))
    }
}

/// Shows an outline to matching. Ids are hashes already and need no other.
private struct OutlineSide: MatchingSide {
    let outline: Outline
    let shape: Shape

    init(_ outline: Outline) {
        self.outline = outline
        shape = Shape(cellCounts: outline.sections.lazy.map(\.cellCount))
    }

    func cellID(_ cell: Int) -> UInt64 { outline.cells[cell].id }
    func sectionID(_ section: Int) -> UInt64 { outline.sections[section].id }
    static func hash(_ id: UInt64) -> UInt64 { id }
    static func hash(section id: UInt64) -> UInt64 { id }

    func isCellContentEqual(_ cell: Int, to other: OutlineSide, _ otherCell: Int) -> Bool {
        outline.cells[cell].content == other.outline.cells[otherCell].content
    }

    func areViewsEqual(_ section: Int, to other: OutlineSide, _ otherSection: Int) -> Bool {
        outline.sections[section].views == other.outline.sections[otherSection].views
    }
}
