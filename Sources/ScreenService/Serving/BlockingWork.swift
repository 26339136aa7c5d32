import Dispatch
import Synchronization

/// Threads for work that blocks: it may run neither on an event loop nor on a thread of Swift's.
///
/// At most `width` pieces of work run at a time. Work of one group begins in the order in which it came. Groups that wait take turns.
package final class BlockingWork: Sendable {
    /// The error of work that cannot wait: its group has as much waiting work as is allowed, or waiting was not allowed.
    package struct Overload: Error {}

    private let state: Mutex<State>
    private let waitingLimit: Int

    /// - Parameters:
    ///   - waitingLimit: the maximum number of pieces of work that wait, for each group.
    ///   - isShared: a Boolean value that indicates whether groups leave threads to each other. A group may start work only while it has
    ///     fewer threads than are idle: of five threads a group that hangs takes three, the next one, and the next the last.
    package init(width: Int, waitingLimit: Int, isShared: Bool = false) {
        // Serial ones, which get threads of their own: those of a concurrent queue are the threads on which Swift runs tasks.
        let idle = (0..<width).map { _ in DispatchQueue(label: "blocking work") }
        state = Mutex(State(idle: idle, isShared: isShared))
        self.waitingLimit = waitingLimit
    }

    /// The number of pieces of work that wait for a thread, by group. Work without a group is under an empty name.
    package var waitingCounts: [String: Int] {
        state.withLock { $0.groups.compactMapValues { $0.waiting.isEmpty ? nil : $0.waiting.count } }
    }

    /// Runs `body` on a thread.
    ///
    /// - Parameters:
    ///   - group: the group whose share of the threads it takes.
    ///   - mayWait: a Boolean value that indicates whether it waits where it cannot begin at once.
    /// - Throws: ``Overload``, what `body` throws.
    package func run<Value: Sendable>(
        for group: String = "", mayWait: Bool = true, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = take(for: group, mayWait: mayWait) { continuation.resume(with: Result { try body() }) }
            if !isTaken { continuation.resume(throwing: Overload()) }
        }
    }

    /// Runs a job when a thread is free for it.
    ///
    /// - Returns: false where that would exceed the limit of jobs that wait.
    func take(for group: String = "", mayWait: Bool = true, _ body: @escaping @Sendable () -> Void) -> Bool {
        let starts = state.withLock { $0.add(Job(group: group, body: body), waitingLimit: mayWait ? waitingLimit : 0) }
        start(starts ?? [])
        return starts != nil
    }

    /// Adds a thread, in place of one that is blocked.
    func addThread() {
        start(state.withLock { $0.addThread() })
    }

    /// Removes a thread: the next one that is idle.
    func removeThread() {
        state.withLock { $0.removeThread() }
    }

    private func start(_ starts: [Start]) {
        for start in starts { start.queue.async { self.work(start) } }
    }

    /// Runs one job. The next one is a block of its own, so that this job and what it captured are released before that begins.
    private func work(_ start: Start) {
        start.job.body()
        self.start(state.withLock { $0.end(start) })
    }
}

extension BlockingWork {
    fileprivate struct Job {
        let group: String
        let body: @Sendable () -> Void
    }

    /// A job that has a thread now.
    fileprivate struct Start {
        let queue: DispatchQueue
        let job: Job
    }

    fileprivate struct Group {
        var runningCount = 0
        var waiting = Queue<Job>()
    }

    fileprivate struct State {
        /// The threads that have nothing to do.
        var idle: [DispatchQueue]
        let isShared: Bool
        /// The number of threads that are to be removed when they have become idle.
        var surplusCount = 0
        /// The groups that have running or waiting jobs.
        var groups: [String: Group] = [:]
        /// The groups that have waiting jobs, the one that was served last at the end.
        var turns: [String] = []

        init(idle: [DispatchQueue], isShared: Bool) {
            self.idle = idle
            self.isShared = isShared
        }

        private func canBegin(_ group: String) -> Bool {
            guard isShared else { return !idle.isEmpty }
            return groups[group]?.runningCount ?? 0 < idle.count
        }

        /// - Returns: the jobs that begin now; nil where the job is refused.
        mutating func add(_ job: Job, waitingLimit: Int) -> [Start]? {
            let waitingCount = groups[job.group]?.waiting.count ?? 0
            guard canBegin(job.group) || waitingCount < waitingLimit else { return nil }
            if waitingCount == 0 { turns.append(job.group) }
            groups[job.group, default: Group()].waiting.append(job)
            return begin()
        }

        /// - Returns: the jobs that begin now that one has ended.
        mutating func end(_ start: Start) -> [Start] {
            if surplusCount > 0 { surplusCount -= 1 } else { idle.append(start.queue) }
            groups[start.job.group]!.runningCount -= 1
            let starts = begin()
            if let group = groups[start.job.group], group.runningCount == 0, group.waiting.isEmpty { groups[start.job.group] = nil }
            return starts
        }

        /// - Returns: the jobs that begin now.
        mutating func addThread() -> [Start] {
            idle.append(DispatchQueue(label: "blocking work"))
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
