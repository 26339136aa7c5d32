/// The ids and content fingerprints of a snapshot, without its content.
///
/// History stores the outlines of versions that clients hold. A cell of an outline consists of two 64-bit words. Rendering
/// computes both words with a keyed hash function.
public struct Outline: Hashable, Sendable {
    public package(set) var sections: [Section]
    /// The cells of all sections, in order.
    public package(set) var cells: [Cell]

    /// A cell of an outline.
    public struct Cell: Hashable, Sendable {
        public var id: UInt64
        /// The fingerprint of all rendered content of the cell.
        public var content: UInt64

        public init(id: UInt64, content: UInt64) {
            self.id = id
            self.content = content
        }
    }

    /// A section of an outline, with the number of its cells.
    public struct Section: Hashable, Sendable {
        public var id: UInt64
        /// The fingerprint of the header, the footer and the supplementary views of the section.
        public var views: UInt64
        public var cellCount: Int

        public init(id: UInt64, views: UInt64, cellCount: Int) {
            self.id = id
            self.views = views
            self.cellCount = cellCount
        }
    }

    /// Creates an outline. Every id must be unique.
    ///
    /// - Precondition: the cell counts of the sections are not negative, and their sum is the number of `cells`.
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
    /// Returns the stages that change `source` into this outline. There are no stages if the outlines are equal.
    ///
    /// - Parameter anchor: the id of a cell that stays in place if this needs no additional move.
    public func stages(from source: Outline, anchor: UInt64? = nil) -> [Stage] {
        if let stages = stagesInPlace(from: source) { return stages }
        let anchor = anchor.flatMap { id in source.cells.firstIndex { $0.id == id } }
        return Staging.stages(for: Correspondence(ComparedOutlines(source, self)), anchor: anchor)
    }

    /// Returns the stages if only contents differ, as in most changes. Returns nil if any cell or section has a different place.
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

/// Two outlines that the matcher compares. Ids serve as hashes, because an id of an outline is a hash.
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
