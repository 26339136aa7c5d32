// For clients that wait for what is new instead of asking again and again.
extension ScreenService {
    /// Follows a view for one client, from the call on until what is returned is let go of. The subscription is there at once
    /// where the view is current, otherwise when it was computed, in turn with others; that work is to be run
    /// once. There is news for as long as the service is kept.
    ///
    /// - Parameters:
    ///   - caller: the party whose followed views are counted.
    ///   - position: of a commit that the client has seen something of; nil for none.
    ///   - expiry: when it ends, in seconds since 1970; nil for never.
    ///   - wake: called, on any thread, when there may be news. It must not block. See
    ///     ``Subscription/setWake(_:)`` where it is not known yet.
    /// - Throws: ``FollowingFault``, or what ``snapshot(of:at:within:)`` throws.
    public func follow(
        _ view: ScreenView, for caller: LimitKey = .unknown, at position: Position? = nil, until expiry: Int64? = nil,
        wake: @escaping @Sendable () -> Void = {}
    ) -> Eventual<Subscription> {
        let subscription = feeds.follow(view, for: caller, at: position, wake)
        guard let expiry else { return subscription }
        return subscription.map { [timers, now] in
            ExpiringSubscription(insteadOf: $0, after: .seconds(expiry - now()), by: timers)
        }
    }

    /// What changed in a view; where nothing has, waits for something until `patience` is over, and
    /// then says that nothing changed. Who does not wait at all does not count as a follower.
    ///
    /// - Parameters:
    ///   - position: of a commit that the client has seen something of; nil for none.
    ///   - expiry: until when it waits at most, in seconds since 1970; nil for no bound.
    ///   - caller: the party whose followed views are counted.
    /// - Throws: ``FollowingFault``: the client may ask without waiting. Else as ``changes(of:from:at:within:)``.
    public func changes(
        of view: ScreenView, from version: String?, at position: Position? = nil, waiting patience: Duration, until expiry: Int64? = nil,
        for caller: LimitKey = .unknown
    ) async throws -> Document {
        let patience = expiry.map { min(patience, .seconds($0 - now())) } ?? patience
        // Who does not wait needs no timer either: one that is due at once would have another task sleep.
        guard patience > .zero else { return try await changes(of: view, from: version, at: position).value }
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // Before it follows: that may have to wait, too.
        let stopWaiting = timers.schedule(after: patience) { wake.finish() }
        defer { stopWaiting() }
        let subscription = try await feeds.follow(view, for: caller, at: position, turnTimeout: patience) { wake.yield() }.value
        defer { subscription.cancel() }
        var rest = wakes.makeAsyncIterator()
        while !subscription.hasEnded, subscription.feed.latest?.snapshot.version == version {
            guard await rest.next() != nil else { break }
        }
        return try await changes(of: view, from: version, at: position).value
    }

    /// Has everyone who follows a view told that nothing more is to come, now and from now on:
    /// streams end, and who waits is answered.
    public func drain() {
        feeds.drain()
    }
}
