/// Counts announcements, to determine whether the result of a computation is current.
///
/// The number of announcements so far is called the generation. A computation records the generation before it reads data. Its result is
/// current if no topic that it read has been announced in a later generation. Therefore an announcement between reading and caching is not
/// missed.
///
/// Announced topics are remembered only for running computations. A later computation reads the changed data.
struct TopicGenerations {
    typealias Generation = UInt64

    private(set) var now: Generation = 0
    private var advanced: [Topic: Generation] = [:]
    private var allAdvanced: Generation = 0
    /// The number of running computations that began in each generation.
    private var running: [Generation: Int] = [:]
    /// If more topics than this number are remembered, ``prune()`` removes the topics that no running computation needs.
    private var pruningCount = 1024

    var rememberedCount: Int { advanced.count }

    mutating func advance(_ announcement: Announcement) {
        now += 1
        switch announcement {
        case .topics(let topics):
            guard !running.isEmpty else { return }
            for topic in topics { advanced[topic] = now }
            if advanced.count > pruningCount { prune() }
        case .everything, .missed:
            allAdvanced = now
            advanced = [:]
        }
    }

    func hasAdvanced(anyOf topics: Set<Topic>, since generation: Generation) -> Bool {
        allAdvanced > generation || topics.contains { (advanced[$0] ?? 0) > generation }
    }

    mutating func begin() -> Generation {
        running[now, default: 0] += 1
        return now
    }

    mutating func end(_ generation: Generation) {
        let rest = running[generation, default: 1] - 1
        running[generation] = rest > 0 ? rest : nil
        if running.isEmpty { advanced = [:] }
    }

    /// Removes the topics that were announced before the oldest running computation began. Otherwise topics would accumulate while
    /// computations overlap.
    private mutating func prune() {
        let oldest = running.keys.min() ?? now
        advanced = advanced.filter { $0.value > oldest }
        pruningCount = max(1024, 2 * advanced.count)
    }
}
