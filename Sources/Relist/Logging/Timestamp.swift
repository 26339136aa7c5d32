import Glibc

/// A time of the system's clock in milliseconds, for logs.
struct Timestamp: Hashable {
    /// The number of milliseconds since 1970.
    let milliseconds: Int64

    static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The time in UTC as RFC 3339 writes it, such as `2026-11-28T18:49:15.042Z`.
    var text: String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date = "\(Self.digits(parts.tm_year + 1900, 4))-\(Self.digits(parts.tm_mon + 1))-\(Self.digits(parts.tm_mday))"
        let time = "\(Self.digits(parts.tm_hour)):\(Self.digits(parts.tm_min)):\(Self.digits(parts.tm_sec))"
        return "\(date)T\(time).\(Self.digits(Int32(milliseconds % 1000), 3))Z"
    }

    private static func digits(_ number: Int32, _ count: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(count - digits.count, 0)) + digits
    }
}
