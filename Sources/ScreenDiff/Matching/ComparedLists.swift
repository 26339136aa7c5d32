/// Two lists that the matcher compares: the source and the target.
///
/// A section is represented by its index, and a cell by its number. Cells are numbered consecutively across all sections of a list.
/// Matching is inlinable, so that the compiler specialises it for each conforming type.
@usableFromInline
protocol ComparedLists {
    var source: CellNumbering { get }
    var target: CellNumbering { get }
    /// A Boolean value that indicates whether all cells of each list are known to have different identifiers.
    var areCellsUnique: Bool { get }

    func isSameCell(source: Int, target: Int) -> Bool
    func isSameCell(source: Int, source other: Int) -> Bool
    func cellHash(source: Int) -> UInt64
    func cellHash(target: Int) -> UInt64
    /// Compares `count` neighbouring cells that begin at the place `source` with `count` cells that begin at the place `target`. Returns
    /// the offset of the first cell whose content differs, or nil.
    func firstChange(source: CellPlace, target: CellPlace, count: Int) -> Int?

    func isSameSection(source: Int, target: Int) -> Bool
    func isSameSection(source: Int, source other: Int) -> Bool
    func sectionHash(source: Int) -> UInt64
    func sectionHash(target: Int) -> UInt64
    func areViewsEqual(source: Int, target: Int) -> Bool
}

extension ComparedLists {
    @inlinable
    func commonPrefix(source: Int, target: Int, limit: Int) -> Int {
        var length = 0
        while length < limit, isSameCell(source: source + length, target: target + length) { length += 1 }
        return length
    }

    /// Returns the number of equal cells that directly precede `source` and `target`.
    @inlinable
    func commonSuffix(source: Int, target: Int, limit: Int) -> Int {
        var length = 0
        while length < limit, isSameCell(source: source - 1 - length, target: target - 1 - length) { length += 1 }
        return length
    }
}

/// A conversion between the places of cells and their numbers. The cells of a list are numbered consecutively across all its sections.
@usableFromInline
struct CellNumbering {
    /// The number of the first cell of each section, followed by the total number of cells.
    @usableFromInline let offsets: [Int]
    /// The index of the section of every sixteenth cell, followed by the index of the last section. With these landmarks, most sections are
    /// found without a search. The array is empty if the list has at most one section.
    @usableFromInline let landmarks: [Int32]

    @inlinable var sectionCount: Int { offsets.count - 1 }
    @inlinable var cellCount: Int { offsets[offsets.count - 1] }
    @inlinable static var landmarkDistance: Int { 16 }

    @inlinable
    init(cellCounts: some Sequence<Int>) {
        var offsets: [Int] = []
        offsets.reserveCapacity(cellCounts.underestimatedCount + 1)
        offsets.append(0)
        var total = 0
        for count in cellCounts {
            total += count
            offsets.append(total)
        }
        self.offsets = offsets
        landmarks = Self.landmarks(offsets)
    }

    @usableFromInline
    static func landmarks(_ offsets: [Int]) -> [Int32] {
        var landmarks: [Int32] = []
        guard offsets.count > 2 else { return landmarks }
        landmarks.reserveCapacity(offsets[offsets.count - 1] / landmarkDistance + 2)
        for section in offsets.indices.dropLast() {
            while landmarks.count * landmarkDistance < offsets[section + 1] { landmarks.append(Int32(truncatingIfNeeded: section)) }
        }
        landmarks.append(Int32(truncatingIfNeeded: offsets.count - 2))
        return landmarks
    }

    @inlinable
    func cells(of section: Int) -> Range<Int> {
        offsets[section]..<offsets[section + 1]
    }

    /// Returns the index of the section that contains a cell. It is the last section whose value in `offsets` is not greater than `cell`.
    @inlinable
    func section(of cell: Int) -> Int {
        guard !landmarks.isEmpty else { return 0 }
        let landmark = cell / Self.landmarkDistance
        var low = Int(landmarks[landmark])
        let last = Int(landmarks[landmark + 1])
        // In most cases, only two sections are possible. One is selected without a branch, because a branch could be mispredicted.
        guard last - low > 1 else { return offsets[last] <= cell ? last : low }
        var high = last + 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if offsets[middle] <= cell { low = middle } else { high = middle }
        }
        return low
    }

    func place(of cell: Int) -> CellPlace {
        let section = section(of: cell)
        return CellPlace(section: section, item: cell - offsets[section])
    }

    func number(of place: CellPlace) -> Int {
        offsets[place.section] + place.item
    }
}
