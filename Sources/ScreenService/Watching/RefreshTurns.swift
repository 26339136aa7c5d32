/// Limits the total cost of the concurrent refreshes of a screen. Refreshes beyond the limit wait for a turn.
///
/// The cost of a refresh is the size of the view's document, because a refresh takes time and memory in proportion to this size. The limit
/// keeps the queues of the refresh executor and of the store short. Therefore a request that needs the result of a running refresh waits
/// for few other refreshes. Each screen has its own turns, so that a slow screen does not delay other screens.
struct RefreshTurns {
    /// A refresh of a feed. It waits for its turn or is running.
    struct Turn {
        let feed: ViewFeed
        let failures: Int
        /// The number of bytes of the feed's latest document, or `nil` if the feed has no document yet.
        let size: Int?

        fileprivate var screen: String { feed.view.screen }
        fileprivate var isFirst: Bool { size == nil }
        fileprivate var cost: Int { size.map { max($0, RefreshTurns.leastCost) } ?? RefreshTurns.unknownCost }
    }

    /// The maximum total cost of the running turns of a screen, in bytes of documents. A turn whose own cost exceeds the maximum begins
    /// when no other turn of the screen is running.
    static let costLimit = 1 << 20
    /// The maximum number of running turns of a screen.
    static let countLimit = 64
    /// For each screen, the maximum number of running first turns. A first turn is the turn of a feed that has no document yet, so its cost
    /// is not known.
    static let firstsLimit = 8
    private static let leastCost = costLimit / countLimit
    private static let unknownCost = costLimit / firstsLimit

    private struct Line {
        var runningCost = 0
        var runningCount = 0
        var firsts = Queue<Turn>()
        var others = Queue<Turn>()
        /// A Boolean value that indicates whether the next turn is taken from `firsts` if turns wait in both `firsts` and `others`. First
        /// turns alternate with other turns, so that both kinds make progress.
        var prefersFirsts = true

        /// Begins and returns the next turn. Returns `nil` if no turn is waiting, or if the turn would exceed the limits.
        mutating func beginNext() -> Turn? {
            let isFirst = others.isEmpty || prefersFirsts && !firsts.isEmpty
            guard let next = isFirst ? firsts.first : others.first else { return nil }
            guard runningCount == 0 || runningCost + next.cost <= RefreshTurns.costLimit else { return nil }
            _ = isFirst ? firsts.popFirst() : others.popFirst()
            prefersFirsts = !isFirst
            runningCost += next.cost
            runningCount += 1
            return next
        }
    }

    private var lines: [String: Line] = [:]

    /// The number of waiting turns.
    var waitingCount: Int { lines.values.reduce(0) { $0 + $1.firsts.count + $1.others.count } }

    /// Adds a turn.
    ///
    /// - Returns: The turns that begin now.
    mutating func add(_ turn: Turn) -> [Turn] {
        beginning(in: turn.screen) { line in
            if turn.isFirst { line.firsts.append(turn) } else { line.others.append(turn) }
        }
    }

    /// Ends a running turn.
    ///
    /// - Returns: The turns that begin now.
    mutating func end(_ turn: Turn) -> [Turn] {
        beginning(in: turn.screen) { line in
            line.runningCost -= turn.cost
            line.runningCount -= 1
        }
    }

    private mutating func beginning(in screen: String, _ change: (inout Line) -> Void) -> [Turn] {
        var line = lines.removeValue(forKey: screen) ?? Line()
        change(&line)
        var begun: [Turn] = []
        while let next = line.beginNext() { begun.append(next) }
        if line.runningCount > 0 { lines[screen] = line }
        return begun
    }
}
