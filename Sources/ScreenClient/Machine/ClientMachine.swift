/// A pure state machine that implements the rules of a client for one screen.
///
/// The owner of the machine passes each event to ``handle(_:at:)`` and performs the returned effects in order. The machine reads no
/// clock, sends nothing and stores nothing itself. It knows versions, but not the content of documents.
package struct ClientMachine: Hashable, Sendable {
    /// The version of the snapshot that the client holds, or `nil` if the client holds none.
    package internal(set) var held: String?
    /// A Boolean value that indicates whether the held snapshot was read from the device and has not been confirmed by the server yet.
    package internal(set) var isStored = false
    /// A Boolean value that indicates whether the server reported that it cannot refresh the view.
    package internal(set) var isStale = false
    /// A Boolean value that indicates whether the server can be reached, as far as the client knows from its last exchange.
    package internal(set) var isReachable = true
    /// The failure that stopped the client, or `nil` if the client continues automatically.
    package internal(set) var failure: Failure?
    package internal(set) var mode = Mode.idle
    /// The current step of loading or following the view: an exchange, a pause before the next attempt, or the renewal of the token. Only
    /// one step is in progress at a time.
    package internal(set) var line = Line.none
    /// The actions in progress, in the order in which they are performed.
    package internal(set) var actions: [PendingAction] = []
    package internal(set) var positions = Positions()

    /// The kind of document that must be requested and received before the client follows the view.
    var demand = Demand.nothing
    /// The number of ``Event/show`` and ``Event/reset`` events so far. If the number has changed since an action was started, the client
    /// ignores the document in the response to the action.
    var generation = 0
    var lastID = 0
    /// The position tokens that were sent with the requests in progress.
    var sentPositions: [RequestID: [String]] = [:]
    var backoff = Backoff()
    /// The number of consecutive changesets and confirmations that do not fit the held version.
    var versionMismatches = 0
    /// The number of changesets from the held version that could not be read or applied. If there is more than one, the client pauses
    /// before it requests a snapshot.
    var failedChangesets = 0
    /// The number of consecutive streams that delivered no bytes.
    var emptyStreams = 0
    /// The number of polls that were answered since the last attempt to open a stream.
    var polls = 0
    /// A Boolean value that indicates whether the token was renewed after the last request that the server accepted.
    var hasNewToken = false
    var isRenewing = false
    /// The effects of the event that is being handled.
    var effects: [Effect] = []

    package init() {}
}

// MARK: - Events

extension ClientMachine {
    /// Handles an event and returns the effects to perform, in order.
    ///
    /// - Parameter now: The time since a fixed instant. All calls must use the same instant, and the time must never decrease.
    package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
        let (before, version) = (observableState, held)
        process(event, now)
        startAction(now)
        advance(now)
        if let held, held != version, event != .restored(version: held) { effects.append(.save) }
        if observableState != before { effects.append(.publish) }
        defer { effects = [] }
        return effects
    }

    mutating func process(_ event: Event, _ now: Duration) {
        switch event {
        case .restored(let version):
            guard held == nil else { return }
            (held, isStored) = (version, true)
        case .follow:
            guard mode != .following else { return }
            mode = .following
            failure = nil
        case .pause:
            mode = .paused
            dropLine()
            endDemand(.cancelled)
        case .refresh: load()
        case .show:
            generation += 1
            load()
        case .perform(let key, let isInDoubt, let expiry):
            actions.append(PendingAction(key: key, generation: generation, expiry: expiry, isInDoubt: isInDoubt))
        case .abandon(let key): abandon(key)
        case .networkChanged: changeNetwork()
        case .positionLearned(let token): positions.learn(token, replacing: [], at: now)
        case .reset: reset()
        case .answered(let id, let answer): receive(answer, of: id, now)
        case .failed(let id, let failure): fail(id, failure, now)
        case .opened(let id): updateStream(id, now) { $0.opened = now }
        case .received(let id): updateStream(id, now) { _ in }
        case .suggestedPause(let id, let pause):
            if updateStream(id, now, { _ in }) { backoff.base = pause }
        case .document(let id, let head): receiveStreamed(head, of: id, now)
        case .confirmed(let id, let version): confirm(version, by: id, now)
        case .stale(let id):
            if updateStream(id, now, { $0.hasEvents = true }) { isStale = true }
        case .ended(let id): endStream(id, nil, now)
        case .misfit(let version): repairMisfit(version, now)
        case .woke(let id): wake(id, now)
        case .tokenRenewed: endRenewal(succeeded: true)
        case .tokenFailed: endRenewal(succeeded: false)
        }
    }

    /// Sends the next request for the view, unless an exchange or a pause is in progress.
    mutating func advance(_ now: Duration) {
        guard line == .none, failure == nil else { return }
        switch (demand, held) {
        case (.nothing, let version?) where mode == .following:
            if emptyStreams < 2 { openStream(from: version, now) } else { request(.poll(from: version), now) }
        case (.nothing, nil) where mode == .following: request(.snapshot, now)
        case (.nothing, _): break
        case (.changes, let version?): request(.changes(from: version), now)
        case (.changes, nil), (.snapshot, _): request(.snapshot, now)
        }
    }

    mutating func request(_ kind: Request.Kind, _ now: Duration) {
        let id = send(kind)
        line = .request(id, kind, sent: now)
    }

    mutating func openStream(from version: String, _ now: Duration) {
        let id = send(.stream(from: version))
        line = .stream(id, StreamProgress(lastByte: now))
        effects.append(.sleep(id, Self.silence...Self.silence))
    }

    mutating func send(_ kind: Request.Kind) -> RequestID {
        lastID += 1
        sentPositions[lastID] = positions.tokens
        effects.append(.send(lastID, Request(kind: kind, positions: positions.tokens)))
        return lastID
    }

    mutating func dropLine() {
        switch line {
        case .request(let id, _, _), .stream(let id, _), .pause(let id, _): cancel(id)
        case .none, .renewal: break
        }
        line = .none
        hasNewToken = false
    }

    /// Cancels the exchange or the pause with this id.
    mutating func cancel(_ id: RequestID) {
        sentPositions[id] = nil
        effects.append(.cancel(id))
    }
}

// MARK: - Tokens

extension ClientMachine {
    mutating func renewToken() {
        if !isRenewing { effects.append(.renewToken) }
        isRenewing = true
    }

    mutating func endRenewal(succeeded: Bool) {
        guard isRenewing else { return }
        isRenewing = false
        if line == .renewal {
            (line, hasNewToken) = (.none, succeeded)
            if !succeeded {
                endDemand(.token)
                failure = .token
            }
        }
        if actions.first?.state == .renewal {
            actions[0].hasNewToken = succeeded
            if succeeded { actions[0].state = .queued } else { resolveAction(result(of: .token)) }
        }
    }
}
