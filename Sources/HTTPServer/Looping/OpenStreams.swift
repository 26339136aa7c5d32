/// The streams of one loop that have heartbeats. A sweep sends the heartbeats that are due, and costs less than a timer for each stream.
struct OpenStreams {
    private var streams: [NativeStream] = []
    /// The maximum delay of a heartbeat. It is determined by the shortest heartbeat interval so far.
    private var granularity = Duration.seconds(1)
    private(set) var nextSweep: Moment?

    /// Returns the maximum delay of a heartbeat with this interval. The delay allows many heartbeats to be sent together.
    static func granularity(of interval: Duration) -> Duration {
        min(max(interval / 16, .milliseconds(1)), .seconds(1))
    }

    mutating func add(_ stream: NativeStream, now: Moment) {
        guard let interval = stream.heartbeatInterval else { return }
        stream.index = streams.count
        streams.append(stream)
        granularity = min(granularity, Self.granularity(of: interval))
        schedule(stream, now: now)
    }

    /// Schedules a sweep no later than the next heartbeat of a stream.
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
