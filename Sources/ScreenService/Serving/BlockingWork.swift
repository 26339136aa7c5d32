import Dispatch
import Synchronization

/// Threads for work that blocks: it may run neither on an event loop nor on a thread of Swift's.
///
/// As much as `width` runs at a time, in the order in which it came.
package final class BlockingWork: Sendable {
    /// That as much work waits as may.
    package struct Overload: Error {}

    private typealias Job = @Sendable () -> Void

    private struct State {
        /// Those that have nothing to do.
        var idle: [DispatchQueue]
        /// What was taken is nil, until it is half of them.
        var waiting: [Job?] = []
        var takenCount = 0
        /// Those that are about to take one of what waits.
        var startingCount = 0

        var waitingCount: Int { waiting.count - takenCount }

        mutating func takeFirst() -> Job? {
            guard takenCount < waiting.count else { return nil }
            let job = waiting[takenCount].take()
            takenCount += 1
            if takenCount > waitingCount { (waiting, takenCount) = (Array(waiting[takenCount...]), 0) }
            return job
        }
    }

    private let state: Mutex<State>
    private let waitingLimit: Int

    package init(width: Int, waitingLimit: Int) {
        // Serial ones, which get threads of their own: those of a concurrent queue are the threads on which Swift runs tasks.
        state = Mutex(State(idle: (0..<width).map { _ in DispatchQueue(label: "blocking work") }))
        self.waitingLimit = waitingLimit
    }

    /// Whether as much runs as may.
    package var isBusy: Bool { state.withLock { $0.idle.isEmpty } }

    /// - Throws: ``Overload``, what `body` throws.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = take { continuation.resume(with: Result { try body() }) }
            if !isTaken { continuation.resume(throwing: Overload()) }
        }
    }

    private func take(_ job: @escaping Job) -> Bool {
        let (isTaken, queue) = state.withLock { state -> (Bool, DispatchQueue?) in
            let queue = state.idle.popLast()
            guard queue != nil || state.waitingCount - state.startingCount < waitingLimit else { return (false, nil) }
            if queue != nil { state.startingCount += 1 }
            state.waiting.append(job)
            return (true, queue)
        }
        if let queue { queue.async { self.work(on: queue) } }
        return isTaken
    }

    private func work(on queue: DispatchQueue) {
        var next = next(on: queue, isFirst: true)
        while let job = next {
            job()
            next = self.next(on: queue)
        }
    }

    private func next(on queue: DispatchQueue, isFirst: Bool = false) -> Job? {
        state.withLock { state in
            if isFirst { state.startingCount -= 1 }
            let job = state.takeFirst()
            if job == nil { state.idle.append(queue) }
            return job
        }
    }
}

/// Whether a task was cancelled, for the thread that works for it.
package final class Cancellation: Sendable {
    private let flag = Atomic(false)

    package init() {}

    package var isCancelled: Bool { flag.load(ordering: .relaxed) }

    package func cancel() {
        flag.store(true, ordering: .relaxed)
    }

    package func check() throws(CancellationError) {
        if isCancelled { throw CancellationError() }
    }
}
