import Foundation
import Testing

@testable import ScreenClient

/// Explores the states of a `ClientMachine` breadth-first. In each state, every possible event is tried.
struct ExplorationTests {
    /// States are considered equal if they differ only in ids or in times that no longer matter.
    @Test func noEventInAnyReachableStateBreaksARule() throws {
        let limit = ProcessInfo.processInfo.environment["RELIST_PROOF"] == "full" ? 1_000_000 : 20_000
        // The hashes of the reached states. The states themselves would take gigabytes.
        var seen: Set<Int> = []
        var level = [ClientMachine().normalized(at: Self.start)]
        var count = 0
        while !level.isEmpty {
            var next: [ClientMachine] = []
            for machine in level {
                for (event, time) in Self.events(in: machine) {
                    for (result, _) in try Self.results(of: event, at: time, in: machine) where seen.count < limit {
                        let state = result.normalized(at: time)
                        if seen.insert(state.hashValue).inserted { next.append(state) }
                    }
                }
                count += 1
                if count.isMultiple(of: 50) { try Self.expectRecovery(from: machine) }
            }
            level = next
        }
        #expect(seen.count == limit)
    }

    /// The current time in each state that `normalized(at:)` returns.
    static let start = Duration.seconds(1000)

    /// Returns all events that can happen in the state of the machine, each with its time.
    static func events(in machine: ClientMachine) -> [(ClientMachine.Event, Duration)] {
        typealias Head = ClientMachine.DocumentHead
        let heads = [
            Head(from: nil, version: "a"), Head(from: "a", version: "b"), Head(from: "b", version: "a"), Head(from: "a", version: "a"),
        ]
        let failures: [ClientMachine.Failure] = [
            .unreachable, .unreadable, .token, .cancelled, .problem(status: 401, retryAfter: nil, outcome: .notPerformed),
            .problem(status: 404, retryAfter: nil, outcome: nil),
            .problem(status: 422, retryAfter: nil, outcome: .notPerformed),
            .problem(status: 503, retryAfter: .seconds(2), outcome: .unknown),
            .problem(status: 500, retryAfter: nil, outcome: .performed), .problem(status: 429, retryAfter: nil, outcome: .notPerformed),
        ]
        var events: [ClientMachine.Event] = [
            .restored(version: "a"), .follow, .pause, .refresh, .show, .networkChanged, .positionLearned("p"), .reset, .tokenRenewed,
            .tokenFailed,
            .woke(1_000_000), .answered(1_000_000, .init(heads[1])),
        ]
        if machine.actions.count < 2 {
            let isPresent = machine.actions.contains { $0.key == "k" }
            events.append(.perform(key: isPresent ? "l" : "k", isInDoubt: isPresent, expiry: start + .seconds(40)))
        }
        events += machine.actions.map { .abandon(key: $0.key) }
        for id in [machine.line.requestID, machine.actions.first?.requestID].compactMap(\.self) {
            events += heads.map { .answered(id, .init($0)) } + failures.map { .failed(id, $0) }
            events += [.answered(id, .init(nil, position: "q")), .answered(id, .init(heads[0], sharedMaxAge: .seconds(1))), .woke(id)]
            guard case .stream = machine.line else { continue }
            events += heads.map { .document(id, $0) }
            events += [.opened(id), .received(id), .confirmed(id, version: "a"), .confirmed(id, version: "b"), .stale(id), .ended(id)]
            events.append(.suggestedPause(id, .seconds(2)))
        }
        return events.map { ($0, start) } + events.filter(\.dependsOnTime).map { ($0, start + .seconds(50)) }
    }

    /// Returns the state after an event, and the effects of the event. If the event contains a changeset to apply, the function also
    /// returns the state and the effects after a failure to apply the changeset.
    static func results(
        of event: ClientMachine.Event, at time: Duration, in machine: ClientMachine
    ) throws -> [(ClientMachine, [ClientMachine.Effect])] {
        var after = machine
        let effects = after.handle(event, at: time)
        try expectRules(event, machine, after, effects)
        guard effects.contains(.take(.apply)), let held = machine.held else { return [(after, effects)] }
        var misfit = after
        let further = misfit.handle(.misfit(held: held), at: time)
        try expectRules(.misfit(held: held), after, misfit, further)
        return [(after, effects), (misfit, further)]
    }

    static func expectRules(
        _ event: ClientMachine.Event, _ before: ClientMachine, _ after: ClientMachine, _ effects: [ClientMachine.Effect]
    ) throws {
        func require(_ condition: Bool, _ rule: String) throws {
            if !condition { throw BrokenRule(description: "\(rule): \(event)\nbefore \(before)\nafter \(after)\neffects \(effects)") }
        }

        let takes = effects.filter { if case .take = $0 { true } else { false } }
        try require(takes.count <= 1, "an event shows at most one document")
        if event != .reset { try require(before.held == nil || after.held != nil, "a screen that had content is never blank") }
        if takes.isEmpty, event != .reset {
            var isSet = false
            if case .restored = event { isSet = true }
            if case .misfit = event { isSet = true }
            try require(isSet || before.held == after.held, "the held version changes only with a document")
        }
        if effects.contains(.take(.apply)) { try require(event.head?.from == before.held, "a changeset is applied only to its version") }
        try require(!after.isStored || after.held != nil, "only content can be stored")

        // Rules for exchanges and timers.
        let sent = effects.compactMap { if case .send(let id, let request) = $0 { (id, request) } else { nil } }
        let slept = effects.compactMap { if case .sleep(let id, _) = $0 { id } else { nil } }
        for (id, request) in sent {
            try require(id > before.lastID, "each request has a new id")
            try require(request.positions == after.positions.tokens, "each request has all positions")
        }
        for old in [before.line.requestID, before.actions.first?.requestID].compactMap(\.self) {
            let isKept = [after.line.requestID, after.actions.first?.requestID].contains(old)
            let isEnded = event.endedID == old || effects.contains(.cancel(old))
            try require(isKept || isEnded, "an exchange that is no longer needed is cancelled")
        }
        if let id = after.line.requestID, id != before.line.requestID {
            if case .pause = after.line {} else { try require(sent.contains { $0.0 == id }, "the exchange was sent") }
        }
        switch after.line {
        case .pause(let id, _): try require(before.line == after.line || slept.contains(id), "a pause has a timer")
        case .stream(let id, _):
            let isWatched = before.line.requestID == id && event != .woke(id)
            try require(isWatched || slept.contains(id), "a stream has a timer that detects silence")
        case .none, .renewal, .request: break
        }
        try require(
            after.sentPositions.keys.allSatisfy { [after.line.requestID, after.actions.first?.requestID].contains($0) }, "nothing is kept")

        // Rules for progress. While the client has something to do, it is not idle.
        if after.mode == .following || after.demand != .nothing { try require(after.connection != .idle, "a follower is never idle") }
        if after.mode == .following { try require(after.connection != .paused, "a follower is never paused") }
        if let first = after.actions.first { try require(first.state != .queued, "the first action is in progress") }
        try require(after.actions.dropFirst().allSatisfy { $0.state == .queued }, "the other actions wait")
        let waitsForToken = after.line == .renewal || after.actions.first?.state == .renewal
        try require(!waitsForToken || after.isRenewing, "a token is renewed while an exchange waits for it")
        try require(effects.contains(.renewToken) == (!before.isRenewing && after.isRenewing), "one renewal is in progress")

        // Rules for actions.
        let resolved = effects.compactMap { if case .resolve(let key, let result) = $0 { (key, result) } else { nil } }
        try require(
            before.actions.map(\.key).filter { key in !after.actions.contains { $0.key == key } } == resolved.map(\.0),
            "each action ends once")
        for (key, result) in resolved {
            guard let action = before.actions.first(where: { $0.key == key }) else { continue }
            switch result {
            case .performed: try require(event.isSuccess, "only a response says that an action was performed")
            case .rejected(.cancelled): try require(action.sends == 0, "an action that was sent is not certainly unperformed")
            case .rejected(let failure):
                let isDenied = failure.outcome == .notPerformed || failure == .token
                try require(isDenied && (!action.isInDoubt || failure.hasStatus(422)), "a rejection is certain")
            case .undecided: break
            }
        }
        try require(
            effects.contains(.save) == (after.held != nil && after.held != before.held && !event.isRestoring), "new content is stored")
    }

    /// Simulates a server without faults, and expects that the client follows the view and shows the current version after at most 60
    /// rounds.
    static func expectRecovery(from machine: ClientMachine) throws {
        var (machine, now, server) = (machine, start, "z")
        var effects = machine.handle(.networkChanged, at: now) + machine.handle(.refresh, at: now) + machine.handle(.follow, at: now)
        if machine.isRenewing { effects += machine.handle(.tokenRenewed, at: now) }
        for _ in 0..<60 {
            now += .seconds(1)
            var events: [ClientMachine.Event] = []
            for effect in effects {
                switch effect {
                case .renewToken: events.append(.tokenRenewed)
                case .sleep(let id, let range) where range.upperBound < ClientMachine.silence:
                    now += range.upperBound
                    events.append(.woke(id))
                case .send(let id, let request):
                    switch request.kind {
                    case .snapshot: events.append(.answered(id, .init(.init(from: nil, version: server))))
                    case .changes(let from), .poll(let from): events.append(.answered(id, .init(.init(from: from, version: server))))
                    case .action: events.append(.answered(id, .init(nil)))
                    case .stream(let from):
                        events.append(.opened(id))
                        events.append(from == server ? .confirmed(id, version: from) : .document(id, .init(from: from, version: server)))
                    }
                default: break
                }
            }
            if events.isEmpty, let id = machine.line.requestID {
                // An exchange that began before the simulation receives no response, so it fails.
                events = machine.connection == .polling ? [.networkChanged] : [.failed(id, .unreachable), .woke(id)]
            }
            if let id = machine.actions.first?.requestID, !effects.contains(where: { $0.requestID == id }) {
                events += [.failed(id, .unreachable), .woke(id)]
            }
            effects = []
            for event in events { effects += machine.handle(event, at: now) }
            if machine.content == .current(version: server), [.streaming, .polling].contains(machine.connection), machine.actions.isEmpty {
                return
            }
        }
        Issue.record("the client is not current in the end: \(machine) \(effects)")
        server = ""
    }
}

private struct BrokenRule: Error, CustomStringConvertible {
    let description: String
}

extension ClientMachine {
    /// Returns an equivalent state at the time ``ExplorationTests/start``. Ids are replaced by small numbers, and times that no longer
    /// matter are made equal.
    func normalized(at now: Duration) -> ClientMachine {
        var state = self
        let ids = Array(Set([line.requestID, actions.first?.requestID].compactMap(\.self))).sorted()
        func new(_ id: RequestID) -> RequestID { ids.firstIndex(of: id)! + 1 }
        func moved(_ time: Duration, atMost age: Duration) -> Duration { ExplorationTests.start + max(time - now, .zero - age) }
        switch line {
        case .request(let id, let kind, let sent): state.line = .request(new(id), kind, sent: moved(sent, atMost: .seconds(1)))
        case .stream(let id, var progress):
            progress.opened = progress.opened.map { moved($0, atMost: .seconds(31)) }
            progress.lastByte = moved(progress.lastByte, atMost: Self.silence)
            state.line = .stream(new(id), progress)
        case .pause(let id, let until): state.line = .pause(new(id), until: moved(until, atMost: .zero))
        case .none, .renewal: break
        }
        state.sentPositions = Dictionary(uniqueKeysWithValues: sentPositions.map { (new($0), $1) })
        state.actions = actions.map { action in
            var copy = PendingAction(
                key: action.key, generation: action.generation == generation ? 1 : 0, expiry: moved(action.expiry, atMost: .zero),
                isInDoubt: action.isInDoubt)
            (copy.sends, copy.totalSends, copy.hasNewToken) = (action.sends, action.totalSends, action.hasNewToken)
            switch action.state {
            case .sent(let id): copy.state = .sent(new(id))
            case .pause(let id): copy.state = .pause(new(id))
            case .queued, .renewal: copy.state = action.state
            }
            return copy
        }
        (state.generation, state.lastID) = (1, 2)
        state.failedChangesets = min(failedChangesets, 2)
        for index in state.positions.entries.indices {
            state.positions.entries[index].learned = moved(positions.entries[index].learned, atMost: positions.bound)
        }
        return state
    }
}

extension ClientMachine.Line {
    fileprivate var requestID: ClientMachine.RequestID? {
        switch self {
        case .request(let id, _, _), .stream(let id, _), .pause(let id, _): id
        case .none, .renewal: nil
        }
    }
}

extension ClientMachine.Effect {
    fileprivate var requestID: ClientMachine.RequestID? {
        switch self {
        case .send(let id, _), .sleep(let id, _): id
        default: nil
        }
    }
}

extension ClientMachine.Event {
    fileprivate var head: ClientMachine.DocumentHead? {
        switch self {
        case .answered(_, let answer): answer.head
        case .document(_, let head): head
        default: nil
        }
    }

    /// The id of the exchange or the timer that the event ends, or `nil`.
    fileprivate var endedID: ClientMachine.RequestID? {
        switch self {
        case .answered(let id, _), .failed(let id, _), .woke(let id), .ended(let id): id
        default: nil
        }
    }

    /// A Boolean value that indicates whether the effects of the event depend on the time since earlier events.
    fileprivate var dependsOnTime: Bool {
        switch self {
        case .woke, .ended, .answered, .confirmed: true
        default: false
        }
    }

    fileprivate var isRestoring: Bool {
        if case .restored = self { true } else { false }
    }

    /// A Boolean value that indicates whether the event is a response that reports an action as performed.
    fileprivate var isSuccess: Bool {
        switch self {
        case .answered: true
        case .failed(_, let failure): failure.outcome == .performed
        default: false
        }
    }
}
