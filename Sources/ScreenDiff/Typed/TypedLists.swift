#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Two lists of sections that the matcher compares.
@usableFromInline
struct TypedLists<Section: DifferentiableSection>: ComparedLists {
    @usableFromInline let source: CellNumbering
    @usableFromInline let target: CellNumbering
    @usableFromInline let old: Side
    @usableFromInline let new: Side
    @usableFromInline let hasher = IdentityHasher()

    /// A list with its identifiers. Each identifier is read only once, because it may be computed.
    @usableFromInline
    struct Side {
        @usableFromInline let sections: [Section]
        @usableFromInline let sectionIDs: [Section.DifferenceIdentifier]
        @usableFromInline let cells: [[Section.Collection.Element]]
        @usableFromInline let cellIDs: [Section.Collection.Element.DifferenceIdentifier]

        @inlinable
        init(_ sections: [Section]) {
            self.sections = sections
            sectionIDs = sections.map(\.differenceIdentifier)
            let cells = sections.map { Array($0.elements) }
            self.cells = cells
            // The loop uses indices, because a `for` loop over elements retains each element.
            cellIDs = Array(capacity: cells.reduce(0) { $0 + $1.count }) { ids in
                for section in cells {
                    for item in section.indices { ids.append(section[item].differenceIdentifier) }
                }
            }
        }

        @inlinable var list: SectionedList<Section, Section.Collection.Element> {
            SectionedList(sections: sections, cells: cells)
        }
    }

    @inlinable
    init(_ source: [Section], _ target: [Section]) {
        old = Side(source)
        new = Side(target)
        // Closures are used, because a key path of a generic type is looked up at each use.
        self.source = CellNumbering(cellCounts: old.cells.lazy.map { $0.count })
        self.target = CellNumbering(cellCounts: new.cells.lazy.map { $0.count })
    }

    @inlinable
    consuming func stages(anchor: Section.Collection.Element.DifferenceIdentifier?) -> [Stage] {
        let anchor = anchor.flatMap(old.cellIDs.firstIndex)
        // The lists are consumed, so that staging can reuse the memory of the identifiers.
        let pairs = Correspondence(self)
        return Staging.stages(for: pairs, anchor: anchor)
    }

    @inlinable var areCellsUnique: Bool { false }

    @inlinable
    func isSameCell(source: Int, target: Int) -> Bool { IdentityHasher.areEqual(old.cellIDs[source], new.cellIDs[target]) }
    @inlinable
    func isSameCell(source: Int, source other: Int) -> Bool { IdentityHasher.areEqual(old.cellIDs[source], old.cellIDs[other]) }
    @inlinable
    func cellHash(source: Int) -> UInt64 { hasher.hash(old.cellIDs[source]) }
    @inlinable
    func cellHash(target: Int) -> UInt64 { hasher.hash(new.cellIDs[target]) }

    @inlinable
    func firstChange(source: CellPlace, target: CellPlace, count: Int) -> Int? {
        let old = self.old.cells[source.section]
        let new = self.new.cells[target.section]
        for offset in 0..<count where !new[target.item + offset].isContentEqual(to: old[source.item + offset]) {
            return offset
        }
        return nil
    }

    @inlinable
    func isSameSection(source: Int, target: Int) -> Bool { old.sectionIDs[source] == new.sectionIDs[target] }
    @inlinable
    func isSameSection(source: Int, source other: Int) -> Bool { old.sectionIDs[source] == old.sectionIDs[other] }
    @inlinable
    func sectionHash(source: Int) -> UInt64 { hasher.hash(old.sectionIDs[source]) }
    @inlinable
    func sectionHash(target: Int) -> UInt64 { hasher.hash(new.sectionIDs[target]) }
    @inlinable
    func areViewsEqual(source: Int, target: Int) -> Bool { new.sections[target].isContentEqual(to: old.sections[source]) }
}

/// A hash function for the identifiers of cells and sections.
///
/// A `UUID` or an `Int` is hashed by one multiplication, which takes a tenth of the time of `Hasher`. All other types are hashed by
/// `Hasher`. All hashes depend on the random seed of the process, so that a client cannot construct collisions.
@usableFromInline
struct IdentityHasher {
    @usableFromInline let seeds = (word(of: 0.hashValue), word(of: 1.hashValue))

    @inlinable
    init() {}

    @inlinable
    func hash<ID: Hashable>(_ id: ID) -> UInt64 {
        // The hash function is chosen by the static type. With the dynamic type, an `AnyHashable` of an `Int` and an equal `AnyHashable` of
        // an `Int8` would have different hashes.
        if ID.self == UUID.self {
            let (first, second) = unsafeBitCast(id, to: (UInt64, UInt64).self)
            return mixed(first, second)
        }
        if ID.self == Int.self { return mixed(unsafeBitCast(id, to: UInt64.self), 0) }
        return Self.word(of: id.hashValue)
    }

    /// Compares two identifiers. `UUID` values are compared as words, because `==` of Foundation is a slow function call.
    @inlinable
    static func areEqual<ID: Hashable>(_ first: ID, _ second: ID) -> Bool {
        guard ID.self == UUID.self else { return first == second }
        return unsafeBitCast(first, to: (UInt64, UInt64).self) == unsafeBitCast(second, to: (UInt64, UInt64).self)
    }

    /// Returns the hash of two words by combining both halves of their 128-bit product, as in wyhash (Wang Yi, 2019).
    @inlinable
    func mixed(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let product = (first ^ seeds.0).multipliedFullWidth(by: second ^ seeds.1)
        return product.high ^ product.low
    }

    @inlinable
    static func word(of number: Int) -> UInt64 { UInt64(truncatingIfNeeded: number) }
}
