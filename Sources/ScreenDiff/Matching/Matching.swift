/// Is one side of a comparison as matching sees it: identifiers and contents by number.
///
/// Typed collections and outlines both take this form, and from here on are one.
protocol MatchingSide {
    associatedtype ID: Equatable
    associatedtype SectionID: Equatable

    var shape: Shape { get }
    func cellID(_ cell: Int) -> ID
    func sectionID(_ section: Int) -> SectionID
    static func hash(_ id: ID) -> UInt64
    static func hash(section id: SectionID) -> UInt64
    func isCellContentEqual(_ cell: Int, to other: Self, _ otherCell: Int) -> Bool
    func areViewsEqual(_ section: Int, to other: Self, _ otherSection: Int) -> Bool
}

extension Correspondence {
    /// Finds what became of each cell and section.
    ///
    /// - Parameter isUnique: whether no identifier of a cell occurs twice on a side. Only then may
    ///   equal ends of sections be paired without looking at the rest: with repeated identifiers
    ///   that could pair another than the k-th with the k-th.
    init<Side: MatchingSide>(source: Side, target: Side, isUnique: Bool) {
        self.source = source.shape
        self.target = target.shape
        targetOfSection = Array(repeating: Self.none, count: source.shape.sectionCount)
        sourceOfSection = Array(repeating: Self.none, count: target.shape.sectionCount)
        targetOfCell = Array(repeating: Self.none, count: source.shape.cellCount)
        sourceOfCell = Array(repeating: Self.none, count: target.shape.cellCount)
        trims = Array(repeating: Trim(), count: source.shape.sectionCount)
        pairSections(source, target)
        if isUnique { trimSections(source, target) }
        pairCells(source, target)
        compareContents(source, target)
    }

    private mutating func pairSections<Side: MatchingSide>(_ source: Side, _ target: Side) {
        let count = source.shape.sectionCount
        var table = IdentityTable(capacity: count, positionCount: count)
        for section in (0..<count).reversed() {
            let id = source.sectionID(section)
            table.insert(section, hash: Side.hash(section: id)) { source.sectionID($0) == id }
        }
        for section in 0..<target.shape.sectionCount {
            let id = target.sectionID(section)
            let found = table.take(hash: Side.hash(section: id)) { source.sectionID($0) == id }
            guard let found else { continue }
            targetOfSection[found] = Int32(truncatingIfNeeded: section)
            sourceOfSection[section] = Int32(truncatingIfNeeded: found)
        }
    }

    private mutating func trimSections<Side: MatchingSide>(_ source: Side, _ target: Side) {
        for section in trims.indices where targetOfSection[section] != Self.none {
            let old = self.source.cells(of: section)
            let new = self.target.cells(of: Int(targetOfSection[section]))
            let limit = min(old.count, new.count)
            var prefix = 0
            while prefix < limit, source.cellID(old.lowerBound + prefix) == target.cellID(new.lowerBound + prefix) {
                prefix += 1
            }
            var suffix = 0
            while suffix < limit - prefix,
                source.cellID(old.upperBound - 1 - suffix) == target.cellID(new.upperBound - 1 - suffix) {
                suffix += 1
            }
            trims[section] = Trim(prefix: prefix, suffix: suffix)
        }
    }

    private mutating func pairCells<Side: MatchingSide>(_ source: Side, _ target: Side) {
        let untrimmed = self.source.cellCount - trims.reduce(0) { $0 + $1.prefix + $1.suffix }
        guard untrimmed > 0 else { return }
        var table = IdentityTable(capacity: untrimmed, positionCount: self.source.cellCount)
        for section in trims.indices.reversed() {
            for cell in untrimmedCells(ofSource: section).reversed() {
                let id = source.cellID(cell)
                table.insert(cell, hash: Side.hash(id)) { source.cellID($0) == id }
            }
        }
        for section in sourceOfSection.indices {
            for cell in untrimmedCells(ofTarget: section) {
                let id = target.cellID(cell)
                guard let found = table.take(hash: Side.hash(id), isEqual: { source.cellID($0) == id }) else { continue }
                targetOfCell[found] = Int32(truncatingIfNeeded: cell)
                sourceOfCell[cell] = Int32(truncatingIfNeeded: found)
            }
        }
    }

    private mutating func compareContents<Side: MatchingSide>(_ source: Side, _ target: Side) {
        for section in trims.indices {
            let cells = self.source.cells(of: section)
            let untrimmed = untrimmedCells(ofSource: section)
            let counterpart = targetOfSection[section]
            if counterpart != Self.none {
                let new = self.target.cells(of: Int(counterpart))
                compare(source, cells.lowerBound..<untrimmed.lowerBound, target, from: new.lowerBound)
                comparePaired(source, untrimmed, target)
                compare(source, untrimmed.upperBound..<cells.upperBound, target, from: new.upperBound - trims[section].suffix)
            } else {
                comparePaired(source, untrimmed, target)
            }
        }
        for section in sourceOfSection.indices where sourceOfSection[section] != Self.none {
            if !source.areViewsEqual(Int(sourceOfSection[section]), to: target, section) { changedSections.append(section) }
        }
    }

    private mutating func compare<Side: MatchingSide>(
        _ source: Side, _ cells: Range<Int>, _ target: Side, from start: Int
    ) {
        let distance = start - cells.lowerBound
        for cell in cells where !source.isCellContentEqual(cell, to: target, cell + distance) {
            changedCells.append(Pair(source: cell, target: cell + distance))
        }
    }

    private mutating func comparePaired<Side: MatchingSide>(_ source: Side, _ cells: Range<Int>, _ target: Side) {
        for cell in cells where targetOfCell[cell] != Self.none {
            let counterpart = Int(targetOfCell[cell])
            if !source.isCellContentEqual(cell, to: target, counterpart) {
                changedCells.append(Pair(source: cell, target: counterpart))
            }
        }
    }

    func untrimmedCells(ofSource section: Int) -> Range<Int> {
        let cells = source.cells(of: section)
        return cells.lowerBound + trims[section].prefix..<cells.upperBound - trims[section].suffix
    }

    func untrimmedCells(ofTarget section: Int) -> Range<Int> {
        let cells = target.cells(of: section)
        guard sourceOfSection[section] != Self.none else { return cells }
        let trim = trims[Int(sourceOfSection[section])]
        return cells.lowerBound + trim.prefix..<cells.upperBound - trim.suffix
    }
}
