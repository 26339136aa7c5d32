import Glibc
import Synchronization

/// The time of day, which screens read with ``ScreenRequest/now(every:)`` and by which tokens, receipts and versions expire.
public protocol WallClock: Sendable {
    /// The time in seconds since 1970.
    var now: Int64 { get }

    /// Calls a function, on any thread, when the time is `instant` or later, or after the clock was set back. The function must not block.
    ///
    /// - Parameter instant: The time in seconds since 1970. It can be in the past.
    /// - Returns: A function that cancels the call, unless the call has begun.
    func schedule(at instant: Int64, _ call: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

/// The clock of the system.
public struct SystemClock: WallClock {
    /// The maximum number of seconds between two checks of the time. If the system's time is set forward, calls are at most this late.
    private static let longestWait: Int64 = 60
    private static let timers = Timers()

    private let seconds: @Sendable () -> Int64

    public init() {
        self.init { Int64(time(nil)) }
    }

    /// Creates a clock that reads the time with a function, in seconds since 1970. Scheduled calls check this time at least every minute.
    package init(seconds: @escaping @Sendable () -> Int64) {
        self.seconds = seconds
    }

    public var now: Int64 { seconds() }

    public func schedule(at instant: Int64, _ call: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let scheduled = ScheduledCall()
        scheduled.schedule(on: self, at: instant, call)
        return { scheduled.cancel() }
    }

    /// Returns the time to wait before the time is checked again. It ends at the beginning of a second, or very soon after it.
    fileprivate func wait(until instant: Int64) -> Duration {
        let rest = min(instant - now, Self.longestWait)
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(rest) - .nanoseconds(rest > 0 ? Int64(time.tv_nsec) : 0) + .milliseconds(5)
    }

    /// A call that waits for its time in one or more steps.
    private final class ScheduledCall: Sendable {
        private let state = Mutex<(stop: (@Sendable () -> Void)?, isCancelled: Bool)>((nil, false))

        func schedule(on clock: SystemClock, at instant: Int64, _ call: @escaping @Sendable () -> Void) {
            let (start, begin) = (clock.now, ContinuousClock.now)
            let stop = SystemClock.timers.schedule(after: clock.wait(until: instant)) {
                let now = clock.now
                // The clock was set back if it shows less than the time that has passed since the start. Its seconds are rounded down.
                let isSetBack = now < start + (ContinuousClock.now - begin).components.seconds - 1
                if now >= instant || isSetBack { call() } else { self.schedule(on: clock, at: instant, call) }
            }
            let isCancelled = state.withLock { state in
                state.stop = stop
                return state.isCancelled
            }
            if isCancelled { stop() }
        }

        func cancel() {
            let stop = state.withLock { state in
                state.isCancelled = true
                return state.stop.take()
            }
            stop?()
        }
    }
}
