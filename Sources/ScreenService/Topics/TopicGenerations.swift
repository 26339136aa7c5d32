/// Tells whether data was announced since a computation began.
///
/// Whoever computes notes ``now`` before reading. What they read still stands if no topic of it has
/// advanced since; so an announcement between reading and keeping is never lost.
struct TopicGenerations {
    typealias Generation = UInt64

    /// Grows with every announcement.
    private(set) var now: Generation = 0
    private var advanced: [Topic: Generation] = [:]
    private var runningCount = 0

    mutating func advance(_ topics: Set<Topic>) {
        now += 1
        // Computations that begin later compare with `now`; nobody asks about the past.
        guard runningCount > 0 else { return }
        for topic in topics { advanced[topic] = now }
    }

    func hasAdvanced(anyOf topics: Set<Topic>, since generation: Generation) -> Bool {
        topics.contains { (advanced[$0] ?? 0) > generation }
    }

    /// Begins a computation. Announcements are remembered until all that have begun have ended.
    mutating func begin() -> Generation {
        runningCount += 1
        return now
    }

    mutating func end() {
        runningCount -= 1
        if runningCount == 0 { advanced = [:] }
    }
}
