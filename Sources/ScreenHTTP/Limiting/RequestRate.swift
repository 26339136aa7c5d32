import Glibc
import ScreenService
import Synchronization

/// Limits the requests of each caller per second, and admits a burst of twice that number.
///
/// The algorithm is a token bucket. A bucket is stored as the time at which it is full again (the generic cell rate algorithm, ITU-T
/// I.371). A bucket that is full now is not stored at all.
final class RequestRate: Sendable {
    /// The buckets are divided into parts, so that event loops seldom wait for each other.
    private static let partCount = 16
    /// The maximum number of buckets of a part. If that many callers send requests within a second, their buckets are forgotten, which
    /// admits another burst of each.
    static let bucketLimit = 4096

    private let interval: Int64
    private let burst: Int64
    private let parts: [Part]
    private let now: @Sendable () -> Int64

    private final class Part: Sendable {
        let fullTimes = Mutex<[LimitKey: Int64]>([:])
    }

    /// Creates a limit. `now` returns the time of a clock that is never set back, in nanoseconds.
    init(perSecond count: Int, now: @escaping @Sendable () -> Int64 = RequestRate.uptime) {
        interval = 1_000_000_000 / Int64(count)
        burst = 2 * Int64(count) * interval
        parts = (0..<Self.partCount).map { _ in Part() }
        self.now = now
    }

    /// The time since the start of the system in nanoseconds, exact to some milliseconds. It is read for each request, and this clock is
    /// the cheapest.
    static let uptime: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Counts a request. Returns `false` if the caller has reached the limit, in which case the request is not counted.
    func admits(_ caller: LimitKey) -> Bool {
        let now = now()
        return part(of: caller).fullTimes.withLock { fullTimes in
            if fullTimes.count >= Self.bucketLimit { Self.makeRoom(in: &fullTimes, now: now) }
            return take(from: &fullTimes[caller, default: now], now: now)
        }
    }

    private func take(from fullTime: inout Int64, now: Int64) -> Bool {
        let later = max(fullTime, now) + interval
        guard later - now <= burst else { return false }
        fullTime = later
        return true
    }

    /// Returns a Boolean value that indicates whether the caller has reached the limit.
    func isReached(by caller: LimitKey) -> Bool {
        let now = now()
        return part(of: caller).fullTimes.withLock { ($0[caller] ?? now) + interval - now > burst }
    }

    /// The number of stored buckets.
    var bucketCount: Int { parts.reduce(0) { $0 + $1.fullTimes.withLock(\.count) } }

    private func part(of caller: LimitKey) -> Part {
        parts[Int(UInt(bitPattern: caller.hashValue) % UInt(Self.partCount))]
    }

    private static func makeRoom(in fullTimes: inout [LimitKey: Int64], now: Int64) {
        fullTimes = fullTimes.filter { $0.value > now }
        // If only few buckets were removed, the next calls would filter the buckets again and again.
        if fullTimes.count > bucketLimit / 2 { fullTimes.removeAll() }
    }
}
