/// The time after which a computed view may be outdated although no topic was announced.
struct Expiry: Sendable {
    /// The time in seconds since 1970.
    let instant: Int64
    let clock: any WallClock

    var hasPassed: Bool { clock.now >= instant }

    /// The number of seconds until the time, or 0 if the time has passed.
    var remainingSeconds: Int { Int(clamping: max(instant - clock.now, 0)) }
}
