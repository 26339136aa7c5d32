/// Collects what one stage does to one list, the cells of a section or the sections of a screen, and
/// builds the new list once: sources count in the list before, targets in the list after.
struct ListEdit<Element> {
    private var before: [Element]
    private var isSource: [Bool]
    private var isTaken: [Bool]
    private var runs: [(start: Int, elements: ArraySlice<Element>, pointer: JSONPointer)] = []
    private(set) var faults: [DocumentFault] = []

    init(_ before: [Element]) {
        self.before = before
        isSource = Array(repeating: false, count: before.count)
        isTaken = isSource
    }

    /// Takes a run out: a delete forgets it, a move puts it somewhere.
    mutating func take(_ start: Int, _ count: Int, at pointer: JSONPointer) -> ArraySlice<Element> {
        guard claim(start, count, at: pointer) else { return [] }
        for index in start..<start + count { isTaken[index] = true }
        return before[start..<start + count]
    }

    /// - Returns: what was there; nil, with a fault, where there is nothing.
    mutating func replace(
        _ index: Int, at pointer: JSONPointer, with change: (Element) -> Element
    ) -> Element? {
        guard claim(index, 1, at: pointer) else { return nil }
        let old = before[index]
        before[index] = change(old)
        return old
    }

    /// Where a run may stand is only known at the end, once it is known how long the list becomes.
    mutating func put(_ elements: ArraySlice<Element>, at start: Int, _ pointer: JSONPointer) {
        runs.append((start, elements, pointer))
    }

    /// The list after the stage; of no use if there are faults.
    mutating func finish() -> [Element] {
        let staying = zip(before, isTaken).filter { !$1 }.map { $0.0 }
        var after: [Element?] = Array(repeating: nil, count: staying.count + runs.reduce(0) { $0 + $1.elements.count })
        for run in runs { put(run.elements, at: run.start, run.pointer, into: &after) }
        guard faults.isEmpty else { return before }
        var rest = staying.makeIterator()
        return after.compactMap { $0 ?? rest.next() }
    }

    private mutating func put(
        _ elements: ArraySlice<Element>, at start: Int, _ pointer: JSONPointer, into after: inout [Element?]
    ) {
        guard start + elements.count <= after.count else { return fault(.outOfBounds(count: after.count), pointer) }
        for (index, element) in zip(start..., elements) {
            guard after[index] == nil else { return fault(.targetTwice, pointer) }
            after[index] = element
        }
    }

    /// Rule 1: no place is a source twice, and all are in bounds.
    private mutating func claim(_ start: Int, _ count: Int, at pointer: JSONPointer) -> Bool {
        guard start + count <= before.count else {
            fault(.outOfBounds(count: before.count), pointer)
            return false
        }
        guard !isSource[start..<start + count].contains(true) else {
            fault(.sourceTwice, pointer)
            return false
        }
        for index in start..<start + count { isSource[index] = true }
        return true
    }

    private mutating func fault(_ cause: DocumentFault.Cause, _ pointer: JSONPointer) {
        faults.append(DocumentFault(pointer: pointer, cause: cause))
    }
}
