/// Computes the pauses between attempts. The length of the pauses doubles with each attempt, up to a maximum.
struct Backoff: Hashable, Sendable {
    static let longest = Duration.seconds(30)
    /// The maximum time for which a server can make a client wait.
    static let longestRequested = Duration.seconds(300)

    /// A stream that lasts longer than this time counts as working, even if the pause before the stream was longer. The server sends at
    /// least one comment within this time.
    private static let heartbeat = Duration.seconds(15)

    /// The maximum length of the first pause. A stream can suggest a different length.
    var base = Duration.milliseconds(500) {
        didSet { base = min(max(base, .milliseconds(500)), Self.longest) }
    }
    var attempts = 0
    var lastPause = Duration.zero

    /// Returns the range of the next pause. A random pause in this range keeps clients from reconnecting all at once.
    ///
    /// - Parameter least: The minimum time to wait, as requested by the server. Values above ``longestRequested`` are reduced to this
    ///   limit.
    mutating func next(atLeast least: Duration) -> ClosedRange<Duration> {
        let ceiling = min(Self.longest, base * (1 << attempts))
        attempts = min(attempts + 1, 6)
        lastPause = ceiling
        let least = min(max(least, .zero), Self.longestRequested)
        return least + ceiling / 2...least + ceiling
    }

    /// Makes the next pause short again if a stream lasted longer than the pause that preceded it, or longer than ``heartbeat``. The second
    /// condition is for proxies that end every stream early. Without it, the pauses between such streams could stay long.
    mutating func noteLife(_ life: Duration) {
        if life > min(lastPause, Self.heartbeat) { reset() }
    }

    mutating func reset() {
        attempts = 0
        lastPause = .zero
    }
}
