import Dispatch
import Synchronization

/// Holds tasks back until it is opened; tells when the first has come.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var hasArrival = false
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Waits until somebody opens the gate.
    func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, watchers) = state.withLock { state in
                state.hasArrival = true
                if !state.isOpen { state.held.append(continuation) }
                defer { state.watchers = [] }
                return (state.isOpen, state.watchers)
            }
            for watcher in watchers { watcher.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Waits until somebody stands before the gate.
    func arrival() async {
        await withCheckedContinuation { continuation in
            let hasArrival = state.withLock { state in
                if !state.hasArrival { state.watchers.append(continuation) }
                return state.hasArrival
            }
            if hasArrival { continuation.resume() }
        }
    }

    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}

extension DispatchSemaphore {
    /// Waits, without a thread of the pool in which tests run.
    func isSignalled() async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "waiting").async {
                self.wait()
                continuation.resume()
            }
        }
    }
}
