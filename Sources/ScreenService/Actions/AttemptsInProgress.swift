import Synchronization

/// The attempts at actions that are in progress in this process, also those that go on past their deadlines.
///
/// An attempt holds its key until it has ended: a handler that works outside of a transaction would do its work twice if a
/// second attempt began before that.
final class AttemptsInProgress: Sendable {
    struct Bounds {
        /// The maximum number of attempts.
        var count = 2048
        /// The maximum number of attempts per caller, so that one caller leaves room for others.
        var countPerCaller = 256
        /// The maximum number of attempts per screen that go on past their deadlines.
        var lateCountPerScreen = Stragglers.limit
    }

    private struct Entry {
        let key: ActionReceipt.Key?
        let caller: LimitKey
        let screen: String
        var isLate = false
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var keys: Set<ActionReceipt.Key> = []
        var countsPerCaller: [LimitKey: Int] = [:]
        var lateCountsPerScreen: [String: Int] = [:]
        var refusedCount = 0
    }

    private let bounds: Bounds
    private let state = Mutex(State())

    init(bounds: Bounds = Bounds()) {
        self.bounds = bounds
    }

    /// The attempts in progress, the keys that they hold, those past their deadlines, and the requests that were refused since the start
    /// because of a bound.
    var counts: (inProgress: Int, keys: Int, late: Int, refused: Int) {
        state.withLock { state in
            (state.entries.count, state.keys.count, state.lateCountsPerScreen.values.reduce(0, +), state.refusedCount)
        }
    }

    /// Adds an attempt, which counts until ``end(_:)``.
    ///
    /// - Throws: ``ActionFault/underWay`` while another attempt holds its key; ``ActionFault/tooManyInProgress(ofCaller:)``;
    ///   ``DeadlineFault/tooMuchHangs``.
    func begin(_ attempt: ActionAttempt, by caller: LimitKey, on screen: String) throws {
        let entry = Entry(key: attempt.receipt?.key, caller: caller, screen: screen)
        let refusal = state.withLock { state -> (any Error)? in
            if let key = entry.key, state.keys.contains(key) { return ActionFault.underWay }
            if let fault = fault(state, entry) {
                state.refusedCount += 1
                return fault
            }
            state.entries[ObjectIdentifier(attempt)] = entry
            if let key = entry.key { state.keys.insert(key) }
            state.countsPerCaller[caller, default: 0] += 1
            return nil
        }
        if let refusal { throw refusal }
    }

    private func fault(_ state: State, _ entry: Entry) -> (any Error)? {
        if state.lateCountsPerScreen[entry.screen, default: 0] >= bounds.lateCountPerScreen { return DeadlineFault.tooMuchHangs }
        if state.countsPerCaller[entry.caller, default: 0] >= bounds.countPerCaller { return ActionFault.tooManyInProgress(ofCaller: true) }
        if state.entries.count >= bounds.count { return ActionFault.tooManyInProgress(ofCaller: false) }
        return nil
    }

    /// Notes that an attempt goes on past its deadline, unless it has ended meanwhile.
    func noteLate(_ attempt: ActionAttempt) {
        state.withLock { state in
            guard var entry = state.entries[ObjectIdentifier(attempt)], !entry.isLate else { return }
            entry.isLate = true
            state.entries[ObjectIdentifier(attempt)] = entry
            state.lateCountsPerScreen[entry.screen, default: 0] += 1
        }
    }

    /// Removes an attempt that has ended. Its key is free from then on.
    func end(_ attempt: ActionAttempt) {
        state.withLock { state in
            guard let entry = state.entries.removeValue(forKey: ObjectIdentifier(attempt)) else { return }
            if let key = entry.key { state.keys.remove(key) }
            state.countsPerCaller.decrement(entry.caller)
            if entry.isLate { state.lateCountsPerScreen.decrement(entry.screen) }
        }
    }
}

extension Dictionary where Value == Int {
    /// Counts one less of a key, which is removed at zero.
    fileprivate mutating func decrement(_ key: Key) {
        guard let count = self[key] else { return }
        self[key] = count > 1 ? count - 1 : nil
    }
}
