extension ClientMachine {
    /// The maximum number of requests for one action while the network does not change.
    static let sendLimit = 6
    /// The maximum number of requests for one action in total.
    static let totalSendLimit = 12

    /// Sends the first queued action. An action that was sent before and must not be repeated ends as undecided, and the next one is sent.
    mutating func startAction(_ now: Duration) {
        while let action = actions.first, action.state == .queued {
            guard action.canBeSent(at: now) else {
                resolveAction(.undecided(.unreachable))
                continue
            }
            actions[0].state = .sent(send(.action(key: action.key, from: isStreaming ? nil : held)))
            actions[0].sends += 1
            actions[0].totalSends += 1
        }
    }

    /// Cancels the request or the pause with this id, which belongs to the first action in `actions`, and queues this action again. The
    /// server performs the action at most once, because all its requests have the same key.
    mutating func repeatAction(_ id: RequestID) {
        cancel(id)
        if actions[0].state == .sent(id) { actions[0].isInDoubt = true }
        (actions[0].state, actions[0].sends) = (.queued, 0)
    }

    mutating func receiveActionAnswer(_ answer: Answer, _ now: Duration) {
        (isReachable, failure) = (true, nil)
        learnPosition(of: answer, now)
        let isCurrentView = actions[0].generation == generation
        resolveAction(.performed)
        if isStreaming { return }
        // A request that was sent before the action was performed is cancelled, because its response may contain an earlier state.
        switch line {
        case .request, .stream: dropLine()
        case .none, .pause, .renewal: break
        }
        if let head = answer.head, isCurrentView, take(head) { return }
        catchUp()
    }

    /// Requests the changes that an action made, unless a stream delivers them.
    mutating func catchUp() {
        if isStreaming { return }
        if line != .renewal { dropLine() }
        if demand == .nothing { demand = held == nil ? .snapshot : .changes }
    }

    /// A Boolean value that indicates whether a stream delivers the changes of an action.
    var isStreaming: Bool { connection == .streaming }

    mutating func learnPosition(of answer: Answer, _ now: Duration) {
        positions.noteCaching(answer.sharedMaxAge)
        let sent = actions[0].requestID.flatMap { sentPositions.removeValue(forKey: $0) }
        guard let token = answer.position, Positions.isValid(token) else { return }
        positions.learn(token, replacing: sent ?? [], at: now)
        effects.append(.share(position: token))
    }

    mutating func failAction(_ failure: Failure) {
        isReachable = failure != .unreachable
        actions[0].requestID.map { sentPositions[$0] = nil }
        if failure.hasStatus(401), !actions[0].hasNewToken {
            actions[0].state = .renewal
            return renewToken()
        }
        actions[0].hasNewToken = false
        if failure.outcome == .performed {
            self.failure = nil
            resolveAction(.performed)
            return catchUp()
        }
        guard failure.isTemporary, actions[0].sends < Self.sendLimit else { return resolveAction(result(of: failure)) }
        if failure.outcome != .notPerformed { actions[0].isInDoubt = true }
        lastID += 1
        var pauses = Backoff()
        for _ in 1..<actions[0].sends { _ = pauses.next(atLeast: .zero) }
        actions[0].state = .pause(lastID)
        effects.append(.sleep(lastID, pauses.next(atLeast: failure.retryAfter)))
    }

    /// Returns the result of an action that failed.
    ///
    /// Even if the server reports that the action was not performed, an earlier request with the same key may have performed it. A status
    /// of 422 is the exception, because the server responds with this status only after it has looked for earlier requests. With almost any
    /// other status, the server may have rejected the request before it looked for earlier requests.
    func result(of failure: Failure) -> ActionResult {
        // Without a token, this request was not sent, so it did not perform the action.
        let isDenied = failure.outcome == .notPerformed || failure == .token
        let isCertain = isDenied && (!actions[0].isInDoubt || failure.hasStatus(422))
        return isCertain ? .rejected(failure) : .undecided(failure)
    }

    mutating func resolveAction(_ result: ActionResult) {
        effects.append(.resolve(key: actions.removeFirst().key, result))
    }

    mutating func abandon(_ key: String) {
        guard let index = actions.firstIndex(where: { $0.key == key }) else { return }
        let action = actions.remove(at: index)
        action.requestID.map { cancel($0) }
        effects.append(.resolve(key: key, action.isUnsent ? .rejected(.cancelled) : .undecided(.cancelled)))
    }
}
