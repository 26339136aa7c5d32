/// Elements in the order in which they were added. Each is moved at most once.
struct Queue<Element> {
    /// Removed elements are nil, until they are more than half of all.
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
