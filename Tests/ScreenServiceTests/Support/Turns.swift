import Dispatch
import Synchronization

/// Runs the tasks of a test one after another, so that it can tell when all of them wait.
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

    /// Returns once every task has run until it waits for something.
    func settle() {
        repeat { queue.sync {} } while pendingCount.withLock { $0 } > 0
    }

    /// Starts a task; ``settle()`` tells when it waits.
    func start<Success: Sendable>(_ body: @escaping @Sendable () async throws -> Success) -> Task<Success, any Error> {
        Task(executorPreference: self) { try await body() }
    }
}

extension Task where Failure == any Error {
    /// The value of the task, which is cancelled with who waits for it: a test whose time is up.
    var awaited: Success {
        get async throws {
            try await withTaskCancellationHandler { try await value } onCancel: { cancel() }
        }
    }
}

/// Holds one computation until a test lets it go.
struct Gate: Sendable {
    private let reached = AsyncStream<Void>.makeStream()
    private let opened = AsyncStream<Void>.makeStream()

    /// What the computation calls: tells that it is here, and waits, even if it is cancelled.
    func pass() async {
        arrive()
        await Task { for await _ in opened.stream {} }.value
    }

    /// Tells that it is here.
    func arrive() {
        reached.continuation.finish()
    }

    /// Waits until the computation is here.
    func isReached() async {
        for await _ in reached.stream {}
    }

    func open() {
        opened.continuation.finish()
    }
}
