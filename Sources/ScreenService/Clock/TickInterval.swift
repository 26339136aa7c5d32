/// The time between two ticks of ``ScreenRequest/now(every:)``: one or more minutes.
public struct TickInterval: Hashable, Sendable {
    /// The length of the interval in seconds.
    public let seconds: Int64

    /// An interval of some minutes, at least one.
    public static func minutes(_ count: Int) -> TickInterval {
        TickInterval(seconds: 60 * Int64(min(max(count, 1), 1 << 32)))
    }

    /// An interval of some hours, at least one.
    public static func hours(_ count: Int) -> TickInterval {
        .minutes(60 * min(max(count, 1), 1 << 26))
    }

    /// Returns the last tick at or before a time in seconds since 1970. Ticks are counted from the beginning of 1970, so that they are
    /// equal on all replicas.
    func tick(at now: Int64) -> Int64 {
        now - ((now % seconds) + seconds) % seconds
    }
}
