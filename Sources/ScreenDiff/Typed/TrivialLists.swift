/// Two lists without sections. The types of the elements and of their identifiers are trivial, which means that they hold no references.
///
/// Identifiers are read from the elements each time they are compared. `TypedLists` copies all identifiers, which costs more for trivial
/// types.
@usableFromInline
struct TrivialLists<Element: Differentiable>: ComparedLists {
    @usableFromInline let old: [Element]
    @usableFromInline let new: [Element]
    @usableFromInline let source: CellNumbering
    @usableFromInline let target: CellNumbering
    @usableFromInline let hasher = IdentityHasher()

    /// Creates the lists. Returns nil if elements or identifiers hold references.
    @inlinable
    init?(_ source: [Element], _ target: [Element]) {
        guard _isPOD(Element.self) && _isPOD(Element.DifferenceIdentifier.self) else { return nil }
        old = source
        new = target
        self.source = CellNumbering(cellCounts: CollectionOfOne(source.count))
        self.target = CellNumbering(cellCounts: CollectionOfOne(target.count))
    }

    @inlinable
    func stages(anchor: Element.DifferenceIdentifier?) -> [Stage] {
        let anchor = anchor.flatMap { anchor in old.firstIndex { $0.differenceIdentifier == anchor } }
        return Staging.stages(for: Correspondence(self), anchor: anchor)
    }

    @inlinable var areCellsUnique: Bool { false }

    @inlinable
    func isSameCell(source: Int, target: Int) -> Bool {
        IdentityHasher.areEqual(old[source].differenceIdentifier, new[target].differenceIdentifier)
    }

    @inlinable
    func isSameCell(source: Int, source other: Int) -> Bool {
        IdentityHasher.areEqual(old[source].differenceIdentifier, old[other].differenceIdentifier)
    }

    @inlinable
    func cellHash(source: Int) -> UInt64 { hasher.hash(old[source].differenceIdentifier) }
    @inlinable
    func cellHash(target: Int) -> UInt64 { hasher.hash(new[target].differenceIdentifier) }

    @inlinable
    func firstChange(source: CellPlace, target: CellPlace, count: Int) -> Int? {
        for offset in 0..<count where !new[target.item + offset].isContentEqual(to: old[source.item + offset]) {
            return offset
        }
        return nil
    }

    // Each list has one section, so the sections are always equal.
    @inlinable
    func isSameSection(source: Int, target: Int) -> Bool { true }
    @inlinable
    func isSameSection(source: Int, source other: Int) -> Bool { true }
    @inlinable
    func sectionHash(source: Int) -> UInt64 { 0 }
    @inlinable
    func sectionHash(target: Int) -> UInt64 { 0 }
    @inlinable
    func areViewsEqual(source: Int, target: Int) -> Bool { true }
}
