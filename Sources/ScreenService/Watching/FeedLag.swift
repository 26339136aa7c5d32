/// The measurement of the time from the announcement of a change until the last follower of a view is shown the change.
///
/// A delivery begins when a feed publishes a new version, and ends when each follower that was woken has taken it or has left. If the next
/// version is published first, the delivery ends at that time, so that one follower that never reads does not hide the lag of the others.
struct FeedLag {
    typealias Instant = ContinuousClock.Instant

    /// The time of the first change that no computation has read yet.
    private var changedAt: Instant?
    /// The time of the first change that a computation has read and that is not delivered yet.
    private var readChangeAt: Instant?
    /// The time of the change that is being delivered, or `nil` if no delivery is in progress.
    private var deliveredSince: Instant?
    private var awaitedCount = 0

    /// Records that data has changed.
    mutating func noteChange() {
        if changedAt == nil { changedAt = .now }
    }

    /// Records that a computation begins to read data.
    mutating func noteReading() {
        (readChangeAt, changedAt) = (readChangeAt ?? changedAt, nil)
    }

    /// Records that the changes that were read so far have not changed the view.
    mutating func noteNoDelivery() {
        readChangeAt = nil
    }

    /// Begins a delivery to a number of followers. Returns the lag of an earlier delivery that has not ended.
    mutating func beginDelivery(to count: Int) -> Duration? {
        defer { (deliveredSince, awaitedCount, readChangeAt) = (readChangeAt, count, nil) }
        return deliveredSince.map { .now - $0 }
    }

    /// Records that a follower was shown the change. Returns the lag if it was the last one.
    mutating func endDelivery() -> Duration? {
        awaitedCount -= 1
        guard awaitedCount == 0, let since = deliveredSince.take() else { return nil }
        return .now - since
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
