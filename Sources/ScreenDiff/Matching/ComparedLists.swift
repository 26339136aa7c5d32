/// Two lists that the matcher compares. Sections and cells are compared by identity and by content.
///
/// Typed collections and outlines conform. Matching is inlinable, so that it is specialised for the conforming types. Staging is not
/// inlinable. The cells of a list are numbered consecutively across all its sections.
@usableFromInline
protocol ComparedLists {
    var source: CellNumbering { get }
    var target: CellNumbering { get }
    /// A Boolean value that indicates whether, in each list, all cells are known to have different identifiers.
    var areCellsUnique: Bool { get }

    func isSameCell(source: Int, target: Int) -> Bool
    func isSameCell(source: Int, source other: Int) -> Bool
    func cellHash(source: Int) -> UInt64
    func cellHash(target: Int) -> UInt64
    /// Compares the contents of `count` pairs of cells, and returns the index of the first pair with different contents.
    /// Returns nil if all contents are equal. The cells start at the given places, and the compared cells of each list are
    /// neighbours in one section.
    func firstChange(source: CellPlace, target: CellPlace, count: Int) -> Int?

    func isSameSection(source: Int, target: Int) -> Bool
    func isSameSection(source: Int, source other: Int) -> Bool
    func sectionHash(source: Int) -> UInt64
    func sectionHash(target: Int) -> UInt64
    func areViewsEqual(source: Int, target: Int) -> Bool
}

extension ComparedLists {
    /// Returns the number of consecutive cells that have the same identifiers in both lists, starting at the given cells. The
    /// result is at most `limit`.
    @inlinable
    func commonPrefix(source: Int, target: Int, limit: Int) -> Int {
        var length = 0
        while length < limit, isSameCell(source: source + length, target: target + length) { length += 1 }
        return length
    }

    /// Returns the number of consecutive cells that have the same identifiers in both lists, ending directly before the given
    /// cells. The result is at most `limit`.
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
    /// For every sixteenth cell, the index of the section that contains the cell. The index of the last section follows. The array is empty
    /// if the list has at most one section. With these landmarks, the section of most cells is found without a search.
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

    /// Returns the index of the section that contains the cell with the number `cell`. This is the last section whose offset is not greater
    /// than `cell`. An empty section is never returned, because the section after it has the same offset.
    @inlinable
    func section(of cell: Int) -> Int {
        guard !landmarks.isEmpty else { return 0 }
        let landmark = cell / Self.landmarkDistance
        var low = Int(landmarks[landmark])
        let last = Int(landmarks[landmark + 1])
        // In most cases only two sections are possible. The right one is selected without a branch, which could be
        // mispredicted.
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
