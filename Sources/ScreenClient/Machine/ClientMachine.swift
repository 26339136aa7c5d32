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
    /// The exchange or the pause that keeps the view current. Only one is in progress at a time.
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
    /// The number of consecutive changesets and confirmations that refer to another version than the held one.
    var misses = 0
    /// The number of consecutive changesets that started from the held version and could not be applied.
    var misfits = 0
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

// The types of the machine's state, events and effects.
extension ClientMachine {
    package typealias RequestID = Int

    package enum Mode: Hashable, Sendable {
        case idle
        case following
        case paused
    }

    package enum Line: Hashable, Sendable {
        case none
        case request(RequestID, Request.Kind, sent: Duration)
        case stream(RequestID, StreamProgress)
        /// A pause before the next attempt. The pause ends when the timer with this id fires, at the time `until` at the latest.
        case pause(RequestID, until: Duration)
        /// The line waits for a new token.
        case renewal
    }

    package struct StreamProgress: Hashable, Sendable {
        /// The time when the stream was opened, or `nil` if it is not open yet.
        var opened: Duration?
        /// The time when bytes of the stream last arrived. If no bytes have arrived yet, the time when the stream was requested.
        var lastByte: Duration
        var hasBytes = false
        /// A Boolean value that indicates whether an event has arrived on the stream.
        var hasEvents = false
    }

    package struct PendingAction: Hashable, Sendable {
        package let key: String
        let generation: Int
        var state = State.queued
        /// The number of requests that were sent with the key.
        var sends = 0
        /// A Boolean value that indicates whether the outcome of an earlier request with the key is not known.
        var isInDoubt: Bool
        var hasNewToken = false

        /// A Boolean value that indicates whether no request was ever sent with the key.
        var isUnsent: Bool { sends == 0 && !isInDoubt }

        /// The id of the request or the pause in progress.
        var requestID: RequestID? {
            switch state {
            case .sent(let id), .pause(let id): id
            case .queued, .renewal: nil
            }
        }

        enum State: Hashable, Sendable {
            case queued
            case sent(RequestID)
            case pause(RequestID)
            case renewal
        }
    }

    enum Demand: Hashable {
        case nothing
        case changes
        case snapshot
    }

    /// A request to send.
    package struct Request: Hashable, Sendable {
        package let kind: Kind
        /// The position tokens to send with the request.
        package let positions: [String]

        package enum Kind: Hashable, Sendable {
            /// A GET of the snapshot.
            case snapshot
            /// A request for the changes from a version.
            case changes(from: String)
            /// A request for the changes from a version. The server waits until there are changes before it responds.
            case poll(from: String)
            case stream(from: String)
            /// A request to perform an action. If `from` is `nil`, the request asks for a response without a document.
            case action(key: String, from: String?)
        }
    }

    /// The head of a document. It decides what a client does with the document.
    package struct DocumentHead: Hashable, Sendable {
        /// The version that a changeset starts from, or `nil` for a snapshot.
        package let from: String?
        package let version: String

        package init(from: String?, version: String) {
            self.from = from
            self.version = version
        }
    }

    /// A failure of a request.
    package enum Failure: Hashable, Sendable {
        /// There was no response, or the response did not come from the service.
        case unreachable
        /// The response contains a document that the client cannot read.
        case unreadable
        /// The server responded with a problem.
        case problem(status: Int, retryAfter: Duration?, outcome: Outcome?)
        /// The token source threw an error.
        case token
        /// The owner cancelled the request.
        case cancelled

        var isTemporary: Bool {
            switch self {
            case .unreachable, .unreadable: true
            case .problem(let status, _, _): status >= 500 || [408, 409, 425, 429].contains(status)
            case .token, .cancelled: false
            }
        }

        var retryAfter: Duration {
            if case .problem(_, let pause?, _) = self { pause } else { .zero }
        }

        var outcome: Outcome? {
            if case .problem(_, _, let outcome) = self { outcome } else { nil }
        }

        func hasStatus(_ status: Int) -> Bool {
            if case .problem(status, _, _) = self { true } else { false }
        }
    }

    /// The outcome of an action, as a problem document states it.
    package enum Outcome: String, Hashable, Sendable {
        case performed
        case notPerformed = "not-performed"
        case unknown
    }

    /// The successful response to a request.
    package struct Answer: Hashable, Sendable {
        /// The head of the document, or `nil` if the response has no document.
        package let head: DocumentHead?
        /// The position token of the response.
        package let position: String?
        /// The time for which shared caches may keep the response.
        package let sharedMaxAge: Duration

        package init(_ head: DocumentHead?, position: String? = nil, sharedMaxAge: Duration = .zero) {
            self.head = head
            self.position = position
            self.sharedMaxAge = sharedMaxAge
        }
    }

    package enum Event: Hashable, Sendable {
        // Events that the owner sends.

        /// The owner has read a snapshot with this version from the device.
        case restored(version: String)
        case follow
        case pause
        case refresh
        /// The parameters of the view changed.
        case show
        /// The app executes an action. The attempt is already stored. `isInDoubt` is true if an earlier execution may have sent the
        /// attempt.
        case perform(key: String, isInDoubt: Bool)
        /// The owner no longer waits for an action.
        case abandon(key: String)
        /// The network of the device changed.
        case networkChanged
        /// Another screen of the same client received a position token.
        case positionLearned(String)
        /// The user changed. The machine discards all content.
        case reset

        // Events that the transport sends. The machine ignores events of requests that it no longer waits for.

        case answered(RequestID, Answer)
        case failed(RequestID, Failure)
        /// The head of a stream's response arrived.
        case opened(RequestID)
        /// Bytes of a stream arrived.
        case received(RequestID)
        /// The stream suggests a pause before it is reopened.
        case suggestedPause(RequestID, Duration)
        /// A document arrived on a stream.
        case document(RequestID, DocumentHead)
        /// A stream confirmed that a version is current.
        case confirmed(RequestID, version: String)
        /// A stream reported that the view cannot be refreshed.
        case stale(RequestID)
        /// A stream ended without an error.
        case ended(RequestID)

        // Events that are sent by the code that performs the effects.

        /// A changeset could not be applied, so the given version is still held. The owner sends this event directly after the event with
        /// the changeset. The owner first performs the other effects of the event with the changeset, but not ``Effect/loaded(_:)``,
        /// because the load is not finished.
        case misfit(held: String)
        case woke(RequestID)
        case tokenRenewed
        case tokenFailed
    }

    package enum Effect: Hashable, Sendable {
        case send(RequestID, Request)
        /// Cancel the request or the timer with this id.
        case cancel(RequestID)
        /// Sleep for a random time in this range, and then pass ``Event/woke(_:)`` to the machine.
        case sleep(RequestID, ClosedRange<Duration>)
        /// Show the document of the event that is being handled.
        case take(Disposition)
        case renewToken
        /// Store the held snapshot.
        case save
        /// Pass a position token to the other screens of the client, which must send the token, too.
        case share(position: String)
        /// End the loads that the owner requested. The failure is `nil` if the loads succeeded.
        case loaded(Failure?)
        /// End the execution of the action with this key. The machine no longer handles the action.
        case resolve(key: String, ActionResult)
        /// Notify observers, because the observable state changed.
        case publish
    }

    package enum Disposition: Hashable, Sendable {
        /// The document is a snapshot that replaces the held snapshot.
        case replace
        /// The document is a changeset that applies to the held snapshot.
        case apply
    }

    package enum ActionResult: Hashable, Sendable {
        case performed
        /// The action was certainly not performed.
        case rejected(Failure)
        /// The action may have been performed.
        case undecided(Failure)
    }
}

// MARK: - Observable state

extension ClientMachine {
    package enum Content: Hashable, Sendable {
        case none
        case stored(version: String)
        case current(version: String)
    }

    package enum Connection: Hashable, Sendable {
        case idle
        case requesting
        case streaming
        case polling
        /// The client waits for its next attempt, which begins at this time at the latest.
        case waiting(until: Duration)
        case failed(Failure)
        case paused
    }

    package var content: Content {
        guard let held else { return .none }
        return isStored ? .stored(version: held) : .current(version: held)
    }

    package var connection: Connection {
        switch line {
        case .request(_, .poll, _): .polling
        case .request, .renewal: .requesting
        case .stream(_, let progress): progress.hasEvents ? .streaming : .requesting
        case .pause(_, let until): .waiting(until: until)
        case .none:
            if let failure { .failed(failure) } else { mode == .paused ? .paused : .idle }
        }
    }

    private struct Observable: Equatable {
        let content: Content
        let connection: Connection
        let isStale: Bool
        let isReachable: Bool
    }

    private var observable: Observable {
        Observable(content: content, connection: connection, isStale: isStale, isReachable: isReachable)
    }
}

// MARK: - Events

extension ClientMachine {
    /// Handles an event and returns the effects to perform, in order.
    ///
    /// - Parameter now: The time since a fixed instant. All calls must use the same instant, and the time must never decrease.
    package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
        let (before, version) = (observable, held)
        process(event, now)
        startAction()
        advance(now)
        if let held, held != version, event != .restored(version: held) { effects.append(.save) }
        if observable != before { effects.append(.publish) }
        defer { effects = [] }
        return effects
    }

    private mutating func process(_ event: Event, _ now: Duration) {
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
        case .perform(let key, let isInDoubt):
            actions.append(PendingAction(key: key, generation: generation, isInDoubt: isInDoubt))
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
    private mutating func advance(_ now: Duration) {
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

    private mutating func request(_ kind: Request.Kind, _ now: Duration) {
        let id = send(kind)
        line = .request(id, kind, sent: now)
    }

    private mutating func openStream(from version: String, _ now: Duration) {
        let id = send(.stream(from: version))
        line = .stream(id, StreamProgress(lastByte: now))
        effects.append(.sleep(id, Self.silence...Self.silence))
    }

    private mutating func send(_ kind: Request.Kind) -> RequestID {
        lastID += 1
        sentPositions[lastID] = positions.tokens
        effects.append(.send(lastID, Request(kind: kind, positions: positions.tokens)))
        return lastID
    }

    private mutating func dropLine() {
        switch line {
        case .request(let id, _, _), .stream(let id, _), .pause(let id, _): cancel(id)
        case .none, .renewal: break
        }
        line = .none
        hasNewToken = false
    }

    /// Cancels the exchange or the pause with this id.
    private mutating func cancel(_ id: RequestID) {
        sentPositions[id] = nil
        effects.append(.cancel(id))
    }
}

// MARK: - Loading and following

extension ClientMachine {
    /// The time after which a stream is considered dead if no bytes arrive. The server sends a comment every 15 seconds.
    static let silence = Duration.seconds(45)
    /// The number of consecutive changesets and confirmations of other versions after which the client requests a snapshot.
    static let missLimit = 3
    /// The number of polls after which the client tries to open a stream again.
    static let pollLimit = 10
    /// The minimum duration of a poll that returns no changes. After a shorter poll, the client pauses, because a server that ignores
    /// `Prefer: wait` responds at once.
    static let shortestPoll = Duration.seconds(1)

    /// Requests the current state at once, even while the client waits or has failed.
    private mutating func load() {
        if line != .renewal { dropLine() }
        failure = nil
        demand = held == nil ? .snapshot : .changes
    }

    private mutating func endDemand(_ failure: Failure?) {
        guard demand != .nothing else { return }
        demand = .nothing
        effects.append(.loaded(failure))
    }

    private mutating func changeNetwork() {
        emptyStreams = 0
        backoff.reset()
        isReachable = true
        if failure == .token { failure = nil }
        // A connection over the earlier network may be dead although no error is reported.
        if line != .renewal { dropLine() }
        if case .pause(let id) = actions.first?.state {
            cancel(id)
            actions[0].state = .queued
        }
    }

    private mutating func reset() {
        dropLine()
        for action in actions {
            action.requestID.map { cancel($0) }
            effects.append(.resolve(key: action.key, action.isUnsent ? .rejected(.cancelled) : .undecided(.cancelled)))
        }
        endDemand(.cancelled)
        let (mode, effects, lastID, generation) = (mode, effects, lastID, generation)
        self = ClientMachine()
        (self.mode, self.effects, self.lastID, self.generation) = (mode, effects, lastID, generation + 1)
    }

    private mutating func receive(_ answer: Answer, of id: RequestID, _ now: Duration) {
        if actions.first?.state == .sent(id) { return receiveActionAnswer(answer, now) }
        guard case .request(id, let kind, let sent) = line else { return }
        guard let head = answer.head else { return failLine(.unreachable, now) }
        line = .none
        (isReachable, hasNewToken) = (true, false)
        positions.noteCaching(answer.sharedMaxAge)
        positions.settle(sentPositions.removeValue(forKey: id) ?? [], at: now)
        let before = held
        guard take(head) else {
            demand = misses < Self.missLimit && misfits == 0 ? .changes : .snapshot
            if misses > Self.missLimit { pause(atLeast: .zero, now) }
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
    /// - Returns: False if the document is a changeset that starts from another version than the held one.
    private mutating func take(_ head: DocumentHead) -> Bool {
        switch head.from {
        case nil: effects.append(.take(.replace))
        case _ where head.version == held: misfits = 0
        case held: effects.append(.take(.apply))
        default:
            misses += 1
            return false
        }
        misses = 0
        (held, isStored, isStale) = (head.version, false, false)
        return true
    }

    /// Requests a snapshot, because a changeset could not be applied.
    private mutating func repairMisfit(_ version: String, _ now: Duration) {
        dropLine()
        held = version
        misfits += 1
        demand = .snapshot
        if misfits > 1 { pause(atLeast: .zero, now) }
    }

    private mutating func fail(_ id: RequestID, _ failure: Failure, _ now: Duration) {
        if actions.first?.state == .sent(id) { return failAction(failure) }
        switch line {
        case .request(id, _, _): failLine(failure, now)
        case .stream(id, _): endStream(id, failure, now)
        default: break
        }
    }

    private mutating func failLine(_ failure: Failure, _ now: Duration) {
        let isRenewed = hasNewToken
        let isSnapshot = if case .request(_, .snapshot, _) = line { true } else { false }
        dropLine()
        isReachable = failure != .unreachable
        if failure.hasStatus(401), !isRenewed {
            line = .renewal
            return renewToken()
        }
        if failure == .unreadable, !isSnapshot {
            // The changeset may contain an operation that the client does not know.
            misfits += 1
            demand = .snapshot
            if misfits > 1 { pause(atLeast: .zero, now) }
            return
        }
        if demand != .nothing { effects.append(.loaded(failure)) }
        if mode == .following, failure.isTemporary { return pause(atLeast: failure.retryAfter, now) }
        demand = .nothing
        self.failure = failure
    }

    private mutating func pause(atLeast least: Duration, _ now: Duration) {
        lastID += 1
        let range = backoff.next(atLeast: least)
        line = .pause(lastID, until: now + range.upperBound)
        effects.append(.sleep(lastID, range))
    }

    private mutating func wake(_ id: RequestID, _ now: Duration) {
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

// MARK: - Streams

extension ClientMachine {
    @discardableResult
    private mutating func updateStream(_ id: RequestID, _ now: Duration, _ change: (inout StreamProgress) -> Void) -> Bool {
        guard case .stream(id, var progress) = line else { return false }
        // The head of a response does not show that the body gets through, because some proxies delay the body.
        let opened = progress.opened
        change(&progress)
        if progress.opened == opened {
            progress.hasBytes = true
            progress.lastByte = now
            emptyStreams = 0
        }
        line = .stream(id, progress)
        (isReachable, hasNewToken) = (true, false)
        return true
    }

    private mutating func receiveStreamed(_ head: DocumentHead, of id: RequestID, _ now: Duration) {
        guard updateStream(id, now, { $0.hasEvents = true }) else { return }
        if take(head) { positions.settle(sentPositions[id] ?? [], at: now) } else { reopenStream(now) }
    }

    /// Ends a stream after a document or a confirmation that refers to another version than the held one.
    private mutating func reopenStream(_ now: Duration) {
        dropLine()
        if misses >= Self.missLimit {
            demand = .snapshot
            misses = 0
        }
        pause(atLeast: .zero, now)
    }

    private mutating func confirm(_ version: String, by id: RequestID, _ now: Duration) {
        guard updateStream(id, now, { $0.hasEvents = true }) else { return }
        guard version == held else {
            misses += 1
            return reopenStream(now)
        }
        (isStored, isStale) = (false, false)
        (misfits, misses) = (0, 0)
        positions.settle(sentPositions[id] ?? [], at: now)
    }

    private mutating func endStream(_ id: RequestID, _ failure: Failure?, _ now: Duration) {
        guard case .stream(id, let progress) = line else { return }
        // True if the server or a proxy responded to the request for the stream.
        let isAnswered = progress.opened != nil || failure.map { $0 != .unreachable && !$0.hasStatus(401) } == true
        if !progress.hasBytes, isAnswered || now - progress.lastByte >= Self.silence { emptyStreams += 1 }
        if let failure, failure != .unreachable { return failLine(failure, now) }
        dropLine()
        if failure != nil, progress.opened == nil { isReachable = false }
        if let opened = progress.opened { backoff.noteLife(now - opened) }
        pause(atLeast: .zero, now)
    }
}

// MARK: - Tokens

extension ClientMachine {
    private mutating func renewToken() {
        if !isRenewing { effects.append(.renewToken) }
        isRenewing = true
    }

    private mutating func endRenewal(succeeded: Bool) {
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

// MARK: - Actions

extension ClientMachine {
    /// The maximum number of requests for one action.
    static let sendLimit = 6

    private mutating func startAction() {
        guard let action = actions.first, action.state == .queued else { return }
        let id = send(.action(key: action.key, from: isFollowed ? nil : held))
        actions[0].state = .sent(id)
        actions[0].sends += 1
    }

    private mutating func receiveActionAnswer(_ answer: Answer, _ now: Duration) {
        (isReachable, failure) = (true, nil)
        learnPosition(of: answer, now)
        let isCurrentView = actions[0].generation == generation
        resolveAction(.performed)
        if isFollowed { return }
        // The response to a request that was sent before the action was performed may contain an earlier state.
        if line != .renewal { dropLine() }
        if let head = answer.head, isCurrentView, take(head) { return }
        catchUp()
    }

    /// Requests the changes, unless a stream delivers them.
    private mutating func catchUp() {
        if isFollowed { return }
        if line != .renewal { dropLine() }
        if demand == .nothing { demand = held == nil ? .snapshot : .changes }
    }

    /// A Boolean value that indicates whether a stream delivers the changes of an action.
    private var isFollowed: Bool { connection == .streaming && !isStale }

    private mutating func learnPosition(of answer: Answer, _ now: Duration) {
        positions.noteCaching(answer.sharedMaxAge)
        let sent = actions[0].requestID.flatMap { sentPositions.removeValue(forKey: $0) }
        guard let token = answer.position, Positions.isValid(token) else { return }
        positions.learn(token, replacing: sent ?? [], at: now)
        effects.append(.share(position: token))
    }

    private mutating func failAction(_ failure: Failure) {
        isReachable = failure != .unreachable
        actions[0].requestID.map { sentPositions[$0] = nil }
        if failure.hasStatus(401), !actions[0].hasNewToken {
            actions[0].state = .renewal
            return renewToken()
        }
        actions[0].hasNewToken = false
        if failure.outcome == .performed {
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
    /// Even if the server reports that the action was not performed, an earlier request with the same key may have performed it. Only a
    /// rejection of the input (422) is certain, because the server looks for earlier requests before it checks the input. It makes all
    /// other checks before it looks for earlier requests.
    private func result(of failure: Failure) -> ActionResult {
        // If there is no token, no request was sent.
        let isDenied = failure.outcome == .notPerformed || failure == .token
        let isCertain = isDenied && (!actions[0].isInDoubt || failure.hasStatus(422))
        return isCertain ? .rejected(failure) : .undecided(failure)
    }

    private mutating func resolveAction(_ result: ActionResult) {
        effects.append(.resolve(key: actions.removeFirst().key, result))
    }

    private mutating func abandon(_ key: String) {
        guard let index = actions.firstIndex(where: { $0.key == key }) else { return }
        let action = actions.remove(at: index)
        action.requestID.map { cancel($0) }
        effects.append(.resolve(key: key, action.isUnsent ? .rejected(.cancelled) : .undecided(.cancelled)))
    }
}
