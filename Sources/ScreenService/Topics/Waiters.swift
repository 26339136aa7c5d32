/// Values that wait until something has grown to their goal, in the order of the goals: whatever it reaches is found without a look
/// at the others.
struct Waiters<Goal: Comparable & Sendable, Value> {
    /// The place of a value, by which it can be removed.
    struct Ticket: Sendable {
        fileprivate let goal: Goal
        fileprivate let number: Int
    }

    /// The largest goal first; of equal goals the latest first.
    private var waiting: [(ticket: Ticket, value: Value)] = []
    private var lastNumber = 0

    var isEmpty: Bool { waiting.isEmpty }

    mutating func insert(_ value: Value, until goal: Goal) -> Ticket {
        lastNumber += 1
        let ticket = Ticket(goal: goal, number: lastNumber)
        waiting.insert((ticket, value), at: place(of: ticket))
        return ticket
    }

    /// Removes a value; nil where it has been removed before.
    mutating func remove(_ ticket: Ticket) -> Value? {
        let place = place(of: ticket)
        guard place < waiting.count, waiting[place].ticket.number == ticket.number else { return nil }
        return waiting.remove(at: place).value
    }

    /// Removes all values whose goal is reached, the smallest goal first.
    mutating func removeAll(upTo reached: Goal) -> [Value] {
        var values: [Value] = []
        while let last = waiting.last, last.ticket.goal <= reached { values.append(waiting.removeLast().value) }
        return values
    }

    mutating func removeAll() -> [Value] {
        defer { waiting = [] }
        return waiting.map(\.value)
    }

    /// The first place whose ticket does not stand before this one.
    private func place(of ticket: Ticket) -> Int {
        var (low, high) = (0, waiting.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.isBefore(waiting[middle].ticket, ticket) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func isBefore(_ a: Ticket, _ b: Ticket) -> Bool {
        a.goal == b.goal ? a.number > b.number : a.goal > b.goal
    }
}
