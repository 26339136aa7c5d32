import Glibc

/// Runs computations and comparisons of views for their followers, on threads of its own.
///
/// There is one thread fewer than processors (but at least one), so that any number of refreshes leaves a processor to requests. A
/// screen that blocks a thread holds up refreshes of other screens, but no request: a request that needs a view whose refresh waits
/// for a thread begins it elsewhere.
final class RefreshExecutor: TaskExecutor {
    /// The number of threads by default.
    static let width = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)

    private let threads: BlockingWork

    init(width: Int = width) {
        threads = BlockingWork(width: width, waitingLimit: .max)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        _ = threads.take { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
