package import Dispatch
import Synchronization

/// Threads for blocking jobs. A blocking job must not run on an event loop or on a thread of Swift's concurrency.
///
/// Each thread runs one job at a time. Each job belongs to a group. The jobs of a group begin in the order in which they were added. Groups
/// with waiting jobs take turns.
package final class BlockingWork: Sendable {
    /// An error that is thrown if a job could not begin immediately and could not wait.
    package struct Overload: Error {}

    private let state: Mutex<State>
    private let waitingLimit: Int
    private let qos: DispatchQoS

    /// Creates idle threads.
    ///
    /// - Parameters:
    ///   - width: The number of threads.
    ///   - waitingLimit: The maximum number of waiting jobs per group.
    ///   - isShared: A Boolean value that indicates whether each group must leave threads to the other groups. If it is `true`, a group can
    ///     begin a job only while it has fewer running jobs than there are idle threads. For example, with five threads, a group whose jobs
    ///     never end begins three jobs. It cannot begin a fourth job, because only two threads are idle while three jobs are running.
    ///   - qos: The priority of the threads.
    package init(width: Int, waitingLimit: Int, isShared: Bool = false, qos: DispatchQoS = .default) {
        // A serial queue has a thread of its own. A concurrent queue would use the threads on which Swift runs tasks.
        let idle = (0..<width).map { _ in DispatchQueue(label: "blocking work", qos: qos) }
        state = Mutex(State(idle: idle, isShared: isShared))
        self.qos = qos
        self.waitingLimit = waitingLimit
    }

    /// The number of waiting jobs of each group. Groups without waiting jobs are omitted.
    package var waitingCounts: [String: Int] {
        state.withLock { $0.groups.compactMapValues { $0.waiting.isEmpty ? nil : $0.waiting.count } }
    }

    /// The number of threads that run a job.
    package var busyCount: Int { state.withLock { $0.groups.values.reduce(0) { $0 + $1.runningCount } } }

    /// Runs `body` on a thread and returns its value. The thread is free again before the calling task resumes.
    ///
    /// - Parameter mayWait: A Boolean value that indicates whether the job may wait for a thread.
    /// - Throws: ``Overload``, and the errors of `body`.
    package func run<Value: Sendable>(
        for group: String = "", mayWait: Bool = true, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isAdded = add(for: group, mayWait: mayWait) {
                let result = Result { try body() }
                return { continuation.resume(with: result) }
            }
            if !isAdded { continuation.resume(throwing: Overload()) }
        }
    }

    /// Runs a job when a thread is free. Returns `false` if too many jobs of the group are waiting.
    package func enqueue(for group: String = "", _ body: @escaping @Sendable () -> Void) -> Bool {
        add(for: group, mayWait: true) {
            body()
            return nil
        }
    }

    private func add(for group: String, mayWait: Bool, _ body: @escaping Job.Body) -> Bool {
        let starts = state.withLock { $0.add(Job(group: group, body: body), waitingLimit: mayWait ? waitingLimit : 0) }
        start(starts ?? [])
        return starts != nil
    }

    func addThread() {
        let thread = DispatchQueue(label: "blocking work", qos: qos)
        start(state.withLock { $0.add(thread) })
    }

    /// Removes an idle thread, or the next thread that becomes idle.
    func removeThread() {
        state.withLock { $0.removeThread() }
    }

    private func start(_ starts: [Start]) {
        for start in starts { start.queue.async { self.work(start) } }
    }

    /// Runs one job, and starts the jobs that can begin. The next job on this thread begins only after this function has returned and has
    /// released the values that the job captured.
    private func work(_ start: Start) {
        let completion = start.job.body()
        self.start(state.withLock { $0.end(start) })
        completion?()
    }
}

extension BlockingWork {
    fileprivate struct Job {
        /// A function that runs the job. The returned function is called when the thread is free again.
        typealias Body = @Sendable () -> (@Sendable () -> Void)?

        let group: String
        let body: Body
    }

    fileprivate struct Start {
        let queue: DispatchQueue
        let job: Job
    }

    fileprivate struct Group {
        var runningCount = 0
        var waiting = Queue<Job>()
    }

    fileprivate struct State {
        var idle: [DispatchQueue]
        let isShared: Bool
        /// The number of busy threads to remove when their jobs end.
        var surplusCount = 0
        var groups: [String: Group] = [:]
        /// The groups with waiting jobs, beginning with the least recently served group.
        var turns: [String] = []

        init(idle: [DispatchQueue], isShared: Bool) {
            self.idle = idle
            self.isShared = isShared
        }

        private func canBegin(_ group: String) -> Bool {
            guard isShared else { return !idle.isEmpty }
            return groups[group]?.runningCount ?? 0 < idle.count
        }

        /// Adds a job. Returns the jobs that begin now, or `nil` if the job is rejected.
        mutating func add(_ job: Job, waitingLimit: Int) -> [Start]? {
            let waitingCount = groups[job.group]?.waiting.count ?? 0
            guard canBegin(job.group) || waitingCount < waitingLimit else { return nil }
            if waitingCount == 0 { turns.append(job.group) }
            groups[job.group, default: Group()].waiting.append(job)
            return begin()
        }

        /// Ends a job, and returns the jobs that begin now.
        mutating func end(_ start: Start) -> [Start] {
            if surplusCount > 0 { surplusCount -= 1 } else { idle.append(start.queue) }
            groups[start.job.group]!.runningCount -= 1
            let starts = begin()
            if let group = groups[start.job.group], group.runningCount == 0, group.waiting.isEmpty { groups[start.job.group] = nil }
            return starts
        }

        /// Adds an idle thread, and returns the jobs that begin now.
        mutating func add(_ thread: DispatchQueue) -> [Start] {
            idle.append(thread)
            return begin()
        }

        mutating func removeThread() {
            if idle.popLast() == nil { surplusCount += 1 }
        }

        private mutating func begin() -> [Start] {
            var starts: [Start] = []
            while let index = turns.firstIndex(where: canBegin), let queue = idle.popLast() {
                let name = turns.remove(at: index)
                guard let job = groups[name]!.waiting.popFirst() else { continue }
                groups[name]!.runningCount += 1
                if !groups[name]!.waiting.isEmpty { turns.append(name) }
                starts.append(Start(queue: queue, job: job))
            }
            return starts
        }
    }
}

/// A flag for a job of ``BlockingWork``. It is set when the task that waits for the job is cancelled.
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
