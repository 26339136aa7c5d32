import Synchronization

/// Counts the transactions that use a database. The database is closed after the last transaction, because the pool of GRDB releases its
/// readers without a lock when it closes.
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

    /// Rejects new transactions, and waits until all current transactions have ended. Returns `true` only for the first call.
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
