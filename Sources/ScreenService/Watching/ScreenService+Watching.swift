extension ScreenService {
    /// Follows a view for a client. If a current view is available, the subscription is available immediately. Otherwise the view must be
    /// computed.
    ///
    /// Run the work of the returned value only once. The subscription reports news only while the service exists.
    ///
    /// - Parameters:
    ///   - caller: The key under which the client's followed views are counted.
    ///   - position: The position of the last commit that the client has seen, or `nil` for none.
    ///   - expiry: The time at which the subscription ends, in seconds since 1970, or `nil` if it does not expire.
    ///   - wake: A function that is called on any thread when there may be news. It must not block.
    /// - Throws: ``FollowingFault``, and the errors of ``snapshot(of:at:within:)``.
    public func follow(
        _ view: ScreenView, for caller: LimitKey = .unknown, at position: Position? = nil, until expiry: Int64? = nil,
        wake: @escaping @Sendable () -> Void = {}
    ) -> Eventual<Subscription> {
        let subscription = feeds.follow(view, for: caller, at: position, wake)
        guard let expiry else { return subscription }
        return subscription.map { [timers, clock] in
            $0.expire(after: .seconds(expiry - clock.now), by: timers)
            return $0
        }
    }

    /// Returns the changes of a view since a client's version. If there are none, waits for changes, and returns an empty changeset after
    /// the timeout. A request with a timeout of zero is not a follower of the view, so the limits of followed views do not apply to it.
    ///
    /// - Parameters:
    ///   - position: The position of the last commit that the client has seen, or `nil` for none.
    ///   - expiry: The latest time at which the wait ends, in seconds since 1970, or `nil` for none.
    ///   - caller: The key under which the client's followed views are counted.
    /// - Throws: ``FollowingFault`` if the client may not wait, and the errors of ``changes(of:from:at:within:)``.
    public func changes(
        of view: ScreenView, from version: String?, at position: Position? = nil, waiting timeout: Duration, until expiry: Int64? = nil,
        for caller: LimitKey = .unknown
    ) async throws -> Document {
        let timeout = expiry.map { min(timeout, .seconds($0 - clock.now)) } ?? timeout
        guard timeout > .zero else { return try await changesInTurn(of: view, from: version, at: position) }
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // The timer starts first, because following the view may also take time.
        let stopTimer = timers.schedule(after: timeout) { wake.finish() }
        defer { stopTimer() }
        let subscription = try await feeds.follow(view, for: caller, at: position, turnTimeout: timeout) { wake.yield() }.value
        defer { subscription.cancel() }
        var nextWake = wakes.makeAsyncIterator()
        while !subscription.hasEnded, subscription.feed.latest?.snapshot.version == version {
            guard await nextWake.next() != nil else { break }
        }
        return try await changesInTurn(of: view, from: version, at: position)
    }

    /// Returns the changes of a view since a client's version. If they must be computed, they are computed in the turn of the current task.
    package func changesInTurn(of view: ScreenView, from version: String?, at position: Position?) async throws -> Document {
        switch changes(of: view, from: version, at: position) {
        case .now(let document): document
        case .later(let work): try await CallerTurn.run(work)
        }
    }

    /// Ends all subscriptions. Subscriptions that begin later end immediately. Streams end, and waiting requests receive a response.
    public func drain() {
        feeds.drain()
    }
}
