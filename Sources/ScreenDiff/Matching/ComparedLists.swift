/// Two lists as matching sees them: which cells are the same, and whether they show the same.
///
/// Typed collections and outlines both take this form. Matching is inlinable and so specialised for the
/// types that it compares; from staging on, all are one. Cells are numbered through all sections of
/// their list.
@usableFromInline
protocol ComparedLists {
    var source: CellNumbering { get }
    var target: CellNumbering { get }
    /// Whether it is known that no identifier of a cell occurs twice in a list.
    var areCellsUnique: Bool { get }

    func isSameCell(source: Int, target: Int) -> Bool
    func isSameCell(source: Int, source other: Int) -> Bool
    func cellHash(source: Int) -> UInt64
    func cellHash(target: Int) -> UInt64
    /// The first of `count` pairs, within a section on either side, whose contents differ, counted from
    /// 0; nil if none.
    func firstChange(source: CellPlace, target: CellPlace, count: Int) -> Int?

    func isSameSection(source: Int, target: Int) -> Bool
    func isSameSection(source: Int, source other: Int) -> Bool
    func sectionHash(source: Int) -> UInt64
    func sectionHash(target: Int) -> UInt64
    func areViewsEqual(source: Int, target: Int) -> Bool
}

extension ComparedLists {
    /// How many cells from these places on are the same, one by one; at most `limit`.
    @inlinable
    func commonPrefix(source: Int, target: Int, limit: Int) -> Int {
        var length = 0
        while length < limit, isSameCell(source: source + length, target: target + length) { length += 1 }
        return length
    }

    /// How many cells before these places are the same, one by one, backwards; at most `limit`.
    @inlinable
    func commonSuffix(source: Int, target: Int, limit: Int) -> Int {
        var length = 0
        while length < limit, isSameCell(source: source - 1 - length, target: target - 1 - length) { length += 1 }
        return length
    }
}

/// The numbers of a list's cells, which are counted through all its sections.
@usableFromInline
struct CellNumbering {
    /// Where each section's cells begin among all cells; one entry more than there are sections.
    @usableFromInline let offsets: [Int]
    /// The section of each cell whose number is a multiple of 16, and the last section: it takes no search then
    /// to know the section of most cells. None where all cells are in one.
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

    /// The section that a cell is in: the last that begins at it or before, which is never an empty
    /// one, since the next section begins there too.
    @inlinable
    func section(of cell: Int) -> Int {
        guard !landmarks.isEmpty else { return 0 }
        let landmark = cell / Self.landmarkDistance
        var low = Int(landmarks[landmark])
        let last = Int(landmarks[landmark + 1])
        // Mostly it is one of two at most, and which of them is found without a branch that could be mispredicted.
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
