/// Counts announcements, to determine whether a topic that a computation read has been announced since the computation began.
///
/// A computation records ``now`` before it reads data. Its result is current if none of the topics that the computation read has been
/// announced since then. Therefore an announcement between reading and caching is not missed.
struct TopicGenerations {
    typealias Generation = UInt64

    /// The current generation, which is the number of announcements so far.
    private(set) var now: Generation = 0
    /// The generation of the last announcement of each topic.
    private var advanced: [Topic: Generation] = [:]
    /// The generation of the last announcement of all topics.
    private var allAdvanced: Generation = 0
    /// The number of running computations that began in each generation.
    private var running: [Generation: Int] = [:]
    /// The maximum number of remembered topics. When it is exceeded, the topics that no running computation needs are removed.
    private var pruningCount = 1024

    /// The number of remembered topics.
    var rememberedCount: Int { advanced.count }

    mutating func advance(_ announcement: Announcement) {
        now += 1
        switch announcement {
        case .topics(let topics):
            // The topics are remembered only for running computations. A later computation begins in the new generation and reads the
            // changed data.
            guard !running.isEmpty else { return }
            for topic in topics { advanced[topic] = now }
            if advanced.count > pruningCount { prune() }
        case .everything, .missed:
            allAdvanced = now
            advanced = [:]
        }
    }

    /// Returns a Boolean value that indicates whether one of the topics has been announced since a generation.
    func hasAdvanced(anyOf topics: Set<Topic>, since generation: Generation) -> Bool {
        allAdvanced > generation || topics.contains { (advanced[$0] ?? 0) > generation }
    }

    /// Begins a computation. An announcement is remembered until all computations that began before the announcement have ended.
    mutating func begin() -> Generation {
        running[now, default: 0] += 1
        return now
    }

    mutating func end(_ generation: Generation) {
        let rest = running[generation, default: 1] - 1
        running[generation] = rest > 0 ? rest : nil
        if running.isEmpty { advanced = [:] }
    }

    /// Removes the announcements that were made before the oldest running computation began. Otherwise announcements would accumulate while
    /// at least one computation is always running.
    private mutating func prune() {
        let oldest = running.keys.min() ?? now
        advanced = advanced.filter { $0.value > oldest }
        pruningCount = max(1024, 2 * advanced.count)
    }
}
