/// The rule whether and when to try again after a failure.
///
/// Together the attempts take a few seconds at most: somebody may be waiting, and can ask again.
struct RetryPolicy {
    /// How often to try at most, in all.
    var attempts = 3
    /// The pause after the first attempt; it doubles after each.
    var pause = Duration.milliseconds(250)
    /// The longest pause that an upstream may ask for.
    var longestPause = Duration.seconds(2)

    /// How long to wait before another attempt; nil for no other.
    ///
    /// - Parameters:
    ///   - retryAfter: how long the upstream asked to wait.
    ///   - attempt: how many attempts there were.
    ///   - jitter: from 0 to 1. It takes up to half of the pause away, so that servers that failed
    ///     together do not come back together.
    func delay(after failure: PostsFailure, retryAfter: Duration?, attempt: Int, jitter: Double) -> Duration? {
        guard failure.isTransient, attempt < attempts else { return nil }
        let backoff = pause * (1 << (attempt - 1)) * (1 - jitter / 2)
        guard let retryAfter else { return backoff }
        return retryAfter <= longestPause ? max(retryAfter, backoff) : nil
    }
}

extension PostsFailure {
    /// Whether it can pass by itself.
    fileprivate var isTransient: Bool {
        switch self {
        case .unreachable, .slow, .status(429), .status(500...): true
        case .status, .notJSON, .wrongShape, .tooLarge: false
        }
    }
}
