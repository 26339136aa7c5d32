/// Limits the cost of the refreshes of a screen that are in progress together. The other refreshes wait.
///
/// The cost is the size of the document, since the time and memory for reading, rendering and comparing are proportional to it. The
/// limit keeps the queues of the refresh executor and of the store short: a request that needs the result of a refresh in
/// progress waits for few others. Each screen has turns of its own: one that hangs does not hold up the others.
struct RefreshTurns {
    /// A refresh that begins, or begins again after failures.
    struct Turn {
        let feed: ViewFeed
        let failures: Int
        /// The bytes of the latest document; nil for a first turn, before which there is none.
        let size: Int?

        fileprivate var screen: String { feed.view.screen }
        fileprivate var isFirst: Bool { size == nil }
        fileprivate var cost: Int { size.map { max($0, RefreshTurns.leastCost) } ?? RefreshTurns.unknownCost }
    }

    /// The maximum cost in progress, in bytes of documents. A turn that exceeds it alone begins when nothing else is in progress.
    static let costLimit = 1 << 20
    /// The maximum number of turns in progress.
    static let countLimit = 64
    /// The maximum number of first turns in progress, whose cost is not known.
    static let firstsLimit = 8
    private static let leastCost = costLimit / countLimit
    private static let unknownCost = costLimit / firstsLimit

    private struct Line {
        var costInProgress = 0
        var countInProgress = 0
        var firsts = Queue<Turn>()
        var others = Queue<Turn>()
        /// A Boolean value that indicates whether the next turn is one of `firsts`. They alternate with the others, so that neither
        /// starves.
        var prefersFirsts = true

        /// Begins the next turn if there is room for it.
        mutating func beginNext() -> Turn? {
            let isFirst = others.isEmpty || prefersFirsts && !firsts.isEmpty
            guard let next = isFirst ? firsts.first : others.first else { return nil }
            guard countInProgress == 0 || costInProgress + next.cost <= RefreshTurns.costLimit else { return nil }
            _ = isFirst ? firsts.popFirst() : others.popFirst()
            prefersFirsts = !isFirst
            costInProgress += next.cost
            countInProgress += 1
            return next
        }
    }

    private var lines: [String: Line] = [:]

    /// The number of turns that wait.
    var waitingCount: Int { lines.values.reduce(0) { $0 + $1.firsts.count + $1.others.count } }

    /// Adds a turn.
    ///
    /// - Returns: the turns that begin now.
    mutating func add(_ turn: Turn) -> [Turn] {
        beginning(in: turn.screen) { line in
            if turn.isFirst { line.firsts.append(turn) } else { line.others.append(turn) }
        }
    }

    /// Ends a turn that has begun.
    ///
    /// - Returns: the turns that begin now.
    mutating func end(_ turn: Turn) -> [Turn] {
        beginning(in: turn.screen) { line in
            line.costInProgress -= turn.cost
            line.countInProgress -= 1
        }
    }

    private mutating func beginning(in screen: String, _ change: (inout Line) -> Void) -> [Turn] {
        var line = lines.removeValue(forKey: screen) ?? Line()
        change(&line)
        var begun: [Turn] = []
        while let next = line.beginNext() { begun.append(next) }
        if line.countInProgress > 0 { lines[screen] = line }
        return begun
    }
}
