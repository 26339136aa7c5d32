import Dispatch
import Glibc
import Synchronization

/// An executor for computations that must not slow down requests. Its threads, one fewer than there are processors, run nothing else and have
/// a lower priority than requests.
///
/// A screen that blocks a thread delays the computations of other screens until the deadline of its computation. After the deadline, another
/// thread replaces the blocked thread until the blocking job ends.
///
/// Several executors can share the same threads. Each executor has a group of jobs. The groups take turns, so that a long queue of one
/// group does not delay another group.
final class BackgroundExecutor: TaskExecutor {
    static let width = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)

    private let threads: BlockingWork
    private let group: String
    private let state = Mutex((runningCount: 0, isLate: false))

    convenience init(width: Int = width, qos: DispatchQoS = .utility) {
        self.init(on: BlockingWork(width: width, waitingLimit: .max, qos: qos), for: "computations")
    }

    private init(on threads: BlockingWork, for group: String) {
        self.threads = threads
        self.group = group
    }

    /// Returns a new executor on the same threads. Its jobs belong to the given group, or to the group of this executor if no group is
    /// given.
    func executor(for group: String? = nil) -> BackgroundExecutor {
        BackgroundExecutor(on: threads, for: group ?? self.group)
    }

    /// Adds a replacement thread for each running job of this executor, and from now on for each job that begins. A replacement thread is
    /// removed when its job ends.
    ///
    /// Call this function when the computation on this executor is past its deadline and may block its thread. A computation that waits
    /// without blocking a thread has no running job, so it gets no replacement thread.
    func replaceThreads() {
        let count = state.withLock { state in
            defer { state.isLate = true }
            return state.isLate ? 0 : state.runningCount
        }
        for _ in 0..<count { threads.addThread() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        _ = threads.enqueue(for: group) {
            if self.count(1) { self.threads.addThread() }
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            if self.count(-1) { self.threads.removeThread() }
        }
    }

    /// Adds `change` to the number of running jobs. Returns `true` if ``replaceThreads()`` has been called.
    private func count(_ change: Int) -> Bool {
        state.withLock { state in
            state.runningCount += change
            return state.isLate
        }
    }
}
