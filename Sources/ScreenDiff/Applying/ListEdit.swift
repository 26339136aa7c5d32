/// The changes that one stage makes to one list: the cells of a section, or the sections.
///
/// `update`, `take`, `insert` and `put` record the operations of the stage. An invalid operation is recorded as a `StageMisfit`. Then
/// `finish()` builds the list after the stage: moved and inserted elements are put at their places, and the elements that stay fill the
/// free places in order.
@usableFromInline
struct ListEdit<Element> {
    @usableFromInline var before: [Element]
    @usableFromInline var fates: [Fate]
    @usableFromInline var arrivals: [Arrival] = []
    /// The index of the section that contains the cells; nil if the elements are sections.
    @usableFromInline let section: Int?
    @usableFromInline var misfits: [StageMisfit] = []

    @usableFromInline
    enum Fate {
        case stays, isUpdated, leaves
    }

    @usableFromInline
    typealias Arrival = (start: Int, elements: ArraySlice<Element>, operation: StageMisfit.Operation)

    @inlinable
    init(_ before: [Element], ofSection section: Int? = nil) {
        self.before = before
        self.section = section
        fates = Array(repeating: .stays, count: before.count)
    }

    /// Updates the element at an index by calling `change` with the new content. `content` is nil if the target does not have the element.
    @inlinable
    mutating func update<Content>(
        _ index: Int, with content: Content?, by operation: StageMisfit.Operation, _ change: (inout Element, Content) -> Void
    ) {
        guard claim(index, 1, for: .isUpdated, by: operation) else { return }
        guard let content else { return refuse(operation, at: index, .missingContent) }
        change(&before[index], content)
    }

    /// Removes `count` elements for a delete or a move. Returns the removed elements, or none if the operation is invalid.
    @discardableResult @inlinable
    mutating func take(_ start: Int, _ count: Int = 1, by operation: StageMisfit.Operation) -> ArraySlice<Element> {
        claim(start, count, for: .leaves, by: operation) ? before[start..<start + count] : []
    }

    /// Inserts new elements. `elements` is nil if the target does not have the elements.
    @inlinable
    mutating func insert(_ elements: ArraySlice<Element>?, at start: Int, by operation: StageMisfit.Operation) {
        guard let elements else { return refuse(operation, at: start, .missingContent) }
        guard !elements.isEmpty else { return refuse(operation, at: start, .emptyRun(count: 0)) }
        put(elements, at: start, by: operation)
    }

    /// Records elements that `finish()` puts into the resulting list, beginning at the index `start`. `finish()` checks `start`, because
    /// the length of the resulting list is not known earlier.
    @inlinable
    mutating func put(_ elements: ArraySlice<Element>, at start: Int, by operation: StageMisfit.Operation) {
        arrivals.append((start, elements, operation))
    }

    @inlinable
    mutating func refuse(_ operation: StageMisfit.Operation, at index: Int, _ cause: StageMisfit.Cause) {
        let place = section.map { StageMisfit.Place.cell(CellPlace(section: $0, item: index)) } ?? .section(index)
        misfits.append(StageMisfit(operation, at: place, cause))
    }

    /// Returns the list after the stage. If a `StageMisfit` was recorded, the returned list must not be used.
    @inlinable
    mutating func finish() -> [Element] {
        let leaving = fates.count { $0 == .leaves }
        guard leaving > 0 || !arrivals.isEmpty else { return before }
        var after: [Element?] = Array(
            repeating: nil, count: before.count - leaving + arrivals.reduce(0) { $0 + $1.elements.count }
        )
        for arrival in arrivals { put(arrival, into: &after) }
        guard misfits.isEmpty else { return before }
        var staying = 0
        return after.map { arrived in
            if let arrived { return arrived }
            while fates[staying] == .leaves { staying += 1 }
            defer { staying += 1 }
            return before[staying]
        }
    }

    @inlinable
    mutating func put(_ arrival: Arrival, into after: inout [Element?]) {
        let (start, elements, operation) = arrival
        guard fits(start, elements.count, in: after.count) else {
            return refuse(operation, at: firstOutside(start, of: after.count), .outOfBounds(count: after.count))
        }
        for (index, element) in zip(start..., elements) {
            guard after[index] == nil else { return refuse(operation, at: index, .targetTwice) }
            after[index] = element
        }
    }

    /// Records that an operation updates or removes `count` elements. Returns false if the operation is invalid.
    @inlinable
    mutating func claim(_ start: Int, _ count: Int, for fate: Fate, by operation: StageMisfit.Operation) -> Bool {
        guard count > 0 else {
            refuse(operation, at: start, .emptyRun(count: count))
            return false
        }
        guard fits(start, count, in: before.count) else {
            refuse(operation, at: firstOutside(start, of: before.count), .outOfBounds(count: before.count))
            return false
        }
        let run = start..<start + count
        if let taken = run.first(where: { fates[$0] != .stays }) {
            refuse(operation, at: taken, .sourceTwice)
            return false
        }
        for index in run { fates[index] = fate }
        return true
    }

    /// Returns a Boolean value that indicates whether `count` elements that begin at the index `start` are within a list of `length`
    /// elements. The sum of `start` and `count` is not computed, because it could overflow.
    @inlinable
    func fits(_ start: Int, _ count: Int, in length: Int) -> Bool {
        start >= 0 && start <= length && count <= length - start
    }

    @inlinable
    func firstOutside(_ start: Int, of length: Int) -> Int {
        start < 0 ? start : max(start, length)
    }
}
