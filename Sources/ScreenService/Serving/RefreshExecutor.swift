import Glibc

/// Runs computations and comparisons of views for their followers, on threads of its own.
///
/// There is one thread fewer than processors (but at least one), so that any number of refreshes leaves a processor to requests. A
/// screen that blocks a thread holds up refreshes of other screens up to the deadline, when the thread is replaced. A request that
/// needs a view whose refresh has not begun does not wait for a thread: the refresh begins elsewhere. If the refresh has begun, and
/// waits for a thread to go on with what it has read, the request waits for it until the deadline.
final class RefreshExecutor: TaskExecutor {
    /// The number of threads by default.
    static let width = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)

    private let threads: BlockingWork
    /// The group of its jobs. Groups take turns.
    private let group: String

    convenience init(width: Int = width) {
        self.init(on: BlockingWork(width: width, waitingLimit: .max), for: "computations")
    }

    private init(on threads: BlockingWork, for group: String) {
        self.threads = threads
        self.group = group
    }

    /// Returns an executor that uses the same threads. Its jobs take turns with the jobs of this executor, so a long queue of one does
    /// not hold up the other.
    func executor(for group: String) -> RefreshExecutor {
        RefreshExecutor(on: threads, for: group)
    }

    /// Adds a thread until a task has ended, which has run for too long and may block one.
    func replaceThread(of task: Task<Void, Never>) {
        threads.addThread()
        Task { [threads] in
            await task.value
            threads.removeThread()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        _ = threads.take(for: group) { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
