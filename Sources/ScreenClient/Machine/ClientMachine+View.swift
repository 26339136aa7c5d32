// Loading and following a view.
extension ClientMachine {
    /// The time after which a stream is considered dead if no bytes arrive. The server sends a comment every 15 seconds.
    static let silence = Duration.seconds(45)
    /// The client requests a snapshot after this many consecutive changesets and confirmations that do not fit the held version.
    static let versionMismatchLimit = 3
    /// The number of polls after which the client tries to open a stream again.
    static let pollLimit = 10
    /// The minimum duration of a poll that returns no changes. After a shorter poll, the client pauses, because a server that ignores
    /// `Prefer: wait` responds at once.
    static let shortestPoll = Duration.seconds(1)

    /// Requests the current state at once, even while the client waits or has failed.
    mutating func load() {
        if line != .renewal { dropLine() }
        failure = nil
        demand = held == nil ? .snapshot : .changes
    }

    mutating func endDemand(_ failure: Failure?) {
        guard demand != .nothing else { return }
        demand = .nothing
        effects.append(.loaded(failure))
    }

    mutating func changeNetwork() {
        emptyStreams = 0
        backoff.reset()
        isReachable = true
        // A request can succeed on this network although it was rejected on the earlier one, for example by a captive portal.
        failure = nil
        // A connection over the earlier network may be dead although no error is reported.
        if line != .renewal { dropLine() }
        if let id = actions.first?.requestID { repeatAction(id) }
    }

    mutating func reset() {
        dropLine()
        for action in actions {
            action.requestID.map { cancel($0) }
            effects.append(.resolve(key: action.key, action.isUnsent ? .rejected(.cancelled) : .undecided(.cancelled)))
        }
        endDemand(.cancelled)
        let (effects, lastID, generation) = (effects, lastID, generation)
        let mode = mode == .following ? Mode.paused : mode
        self = ClientMachine()
        (self.mode, self.effects, self.lastID, self.generation) = (mode, effects, lastID, generation + 1)
    }

    mutating func receive(_ answer: Answer, of id: RequestID, _ now: Duration) {
        if actions.first?.state == .sent(id) { return receiveActionAnswer(answer, now) }
        guard case .request(id, let kind, let sent) = line else { return }
        guard let head = answer.head else { return failLine(.unreachable, now) }
        line = .none
        (isReachable, hasNewToken) = (true, false)
        positions.noteCaching(answer.sharedMaxAge)
        positions.settle(sentPositions.removeValue(forKey: id) ?? [], at: now)
        let before = held
        guard take(head) else {
            demand = versionMismatches < Self.versionMismatchLimit && failedChangesets == 0 ? .changes : .snapshot
            if versionMismatches > Self.versionMismatchLimit { pause(atLeast: .zero, now) }
            return
        }
        if case .poll = kind {
            // After some polls, the client tries to open a stream again. If no bytes arrive on the stream, the client continues to poll.
            polls += 1
            if polls == Self.pollLimit { (polls, emptyStreams) = (0, 1) }
            if held == before, now - sent < Self.shortestPoll { pause(atLeast: .zero, now) } else { backoff.reset() }
        }
        endDemand(nil)
    }

    /// Decides what to do with a document, and updates the held version.
    ///
    /// - Returns: False if the document is a changeset that neither starts from the held version nor results in it.
    mutating func take(_ head: DocumentHead) -> Bool {
        switch head.from {
        case nil: effects.append(.take(.replace))
        case _ where head.version == held: failedChangesets = 0
        case held: effects.append(.take(.apply))
        default:
            versionMismatches += 1
            return false
        }
        versionMismatches = 0
        (held, isStored, isStale) = (head.version, false, false)
        return true
    }

    /// Requests a snapshot, because a changeset could not be applied.
    mutating func repairMisfit(_ version: String, _ now: Duration) {
        dropLine()
        held = version
        failedChangesets += 1
        demand = .snapshot
        if failedChangesets > 1 { pause(atLeast: .zero, now) }
    }

    mutating func fail(_ id: RequestID, _ failure: Failure, _ now: Duration) {
        if actions.first?.state == .sent(id) { return failAction(failure) }
        switch line {
        case .request(id, _, _): failLine(failure, now)
        case .stream(id, _): endStream(id, failure, now)
        default: break
        }
    }

    mutating func failLine(_ failure: Failure, _ now: Duration) {
        let isRenewed = hasNewToken
        let isSnapshot = if case .request(_, .snapshot, _) = line { true } else { false }
        dropLine()
        isReachable = failure != .unreachable
        if failure.hasStatus(401), !isRenewed {
            line = .renewal
            return renewToken()
        }
        if failure == .unreadable, !isSnapshot {
            // A snapshot is requested, because the changeset may contain an operation that the client does not know.
            failedChangesets += 1
            demand = .snapshot
            if failedChangesets > 1 { pause(atLeast: .zero, now) }
            return
        }
        if demand != .nothing { effects.append(.loaded(failure)) }
        if mode == .following, failure.isTemporary { return pause(atLeast: failure.retryAfter, now) }
        demand = .nothing
        self.failure = failure
    }

    mutating func pause(atLeast least: Duration, _ now: Duration) {
        lastID += 1
        let range = backoff.next(atLeast: least)
        line = .pause(lastID, until: now + range.upperBound)
        effects.append(.sleep(lastID, range))
    }

    mutating func wake(_ id: RequestID, _ now: Duration) {
        if actions.first?.state == .pause(id) { actions[0].state = .queued }
        switch line {
        case .pause(id, _): line = .none
        case .stream(id, let progress):
            let rest = progress.lastByte + Self.silence - now
            if rest > .zero { return effects.append(.sleep(id, rest...rest)) }
            endStream(id, .unreachable, now)
        default: break
        }
    }
}
