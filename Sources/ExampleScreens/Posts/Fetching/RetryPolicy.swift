/// The rules for repeated attempts after a failure. All attempts together take a few seconds at most, because a request may be waiting for
/// the posts.
struct RetryPolicy {
    var attempts = 3
    /// The pause after the first attempt. Each later pause is twice as long as the previous pause.
    var pause = Duration.milliseconds(250)
    /// The longest pause that an upstream may request with `Retry-After`. If it requests a longer pause, no further attempt is made.
    var longestPause = Duration.seconds(2)

    /// Returns the pause before the next attempt, or `nil` if there should be none.
    ///
    /// - Parameters:
    ///   - attempt: the number of attempts so far.
    ///   - jitter: a random number from 0 to 1. It shortens the pause by up to a half, so that servers that failed at the same time do not
    ///     retry at the same time.
    func delay(after failure: PostsFailure, retryAfter: Duration?, attempt: Int, jitter: Double) -> Duration? {
        guard failure.isTransient, attempt < attempts else { return nil }
        let backoff = pause * (1 << (attempt - 1)) * (1 - jitter / 2)
        guard let retryAfter else { return backoff }
        return retryAfter <= longestPause ? max(retryAfter, backoff) : nil
    }
}

extension PostsFailure {
    fileprivate var isTransient: Bool {
        switch self {
        case .unreachable, .slow, .status(429), .status(500...): true
        case .status, .notJSON, .wrongShape, .tooLarge: false
        }
    }
}
