/// All that is needed to compare a snapshot: ids and fingerprints of contents, no content.
///
/// History keeps outlines of what clients hold. Two 64-bit words a cell; ids and contents are
/// stand-ins by a keyed hash, made where snapshots are rendered.
public struct Outline: Hashable, Sendable {
    public package(set) var sections: [Section]
    /// The cells of all sections, in order.
    public package(set) var cells: [Cell]

    /// What is known of a cell.
    public struct Cell: Hashable, Sendable {
        public var id: UInt64
        /// A fingerprint of everything that is written of the cell.
        public var content: UInt64

        public init(id: UInt64, content: UInt64) {
            self.id = id
            self.content = content
        }
    }

    /// What is known of a section but its cells, and how many those are.
    public struct Section: Hashable, Sendable {
        public var id: UInt64
        /// A fingerprint of header, footer and supplementary views.
        public var views: UInt64
        public var cellCount: Int

        public init(id: UInt64, views: UInt64, cellCount: Int) {
            self.id = id
            self.views = views
            self.cellCount = cellCount
        }
    }

    /// Creates an outline of ids that each occur once.
    ///
    /// - Precondition: the sections' counts are not negative, and add up to the number of cells.
    public init(sections: [Section], cells: [Cell]) {
        precondition(
            sections.allSatisfy { $0.cellCount >= 0 } && sections.reduce(0) { $0 + $1.cellCount } == cells.count,
            "an outline's counts fit its cells"
        )
        self.sections = sections
        self.cells = cells
    }
}

extension Outline {
    /// The stages that turn `source` into this outline; none if they are the same.
    ///
    /// - Parameter anchor: the id of a cell that stays in place rather than another, where that costs
    ///   no further move.
    public func stages(from source: Outline, anchor: UInt64? = nil) -> [Stage] {
        if let stages = stagesInPlace(from: source) { return stages }
        let anchor = anchor.flatMap { id in source.cells.firstIndex { $0.id == id } }
        return Staging.stages(for: Correspondence(ComparedOutlines(source, self)), anchor: anchor)
    }

    /// The stages where each cell and section stands where it stood, as after most changes: only contents can differ, and
    /// there is nothing to be matched. Nil where one has come, gone or moved.
    private func stagesInPlace(from source: Outline) -> [Stage]? {
        guard sections.count == source.sections.count, cells.count == source.cells.count,
            sections.indices.allSatisfy({ sections[$0].isInPlace(of: source.sections[$0]) }),
            cells.indices.allSatisfy({ cells[$0].id == source.cells[$0].id })
        else { return nil }
        var (contents, views) = (Stage(), Stage())
        var start = 0
        for (place, section) in sections.enumerated() {
            for cell in start..<start + section.cellCount where cells[cell].content != source.cells[cell].content {
                let place = CellPlace(section: place, item: cell - start)
                contents.updateCells.append(CellUpdate(place: place, target: place))
            }
            if section.views != source.sections[place].views { views.updateSections.append(place) }
            start += section.cellCount
        }
        return [contents, views].filter { !$0.isEmpty }
    }
}

extension Outline.Section {
    fileprivate func isInPlace(of other: Outline.Section) -> Bool {
        id == other.id && cellCount == other.cellCount
    }
}

/// Two outlines. Ids are hashes already and need no other.
private struct ComparedOutlines: ComparedLists {
    let old: Outline
    let new: Outline
    let source: CellNumbering
    let target: CellNumbering

    init(_ old: Outline, _ new: Outline) {
        self.old = old
        self.new = new
        source = CellNumbering(cellCounts: old.sections.lazy.map(\.cellCount))
        target = CellNumbering(cellCounts: new.sections.lazy.map(\.cellCount))
    }

    /// Rendering gives out every id once.
    var areCellsUnique: Bool { true }

    func isSameCell(source: Int, target: Int) -> Bool { old.cells[source].id == new.cells[target].id }
    func isSameCell(source: Int, source other: Int) -> Bool { old.cells[source].id == old.cells[other].id }
    func cellHash(source: Int) -> UInt64 { old.cells[source].id }
    func cellHash(target: Int) -> UInt64 { new.cells[target].id }

    func firstChange(source: CellPlace, target: CellPlace, count: Int) -> Int? {
        let first = self.source.number(of: source)
        let second = self.target.number(of: target)
        return (0..<count).first { old.cells[first + $0].content != new.cells[second + $0].content }
    }

    func isSameSection(source: Int, target: Int) -> Bool { old.sections[source].id == new.sections[target].id }
    func isSameSection(source: Int, source other: Int) -> Bool { old.sections[source].id == old.sections[other].id }
    func sectionHash(source: Int) -> UInt64 { old.sections[source].id }
    func sectionHash(target: Int) -> UInt64 { new.sections[target].id }
    func areViewsEqual(source: Int, target: Int) -> Bool { old.sections[source].views == new.sections[target].views }
}
