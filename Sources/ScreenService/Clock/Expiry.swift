/// The time after which a computed view may be outdated although no topic was announced. It is a class, because most views have none, and an
/// optional reference is checked faster.
final class Expiry: Sendable {
    /// The time in seconds since 1970, or `Int64.max` if the view changes only if the clock is set back.
    let instant: Int64
    /// The time at which the view was computed, in seconds since 1970.
    private let since: Int64
    private let clock: any WallClock

    init(instant: Int64, since: Int64, clock: any WallClock) {
        (self.instant, self.since, self.clock) = (instant, since, clock)
    }

    /// A Boolean value that indicates whether the time has passed, or the clock was set back since the view was computed.
    var hasPassed: Bool {
        let now = clock.now
        return now >= instant || now < since
    }

    /// The number of whole seconds for which the view is certainly current. The clock may be almost a second ahead of its whole seconds.
    var remainingSeconds: Int { hasPassed ? 0 : Int(clamping: max(instant - clock.now - 1, 0)) }
}
