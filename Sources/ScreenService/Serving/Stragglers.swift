import Synchronization

/// Counts work that goes on past its deadline, by screen, so that it has a bound.
final class Stragglers: Sendable {
    /// How much work for one screen may be left behind before no more of it is begun.
    static let limit = 16

    private let counts = Mutex<[String: Int]>([:])

    /// How much work was left behind and has not ended.
    var count: Int { counts.withLock { $0.values.reduce(0, +) } }

    /// - Throws: ``DeadlineFault/tooMuchHangs``
    func admit(_ screen: String) throws(DeadlineFault) {
        if counts.withLock({ $0[screen] ?? 0 }) >= Self.limit { throw .tooMuchHangs }
    }

    /// Counts a task until it ends.
    func add(_ task: Task<Void, Never>, of screen: String) {
        counts.withLock { $0[screen, default: 0] += 1 }
        Task {
            await task.value
            counts.withLock { counts in
                let left = counts[screen]! - 1
                counts[screen] = left == 0 ? nil : left
            }
        }
    }
}
