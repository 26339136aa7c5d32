/// The streams of one loop that have heartbeats, and when to look at them.
///
/// Looking at all of them now and then costs less than a timer for each.
struct OpenStreams {
    private var streams: [NativeStream] = []
    /// How long one may be late; the shortest of all streams that were ever here.
    private var granularity = Duration.seconds(1)
    /// When to look next; nil if there is nothing to look at.
    private(set) var nextSweep: Moment?

    /// How late a heartbeat may be, so that many are sent in one go.
    static func granularity(of interval: Duration) -> Duration {
        min(max(interval / 16, .milliseconds(1)), .seconds(1))
    }

    mutating func add(_ stream: NativeStream, now: Moment) {
        guard let heartbeat = stream.heartbeat else { return }
        stream.index = streams.count
        streams.append(stream)
        granularity = min(granularity, Self.granularity(of: heartbeat.interval))
        schedule(stream, now: now)
    }

    /// Schedules the next sweep no later than the next heartbeat of a stream.
    mutating func schedule(_ stream: NativeStream, now: Moment) {
        guard stream.index != nil, let interval = stream.heartbeatInterval else { return }
        nextSweep = min(nextSweep ?? now + interval, now + interval)
    }

    mutating func remove(_ stream: NativeStream) {
        guard let index = stream.index else { return }
        stream.index = nil
        let last = streams.removeLast()
        if last !== stream {
            streams[index] = last
            last.index = index
        }
        if streams.isEmpty { nextSweep = nil }
    }

    /// Has those that were silent for too long send their heartbeat.
    mutating func sweep(now: Moment) {
        guard let due = nextSweep, due <= now else { return }
        var earliest = now + .seconds(3600)
        for stream in streams {
            guard let interval = stream.heartbeatInterval, let due = stream.heartbeatDue else { continue }
            if due <= now { stream.sendHeartbeat() }
            earliest = min(earliest, due <= now ? now + interval : due)
        }
        nextSweep = max(earliest, now + granularity)
    }
}
