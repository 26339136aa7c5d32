/// Has no more feeds of a screen refreshed at a time than leaves room for others who ask for it; the rest wait, in their order.
struct RefreshTurns {
    /// A refresh that begins, or begins again after failures.
    struct Turn {
        let feed: ViewFeed
        let failures: Int

        fileprivate var screen: String { feed.view.screen }
    }

    private struct Line {
        var count = 0
        /// What has had its turn is nil, until it is half of them.
        var waiting: [Turn?] = []
        var first = 0
    }

    static let limit = Computations.limit / 2

    private var lines: [String: Line] = [:]

    /// - Returns: whether it is its turn; else it waits.
    mutating func begin(_ turn: Turn) -> Bool {
        var line = lines.removeValue(forKey: turn.screen) ?? Line()
        defer { lines[turn.screen] = line }
        guard line.count == Self.limit else {
            line.count += 1
            return true
        }
        line.waiting.append(turn)
        return false
    }

    /// - Returns: whose turn it is now.
    mutating func end(_ turn: Turn) -> Turn? {
        guard var line = lines.removeValue(forKey: turn.screen) else { return nil }
        guard line.first < line.waiting.count else {
            line.count -= 1
            if line.count > 0 { lines[turn.screen] = Line(count: line.count) }
            return nil
        }
        defer { lines[turn.screen] = line }
        let next = line.waiting[line.first].take()
        line.first += 1
        // So each is moved once.
        if line.first * 2 > line.waiting.count {
            line.waiting.removeFirst(line.first)
            line.first = 0
        }
        return next
    }
}
