import Dispatch
import Synchronization

/// A serial executor for the tasks of a test. A test can wait until all of these tasks are suspended.
final class Turns: TaskExecutor {
    private let queue = DispatchQueue(label: "turns")
    private let pendingCount = Mutex(0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pendingCount.withLock { $0 += 1 }
        queue.async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            self.pendingCount.withLock { $0 -= 1 }
        }
    }

    /// Returns when every task is suspended or has ended.
    func settle() {
        repeat { queue.sync {} } while pendingCount.withLock { $0 } > 0
    }

    /// Starts a task on this executor.
    func start<Success: Sendable>(_ body: @escaping @Sendable () async throws -> Success) -> Task<Success, any Error> {
        Task(executorPreference: self) { try await body() }
    }
}

extension Task where Failure == any Error {
    /// The value of this task. If the test that waits for the value is cancelled, for example at its time limit, this task is cancelled as
    /// well.
    var awaited: Success {
        get async throws {
            try await withTaskCancellationHandler {
                try await value
            } onCancel: {
                cancel()
            }
        }
    }
}

/// A gate at which a computation waits until a test opens the gate.
struct Gate: Sendable {
    private let reached = AsyncStream<Void>.makeStream()
    private let opened = AsyncStream<Void>.makeStream()

    /// Records that the computation has arrived. Waits until the gate is open, even if the task is cancelled.
    func pass() async {
        arrive()
        await Task { for await _ in opened.stream {} }.value
    }

    /// Records that the computation has arrived.
    func arrive() {
        reached.continuation.finish()
    }

    /// Waits until the computation has arrived.
    func isReached() async {
        for await _ in reached.stream {}
    }

    func open() {
        opened.continuation.finish()
    }
}
