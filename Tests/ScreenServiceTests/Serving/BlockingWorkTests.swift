import Dispatch
import Glibc
@testable import ScreenService
import Synchronization
import Testing

@Suite struct BlockingWorkTests {
    @Test(arguments: [false, true])
    func allThatWaitsIsDoneAndNoMoreAtATimeThanMay(isShared: Bool) async throws {
        let work = BlockingWork(width: 2, waitingLimit: 100, isShared: isShared)
        let running = Running()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 { group.addTask { try await work.run(for: "group \(number % 3)") { running.pass() } } }
            try await group.waitForAll()
        }
        #expect(running.counts.withLock { $0.done } == 100)
        #expect(running.counts.withLock { $0.most } <= 2)
        #expect(work.waitingCounts == [:])
    }

    @Test func aGroupThatHangsLeavesThreadsToTheOthers() async throws {
        let work = BlockingWork(width: 5, waitingLimit: 100, isShared: true)
        let held = (0..<3).map { Held(10, of: "group \($0)") }
        // Each begins while those before it hang.
        for (group, count) in zip(held, [3, 1, 1]) {
            await group.start(running: count, in: work)
        }
        await #expect(throws: BlockingWork.Overload.self) { try await work.run(for: "another", mayWait: false) {} }
        for group in held { group.letGo() }
        for group in held { try await group.end() }
    }

    @Test func aGroupHasSoMuchWaitingWorkAtMostWhateverOthersHave() async throws {
        let work = BlockingWork(width: 1, waitingLimit: 2, isShared: true)
        let held = Held(3, of: "a")
        await held.start(running: 1, in: work)
        await #expect(throws: BlockingWork.Overload.self) { try await work.run(for: "a") {} }
        let other = Task { try await work.run(for: "b") {} }
        while work.waitingCounts["b"] != 1 { await Task.yield() }
        held.letGo()
        try await held.end()
        try await other.value
    }

    @Test func aJobIsReleasedBeforeTheNextOneBeginsOnItsThread() async throws {
        let work = BlockingWork(width: 1, waitingLimit: 100)
        let gate = DispatchSemaphore(value: 0)
        let isReleased = Released()
        /// Starts a job that alone holds an object.
        func start() {
            let held = Releasing(isReleased)
            #expect(work.take { withExtendedLifetime(held) { gate.wait() } })
        }
        start()
        async let released = work.run { isReleased.flag.load(ordering: .relaxed) }
        while work.waitingCounts[""] != 1 { await Task.yield() }
        gate.signal()
        #expect(try await released)
    }

    @Test func anAddedThreadWorksUntilItIsRemoved() async throws {
        let work = BlockingWork(width: 1, waitingLimit: 100)
        let (gate, running) = (DispatchSemaphore(value: 0), Running())
        #expect(work.take { gate.wait() })
        work.addThread()
        #expect(try await work.run { true })
        work.removeThread()
        gate.signal()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await work.run { running.pass() } } }
            try await group.waitForAll()
        }
        #expect(running.counts.withLock { $0.most } == 1)
    }

    @Test func groupsThatWaitTakeTurns() async throws {
        let work = BlockingWork(width: 1, waitingLimit: 100, isShared: true)
        let first = Held(1, of: "")
        await first.start(running: 1, in: work)
        let order = Order()
        var tasks: [Task<Void, any Error>] = []
        for (group, count) in [("a", 3), ("b", 2)] {
            for number in 0..<count {
                tasks.append(Task { try await work.run(for: group) { order.names.withLock { $0.append(group) } } })
                while work.waitingCounts[group] != number + 1 { await Task.yield() }
            }
        }
        first.letGo()
        for task in tasks { try await task.value }
        try await first.end()
        #expect(order.names.withLock { $0 } == ["a", "b", "a", "b", "a"])
    }
}

/// Work of one group that hangs until it is let go.
private final class Held: Sendable {
    private let name: String
    private let count: Int
    private let gate = DispatchSemaphore(value: 0)
    private let runningCount = Atomic(0)
    private let tasks = Mutex<[Task<Void, any Error>]>([])

    init(_ count: Int, of name: String) {
        (self.count, self.name) = (count, name)
    }

    /// Returns once so much of it runs and the rest waits.
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

    func letGo() {
        for _ in 0..<count { gate.signal() }
    }

    func end() async throws {
        for task in tasks.withLock({ $0 }) { try await task.value }
    }
}

/// A flag that is set when an object is released.
private final class Released: Sendable {
    let flag = Atomic(false)
}

/// An object that sets a flag when it is released.
private final class Releasing: Sendable {
    private let released: Released

    init(_ released: Released) {
        self.released = released
    }

    deinit {
        released.flag.store(true, ordering: .relaxed)
    }
}

/// The groups of work in the order in which it began.
private final class Order: Sendable {
    let names = Mutex<[String]>([])
}

/// Counts the work that runs at a time.
private final class Running: Sendable {
    let counts = Mutex((now: 0, most: 0, done: 0))

    func pass() {
        counts.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
        sched_yield()
        counts.withLock { ($0.now, $0.done) = ($0.now - 1, $0.done + 1) }
    }
}
