import ScreenService
import Synchronization

/// Limits the work of each caller that runs at the same time. Further work waits until earlier work of the same caller has ended, and
/// begins in the order of its arrival. So a caller with a thousand requests does not delay a caller with one.
final class CallerTurns: Sendable {
    /// The reason why work was not begun.
    enum Refusal: Error {
        /// The caller has too much waiting work.
        case tooManyWaiting
        /// The work has waited too long.
        case waitedTooLong
    }

    private struct Waiter {
        let id: Int
        let begin: CheckedContinuation<Void, any Error>
    }

    private struct Line {
        var runningCount = 0
        var waiting: [Waiter] = []
    }

    private struct State {
        var lines: [LimitKey: Line] = [:]
        var lastID = 0
    }

    private let limit: Int
    private let waitingLimit: Int
    private let patience: @Sendable () async throws -> Void
    private let state = Mutex(State())

    /// Creates turns.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of running works of a caller.
    ///   - waitingLimit: The maximum number of waiting works of a caller.
    ///   - patience: A function that returns after the time for which work may wait.
    init(limit: Int, waitingLimit: Int, patience: @escaping @Sendable () async throws -> Void) {
        (self.limit, self.waitingLimit, self.patience) = (limit, waitingLimit, patience)
    }

    /// The number of callers with running or waiting work.
    var callerCount: Int { state.withLock { $0.lines.count } }

    func waitingCount(of caller: LimitKey) -> Int { state.withLock { $0.lines[caller]?.waiting.count ?? 0 } }

    /// Runs work of a caller when it is its turn.
    ///
    /// - Throws: ``Refusal`` if the work was not begun, and the errors of the work. Work whose task is cancelled does not wait any longer.
    func run<Value>(for caller: LimitKey, _ work: () async throws -> Value) async throws -> Value {
        try await turn(of: caller).run(work)
    }

    /// Returns a turn of a caller, which begins when work runs in it.
    func turn(of caller: LimitKey) -> CallerTurn {
        CallerTurn(begin: { try await self.begin(for: caller) }, end: { self.end(for: caller) })
    }

    /// Waits until it is the turn of work of a caller. Each turn that has begun must be ended. Returns `false` if the turn began at once.
    private func begin(for caller: LimitKey) async throws -> Bool {
        let id = try state.withLock { state throws(Refusal) -> Int? in
            var line = state.lines[caller] ?? Line()
            guard line.runningCount >= limit else {
                line.runningCount += 1
                state.lines[caller] = line
                return nil
            }
            if line.waiting.count >= waitingLimit { throw .tooManyWaiting }
            state.lastID += 1
            return state.lastID
        }
        guard let id else { return false }
        let timer = Task {
            try await patience()
            leave(id, caller)
        }
        defer { timer.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait(for: caller, Waiter(id: id, begin: $0)) }
        } onCancel: {
            leave(id, caller)
        }
        return true
    }

    /// Adds a waiter. It begins at once if a turn has become free since the caller's line was read.
    private func wait(for caller: LimitKey, _ waiter: Waiter) {
        let begins = state.withLock { state -> Bool in
            var line = state.lines[caller] ?? Line()
            defer { state.lines[caller] = line }
            if line.runningCount < limit {
                line.runningCount += 1
                return true
            }
            line.waiting.append(waiter)
            return false
        }
        if begins {
            waiter.begin.resume()
        }
        // If the task was cancelled before the waiter was added, its cancellation has not found the waiter.
        else if Task.isCancelled {
            leave(waiter.id, caller)
        }
    }

    private func leave(_ id: Int, _ caller: LimitKey) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.lines[caller]?.waiting.firstIndex(where: { $0.id == id }) else { return nil }
            return state.lines[caller]?.waiting.remove(at: index)
        }
        waiter?.begin.resume(throwing: Refusal.waitedTooLong)
    }

    private func end(for caller: LimitKey) {
        let next = state.withLock { state -> Waiter? in
            guard var line = state.lines[caller] else { return nil }
            let next = line.waiting.isEmpty ? nil : line.waiting.removeFirst()
            if next == nil { line.runningCount -= 1 }
            state.lines[caller] = line.runningCount == 0 ? nil : line
            return next
        }
        next?.begin.resume()
    }
}
