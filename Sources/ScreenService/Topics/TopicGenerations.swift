/// A count of announcements, by which it is known what was announced since a computation began.
///
/// Whoever computes notes ``now`` before reading. What they read still stands if no topic of it has
/// advanced since; so an announcement between reading and keeping is never lost.
struct TopicGenerations {
    typealias Generation = UInt64

    /// The number of announcements until now.
    private(set) var now: Generation = 0
    private var advanced: [Topic: Generation] = [:]
    /// When all topics advanced last.
    private var allAdvanced: Generation = 0
    /// How many computations began in each generation and have not ended.
    private var running: [Generation: Int] = [:]
    /// At how many topics it is looked which of them nobody asks about any more.
    private var pruningCount = 1024

    /// How many topics are remembered to have advanced.
    var rememberedCount: Int { advanced.count }

    mutating func advance(_ announcement: Announcement) {
        now += 1
        switch announcement {
        case .topics(let topics):
            // Computations that begin later compare with `now`; nobody asks about the past.
            guard !running.isEmpty else { return }
            for topic in topics { advanced[topic] = now }
            if advanced.count > pruningCount { prune() }
        case .everything, .unheard:
            allAdvanced = now
            advanced = [:]
        }
    }

    func hasAdvanced(anyOf topics: Set<Topic>, since generation: Generation) -> Bool {
        allAdvanced > generation || topics.contains { (advanced[$0] ?? 0) > generation }
    }

    /// Begins a computation. Announcements are remembered until all that began before them have ended.
    mutating func begin() -> Generation {
        running[now, default: 0] += 1
        return now
    }

    /// Ends a computation that began in a generation.
    mutating func end(_ generation: Generation) {
        let rest = running[generation, default: 1] - 1
        running[generation] = rest > 0 ? rest : nil
        if running.isEmpty { advanced = [:] }
    }

    /// Lets go of what had advanced before the oldest computation began: there is always one under way.
    private mutating func prune() {
        let oldest = running.keys.min() ?? now
        advanced = advanced.filter { $0.value > oldest }
        pruningCount = max(1024, 2 * advanced.count)
    }
}
