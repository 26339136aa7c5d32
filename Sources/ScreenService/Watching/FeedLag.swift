/// The measurement of the time from the announcement of a change until the last follower of a view is shown the change.
///
/// A delivery begins when a feed publishes a new version, and ends when each follower that was woken has taken it or has left. If the next
/// version is published first, the followers that were not shown the change do not count, because a follower that never reads says nothing
/// about the server.
struct FeedLag {
    typealias Instant = ContinuousClock.Instant

    /// The time of the first change that no computation has read yet.
    private var changedAt: Instant?
    /// The time of the first change that a computation has read and that is not delivered yet.
    private var readChangeAt: Instant?
    /// The time of the change that is being delivered, or `nil` if no delivery is in progress.
    private var deliveredSince: Instant?
    /// The time at which a follower was shown the change most recently, or `nil` if none was shown it yet.
    private var shownAt: Instant?
    private var awaitedCount = 0

    /// Records that data has changed.
    mutating func noteChange(at now: Instant = .now) {
        if changedAt == nil { changedAt = now }
    }

    /// Records that a computation begins to read data.
    mutating func noteReading() {
        (readChangeAt, changedAt) = (readChangeAt ?? changedAt, nil)
    }

    /// Records that the changes that were read so far have not changed the view.
    mutating func noteNoDelivery() {
        readChangeAt = nil
    }

    /// Begins a delivery to a number of followers. Returns the lag of an earlier delivery that has not ended, without the followers that
    /// were not shown the change.
    mutating func beginDelivery(to count: Int) -> Duration? {
        let lag = lag
        (deliveredSince, shownAt, awaitedCount, readChangeAt) = (count > 0 ? readChangeAt : nil, nil, count, nil)
        return lag
    }

    private var lag: Duration? {
        guard let deliveredSince, let shownAt else { return nil }
        return shownAt - deliveredSince
    }

    /// Records that a follower was shown the change. Returns the lag if it was the last one.
    mutating func endDelivery(at now: Instant = .now) -> Duration? {
        awaitedCount -= 1
        if deliveredSince != nil { shownAt = now }
        guard awaitedCount == 0 else { return nil }
        defer { deliveredSince = nil }
        return lag
    }
}

extension ViewFeed.State {
    mutating func beginDelivery(to ids: some Collection<Int>) -> Duration? {
        for id in ids { followers[id]?.isAwaited = true }
        return lag.beginDelivery(to: ids.count)
    }

    mutating func endDelivery(to id: Int) -> Duration? {
        followers[id]?.isAwaited = false
        return lag.endDelivery()
    }
}
