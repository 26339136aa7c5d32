import Glibc
@testable import ScreenService
import Synchronization
import Testing

@Suite struct BlockingWorkTests {
    @Test func allThatWaitsIsDoneAndNoMoreAtATimeThanMay() async throws {
        let work = BlockingWork(width: 2, waitingLimit: 100)
        let running = Running()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { try await work.run { running.pass() } } }
            try await group.waitForAll()
        }
        #expect(running.counts.withLock { $0.done } == 100)
        #expect(running.counts.withLock { $0.most } <= 2)
    }
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
