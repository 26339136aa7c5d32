/// Limits the total cost of the concurrent refreshes of a screen. Refreshes beyond the limit wait for a turn.
///
/// The cost of a refresh is the size of the view's document, because a refresh takes time and memory in proportion to this size. The limit
/// keeps the queues of the refresh executor and of the store short, so that requests do not wait for many refreshes. Each screen has its
/// own turns, so that a slow screen does not delay other screens. The callers of the feeds take turns, so that a caller with a thousand
/// followed views does not delay a caller with one. A feed that several callers follow has turns of its own.
///
/// The cost of the first turn of a feed is not known, because the feed has no document yet. First turns alternate with other turns, so that
/// both kinds make progress.
struct RefreshTurns {
    /// A refresh of a feed, which waits for its turn or is running.
    struct Turn {
        let feed: ViewFeed
        let failures: Int
        /// The number of bytes of the feed's latest document, or `nil` for the first turn of the feed.
        let size: Int?
        /// The caller of all followers of the feed, or `nil` if several callers follow it.
        var caller: LimitKey?

        fileprivate var screen: String { feed.view.screen }
        fileprivate var party: Party { caller.map(Party.caller) ?? .feed(feed) }
        fileprivate var isFirst: Bool { size == nil }
        fileprivate var cost: Int { size.map { max($0, RefreshTurns.leastCost) } ?? RefreshTurns.unknownCost }
    }

    /// The maximum total cost of the running turns of a screen, in bytes. A turn with a greater cost runs alone.
    static let costLimit = 1 << 20
    /// The maximum number of running turns of a screen.
    static let countLimit = 64
    /// The maximum number of running turns of a screen that are the first turns of their feeds.
    static let firstsLimit = 8
    private static let leastCost = costLimit / countLimit
    private static let unknownCost = costLimit / firstsLimit

    fileprivate enum Party: Hashable {
        case caller(LimitKey)
        case feed(ViewFeed)
    }

    private struct Line {
        var runningCost = 0
        var runningCount = 0
        var firsts = TurnQueue<Party, Turn>()
        var others = TurnQueue<Party, Turn>()
        /// A Boolean value that indicates whether the next turn is taken from `firsts`. The value has an effect only while turns are
        /// waiting both in `firsts` and in `others`.
        var prefersFirsts = true

        /// Begins and returns the next turn, or returns `nil` if no turn can begin.
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

    var waitingCount: Int { lines.values.reduce(0) { $0 + $1.firsts.count + $1.others.count } }

    /// Adds a turn, and returns the turns that begin now.
    mutating func add(_ turn: Turn) -> [Turn] {
        beginning(in: turn.screen) { line in
            if turn.isFirst { line.firsts.append(turn, of: turn.party) } else { line.others.append(turn, of: turn.party) }
        }
    }

    /// Ends a running turn, and returns the turns that begin now.
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
