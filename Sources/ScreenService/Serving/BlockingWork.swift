import Dispatch
import Synchronization

/// Threads for work that blocks: it may run neither on an event loop nor on a thread of Swift's.
///
/// As much as `width` runs at a time, in the order in which it came.
package final class BlockingWork: Sendable {
    /// That as much work waits as may.
    package struct Overload: Error {}

    private struct State {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let queue = DispatchQueue(label: "blocking work", attributes: .concurrent)
    private let state = Mutex(State())
    private let width: Int
    private let waitingLimit: Int

    package init(width: Int, waitingLimit: Int) {
        self.width = width
        self.waitingLimit = waitingLimit
    }

    /// - Throws: ``Overload``, what `body` throws.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = take { continuation.resume(with: Result { try body() }) }
            if !isTaken { continuation.resume(throwing: Overload()) }
        }
    }

    private func take(_ job: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, startsNow) = state.withLock { state in
            if state.running < width {
                state.running += 1
                return (true, true)
            }
            guard state.waiting.count < waitingLimit else { return (false, false) }
            state.waiting.append(job)
            return (true, false)
        }
        if startsNow { queue.async { self.work(from: job) } }
        return isTaken
    }

    private func work(from first: @Sendable () -> Void) {
        first()
        while let job = next() { job() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
    }
}
