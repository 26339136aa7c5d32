import Synchronization

/// Counts the transactions that use a database, so that the database can be closed after the last transaction.
///
/// The pool of GRDB releases its readers without a lock when it closes. So no transaction may begin at that time.
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

    /// Begins the use of the database by a transaction.
    ///
    /// - Throws: ``SQLiteStoreError/closed`` if ``close()`` was called before.
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

    /// Rejects new transactions, and waits until all transactions that use the database have left.
    ///
    /// - Returns: `true` for the first call, `false` for all later calls.
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
