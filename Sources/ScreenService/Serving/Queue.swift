/// A first-in, first-out queue. The average cost of an operation is constant.
struct Queue<Element> {
    /// The removed elements, which are `nil`, followed by the current elements.
    private var elements: [Element?] = []
    private var removedCount = 0

    var count: Int { elements.count - removedCount }
    var isEmpty: Bool { count == 0 }
    var first: Element? { isEmpty ? nil : elements[removedCount] }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[removedCount].take()
        removedCount += 1
        if removedCount > count {
            elements.removeFirst(removedCount)
            removedCount = 0
        }
        return element
    }
}

/// A queue whose elements belong to parties, which take turns: each party's elements keep their order, and a party's next element comes
/// after one element of each other party that waits.
struct TurnQueue<Party: Hashable, Element> {
    private var elements: [Party: Queue<Element>] = [:]
    /// The parties with elements, in the order of their turns.
    private var turns = Queue<Party>()
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var first: Element? { turns.first.flatMap { elements[$0]?.first } }

    mutating func append(_ element: Element, of party: Party) {
        if elements[party] == nil { turns.append(party) }
        elements[party, default: Queue()].append(element)
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard let party = turns.popFirst(), let element = elements[party]?.popFirst() else { return nil }
        if elements[party]?.isEmpty == true { elements[party] = nil } else { turns.append(party) }
        count -= 1
        return element
    }
}
