import Synchronization

/// A count of those who use something, so that it can be closed when the last of them has left.
///
/// GRDB's pool does not lock the place where closing drops its readers, so that nobody may be on
/// the way to one by then.
final class Gate: Sendable {
    private struct State {
        var inside = 0
        var isClosed = false
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func takeWaitingIfEmpty() -> [CheckedContinuation<Void, Never>] {
            guard inside == 0 else { return [] }
            defer { waiting = [] }
            return waiting
        }
    }

    private let state = Mutex(State())

    /// - Throws: ``SQLiteStoreError/closed`` once closing has begun.
    func enter() throws(SQLiteStoreError) {
        let entered = state.withLock { state in
            if !state.isClosed { state.inside += 1 }
            return !state.isClosed
        }
        guard entered else { throw .closed }
    }

    func leave() {
        let waiting = state.withLock { state in
            state.inside -= 1
            return state.takeWaitingIfEmpty()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Lets nobody in from now on, and waits until all have left.
    ///
    /// - Returns: whether this call was the first to close.
    func close() async -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        await withCheckedContinuation { continuation in
            let waiting = state.withLock { state in
                state.waiting.append(continuation)
                return state.takeWaitingIfEmpty()
            }
            for continuation in waiting { continuation.resume() }
        }
        return isFirst
    }
}
