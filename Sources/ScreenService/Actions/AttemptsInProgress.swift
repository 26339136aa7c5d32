import Synchronization

/// The attempts at actions that are running in this process, including attempts whose deadlines have passed.
///
/// An attempt holds its idempotency key until the attempt has ended. Otherwise a second attempt with the same key could repeat the effects
/// that the first attempt has outside of its transaction.
final class AttemptsInProgress: Sendable {
    struct Bounds {
        var count = 2048
        /// The maximum number of attempts per caller.
        var countPerCaller = 256
        /// The maximum number of overdue attempts of a screen. When it is reached, new attempts for the screen are rejected.
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
        var rejectedCount = 0
    }

    private let bounds: Bounds
    private let state = Mutex(State())

    init(bounds: Bounds = Bounds()) {
        self.bounds = bounds
    }

    /// The number of attempts in progress, the number of idempotency keys that they hold, the number of attempts that are past their
    /// deadlines, and the number of requests that were rejected since the start because a maximum was reached.
    var counts: (inProgress: Int, keys: Int, late: Int, refused: Int) {
        state.withLock { ($0.entries.count, $0.keys.count, $0.entries.values.count(where: \.isLate), $0.rejectedCount) }
    }

    /// Adds an attempt, or throws an error if another attempt holds the same key or a maximum is reached.
    func begin(_ attempt: ActionAttempt, by caller: LimitKey, on screen: String) throws {
        let entry = Entry(key: attempt.receipt?.key, caller: caller, screen: screen)
        try state.withLock { state in
            if let key = entry.key, state.keys.contains(key) { throw ActionFault.keyInProgress }
            do { try check(state, entry) } catch {
                state.rejectedCount += 1
                throw error
            }
            state.entries[ObjectIdentifier(attempt)] = entry
            if let key = entry.key { state.keys.insert(key) }
        }
    }

    private func check(_ state: State, _ entry: Entry) throws {
        var (lateCount, callerCount) = (0, 0)
        for other in state.entries.values {
            if other.isLate, other.screen == entry.screen { lateCount += 1 }
            if other.caller == entry.caller { callerCount += 1 }
        }
        if lateCount >= bounds.lateCountPerScreen { throw DeadlineFault.tooManyStragglers }
        if callerCount >= bounds.countPerCaller { throw ActionFault.tooManyInProgress(ofCaller: true) }
        if state.entries.count >= bounds.count { throw ActionFault.tooManyInProgress(ofCaller: false) }
    }

    func noteLate(_ attempt: ActionAttempt) {
        state.withLock { $0.entries[ObjectIdentifier(attempt)]?.isLate = true }
    }

    func end(_ attempt: ActionAttempt) {
        state.withLock { state in
            let entry = state.entries.removeValue(forKey: ObjectIdentifier(attempt))
            if let key = entry?.key { state.keys.remove(key) }
        }
    }
}
