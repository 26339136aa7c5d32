/// The changes of one stage to one list: to the cells of a section, or to the sections.
///
/// Sources count in the list before, targets in the list after, which is built once, at the end.
@usableFromInline
struct ListEdit<Element> {
    @usableFromInline var before: [Element]
    @usableFromInline var fates: [Fate]
    @usableFromInline var arrivals: [Arrival] = []
    /// The section whose cells these are; nil if these are the sections.
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

    /// Changes an element in its place.
    ///
    /// - Parameter content: what it becomes of; nil if that is missing.
    @inlinable
    mutating func update<Content>(
        _ index: Int, with content: Content?, by operation: StageMisfit.Operation, _ change: (inout Element, Content) -> Void
    ) {
        guard claim(index, 1, for: .isUpdated, by: operation) else { return }
        guard let content else { return refuse(operation, at: index, .missingContent) }
        change(&before[index], content)
    }

    /// Takes a run out: a delete forgets it, a move puts it somewhere.
    ///
    /// - Returns: the run; nothing, with a misfit, where there is none.
    @discardableResult @inlinable
    mutating func take(_ start: Int, _ count: Int = 1, by operation: StageMisfit.Operation) -> ArraySlice<Element> {
        claim(start, count, for: .leaves, by: operation) ? before[start..<start + count] : []
    }

    /// Puts a run in that comes with the stage; nil if it is missing.
    @inlinable
    mutating func insert(_ elements: ArraySlice<Element>?, at start: Int, by operation: StageMisfit.Operation) {
        guard let elements else { return refuse(operation, at: start, .missingContent) }
        guard !elements.isEmpty else { return refuse(operation, at: start, .emptyRun(count: 0)) }
        put(elements, at: start, by: operation)
    }

    /// Puts a run in. Whether it fits is only known at the end, once it is known how long the list becomes.
    @inlinable
    mutating func put(_ elements: ArraySlice<Element>, at start: Int, by operation: StageMisfit.Operation) {
        arrivals.append((start, elements, operation))
    }

    @inlinable
    mutating func refuse(_ operation: StageMisfit.Operation, at index: Int, _ cause: StageMisfit.Cause) {
        let place = section.map { StageMisfit.Place.cell(CellPlace(section: $0, item: index)) } ?? .section(index)
        misfits.append(StageMisfit(operation, at: place, cause))
    }

    /// The list after the stage; of no use if there are misfits.
    @inlinable
    mutating func finish() -> [Element] {
        let leaving = fates.count { $0 == .leaves }
        guard leaving > 0 || !arrivals.isEmpty else { return before }
        var after: [Element?] = Array(
            repeating: nil, count: before.count - leaving + arrivals.reduce(0) { $0 + $1.elements.count }
        )
        for arrival in arrivals { put(arrival, into: &after) }
        guard misfits.isEmpty else { return before }
        // As many places are free as elements stay.
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

    /// Rule 1: no place is a source twice, and all are in bounds.
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

    /// Whether a run is in a list. Sums could overflow: what a caller passes can be any number.
    @inlinable
    func fits(_ start: Int, _ count: Int, in length: Int) -> Bool {
        start >= 0 && start <= length && count <= length - start
    }

    @inlinable
    func firstOutside(_ start: Int, of length: Int) -> Int {
        start < 0 ? start : max(start, length)
    }
}
