import Dispatch
import Glibc
import Synchronization
import Testing

@testable import ScreenService

@Suite("Blocking work", .timeLimit(.minutes(1))) struct BlockingWorkTests {
    @Test(arguments: [false, true])
    func theNumberOfConcurrentJobsIsLimited(isShared: Bool) async throws {
        let work = BlockingWork(width: 2, waitingLimit: 100, isShared: isShared)
        let jobs = CountedJobs()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 { group.addTask { try await work.run(for: "group \(number % 3)") { jobs.run() } } }
            try await group.waitForAll()
        }
        #expect(jobs.doneCount == 100)
        #expect(jobs.mostAtATime <= 2)
        #expect(work.waitingCounts == [:])
    }

    @Test func groupsOfHangingJobsLeaveThreadsForOtherGroups() async throws {
        let work = BlockingWork(width: 5, waitingLimit: 100, isShared: true)
        let held = (0..<3).map { HeldGroup(10, named: "group \($0)") }
        for (group, count) in zip(held, [3, 1, 1]) { await group.start(running: count, in: work) }
        await #expect(throws: BlockingWork.Overload.self) { try await work.run(for: "another", mayWait: false) {} }
        for group in held { group.release() }
        for group in held { try await group.end() }
    }

    @Test func eachGroupHasItsOwnLimitOfWaitingJobs() async throws {
        let work = BlockingWork(width: 1, waitingLimit: 2, isShared: true)
        let held = HeldGroup(3, named: "a")
        await held.start(running: 1, in: work)
        await #expect(throws: BlockingWork.Overload.self) { try await work.run(for: "a") {} }
        let other = Task { try await work.run(for: "b") {} }
        while work.waitingCounts["b"] != 1 { await Task.yield() }
        held.release()
        try await held.end()
        try await other.value
    }

    @Test func aJobIsReleasedBeforeTheNextJobBeginsOnTheSameThread() async throws {
        let work = BlockingWork(width: 1, waitingLimit: 100)
        let gate = DispatchSemaphore(value: 0)
        let isReleased = Flag()
        /// Adds a job that holds the only reference to an object.
        func enqueue() {
            let object = FlaggedObject(isReleased)
            #expect(work.enqueue { withExtendedLifetime(object) { gate.wait() } })
        }
        enqueue()
        async let released = work.run { isReleased.value.load(ordering: .relaxed) }
        while work.waitingCounts[""] != 1 { await Task.yield() }
        gate.signal()
        #expect(try await released)
    }

    @Test func anAddedThreadRunsJobsUntilItIsRemoved() async throws {
        let work = BlockingWork(width: 1, waitingLimit: 100)
        let (gate, jobs) = (DispatchSemaphore(value: 0), CountedJobs())
        #expect(work.enqueue { gate.wait() })
        work.addThread()
        #expect(try await work.run { true })
        work.removeThread()
        gate.signal()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await work.run { jobs.run() } } }
            try await group.waitForAll()
        }
        #expect(jobs.mostAtATime == 1)
    }

    @Test func groupsWithWaitingJobsTakeTurns() async throws {
        let work = BlockingWork(width: 1, waitingLimit: 100, isShared: true)
        let first = HeldGroup(1, named: "")
        await first.start(running: 1, in: work)
        let order = RunOrder()
        var tasks: [Task<Void, any Error>] = []
        for (group, count) in [("a", 3), ("b", 2)] {
            for number in 0..<count {
                tasks.append(Task { try await work.run(for: group) { order.append(group) } })
                while work.waitingCounts[group] != number + 1 { await Task.yield() }
            }
        }
        first.release()
        for task in tasks { try await task.value }
        try await first.end()
        #expect(order.all == ["a", "b", "a", "b", "a"])
    }

    @Test func aThreadCanRunAnotherJobBeforeTheCallerOfItsPreviousJobResumes() async throws {
        let work = BlockingWork(width: 1, waitingLimit: 0)
        for _ in 0..<1000 { try await work.run(mayWait: false) {} }
    }
}

/// The jobs of one group. They hang until a test releases them.
private final class HeldGroup: Sendable {
    private let name: String
    private let count: Int
    private let gate = DispatchSemaphore(value: 0)
    private let runningCount = Atomic(0)
    private let tasks = Mutex<[Task<Void, any Error>]>([])

    init(_ count: Int, named name: String) {
        (self.count, self.name) = (count, name)
    }

    /// Adds all jobs. Returns when `count` jobs are running and all other jobs are waiting.
    func start(running count: Int, in work: BlockingWork) async {
        let tasks = (0..<self.count).map { _ in
            Task {
                try await work.run(for: self.name) {
                    self.runningCount.add(1, ordering: .relaxed)
                    self.gate.wait()
                }
            }
        }
        self.tasks.withLock { $0 = tasks }
        while runningCount.load(ordering: .relaxed) != count || work.waitingCounts[name] ?? 0 != self.count - count { await Task.yield() }
    }

    func release() {
        for _ in 0..<count { gate.signal() }
    }

    func end() async throws {
        for task in tasks.withLock({ $0 }) { try await task.value }
    }
}

private final class Flag: Sendable {
    let value = Atomic(false)
}

/// An object that sets a flag when it is released.
private final class FlaggedObject: Sendable {
    private let flag: Flag

    init(_ flag: Flag) {
        self.flag = flag
    }

    deinit {
        flag.value.store(true, ordering: .relaxed)
    }
}

/// The names of jobs in the order in which they ran.
final class RunOrder: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func append(_ name: String) {
        names.withLock { $0.append(name) }
    }
}

/// Jobs that count how many of them run at the same time.
final class CountedJobs: Sendable {
    private let counts = Mutex((running: 0, most: 0, done: 0))

    var mostAtATime: Int { counts.withLock { $0.most } }
    var doneCount: Int { counts.withLock { $0.done } }

    func run() {
        counts.withLock { ($0.running, $0.most) = ($0.running + 1, max($0.most, $0.running + 1)) }
        sched_yield()
        counts.withLock { ($0.running, $0.done) = ($0.running - 1, $0.done + 1) }
    }
}
