import Synchronization

@testable import ScreenService

/// A deadline that passes when a test calls ``pass(laterWork:)``.
final class HeldDeadline: Sendable {
    private struct State {
        var hasPassed = false
        var waiting: [Int: @Sendable () -> Void] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    var deadline: Deadline { Deadline(schedule) }

    /// Makes all current deadlines pass, and all deadlines that start later. The current deadlines pass in the reverse order of their
    /// start, because later work may wait for earlier work.
    ///
    /// - Parameter laterWork: `false` to make only the deadlines of the work in progress pass.
    func pass(laterWork: Bool = true) {
        let waiting = state.withLock { state in
            state.hasPassed = laterWork
            defer { state.waiting = [:] }
            return state.waiting.sorted { $0.key > $1.key }.map(\.value)
        }
        for pass in waiting { pass() }
    }

    /// Ends the effect of ``pass(laterWork:)`` on later work. A deadline that starts after this call passes only at the next call
    /// of ``pass(laterWork:)``.
    func renew() {
        state.withLock { $0.hasPassed = false }
    }

    @Sendable private func schedule(_ pass: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let (id, hasPassed) = state.withLock { state in
            state.lastID += 1
            if !state.hasPassed { state.waiting[state.lastID] = pass }
            return (state.lastID, state.hasPassed)
        }
        if hasPassed { pass() }
        return { self.state.withLock { $0.waiting[id] = nil } }
    }
}
