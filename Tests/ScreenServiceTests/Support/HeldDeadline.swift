@testable import ScreenService
import Synchronization

/// A deadline that passes when a test says so.
final class HeldDeadline: Sendable {
    private struct State {
        var hasPassed = false
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    var deadline: Deadline { Deadline { try await self.wait() } }

    /// Passes for all that is under way, and for what begins from now on.
    func pass() {
        let waiting = state.withLock { state in
            state.hasPassed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.finish() }
    }

    /// Gives what begins from now on its time again.
    func renew() {
        state.withLock { $0.hasPassed = false }
    }

    private func wait() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let hasPassed = state.withLock { state in
            if !state.hasPassed { state.waiting.append(continuation) }
            return state.hasPassed
        }
        if hasPassed { return }
        for await _ in stream {}
        try Task.checkCancellation()
    }
}
