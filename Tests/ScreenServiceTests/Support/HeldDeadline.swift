@testable import ScreenService
import Synchronization

/// A deadline that passes when a test says so.
final class HeldDeadline: Sendable {
    private struct State {
        var hasPassed = false
        var waiting: [Int: @Sendable () -> Void] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    var deadline: Deadline { Deadline(schedule) }

    /// Passes for all work in progress, and for work that begins from now on. The latest work comes first, as it may wait for
    /// earlier work.
    ///
    /// - Parameter laterWork: false to pass only for the work in progress.
    func pass(laterWork: Bool = true) {
        let waiting = state.withLock { state in
            state.hasPassed = laterWork
            defer { state.waiting = [:] }
            return state.waiting.sorted { $0.key > $1.key }.map(\.value)
        }
        for pass in waiting { pass() }
    }

    /// Gives what begins from now on its time again.
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
