import Synchronization
import Testing

@testable import ScreenService

@Suite("Commits of other replicas", .timeLimit(.minutes(1))) struct ReceivedCommitsTests {
    private final class Clock: Sendable {
        private let time = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { time.withLock { $0 } }

        func advance(by duration: Duration) {
            time.withLock { $0 += duration }
        }
    }

    private let clock = Clock()
    private let turns = Turns()

    /// Returns an instance of `ReceivedCommits` for a test.
    ///
    /// - Parameter timeouts: Gates that control timeouts. When a gate opens, one timeout passes.
    private func received(timeouts: Gate...) -> ReceivedCommits {
        let gates = Mutex(timeouts)
        let received = ReceivedCommits(
            now: { [clock] in clock.now },
            timers: Timers(now: { [clock] in clock.now }) { [clock] time in
                await gates.withLock { $0.isEmpty ? Gate() : $0.removeFirst() }.pass()
                clock.advance(by: time - clock.now)
            })
        received.trust(since: clock.now)
        return received
    }

    @Test func cachedViewsAreUsedForThreeSecondsAfterTheLastReportOfCommits() async throws {
        let letters = try await LetterService(["old"], received: received())
        let view = letters.view()
        let old = try await letters.service.snapshot(of: view).value
        letters.store.writeUnheard(["new"])
        clock.advance(by: ReceivedCommits.bound - .nanoseconds(1))
        #expect(letters.service.snapshot(of: view).immediateValue === old)
        clock.advance(by: .nanoseconds(1))
        #expect(letters.service.snapshot(of: view).immediateValue == nil)
        #expect(try await letters.service.snapshot(of: view).value.text.contains("the letter new"))
        #expect(try await letters.service.changes(of: view, from: old.version).value.text.contains("the letter new"))
    }

    @Test func aNewFollowerReceivesNewDataWhileReportsOfCommitsAreMissing() async throws {
        let letters = try await LetterService(["old"], received: received())
        let first = try await letters.service.follow(letters.view()).value
        letters.store.writeUnheard(["new"])
        clock.advance(by: ReceivedCommits.bound)
        let second = try await letters.service.follow(letters.view()).value
        #expect(second.feed.latest?.snapshot.text.contains("the letter new") == true)
        first.cancel()
    }

    @Test func aRequestWithAPositionWaitsForTheCommitOfThePosition() async throws {
        let received = received()
        let letters = try await LetterService(["old"], received: received)
        _ = try await letters.service.snapshot(of: letters.view()).value
        letters.store.writeUnheard(["new"])
        let view = letters.view()
        let request = turns.start { try await letters.service.snapshot(of: view, at: Position(number: 5)).value }
        turns.settle()
        received.receive(Position(number: 4))
        turns.settle()
        #expect(letters.service.metrics.current.computations == 1)
        letters.topics.announce([Topic("letters/everyone")])
        received.receive(Position(number: 5))
        #expect(try await request.awaited.text.contains("the letter new"))
        #expect(letters.service.snapshot(of: view, at: Position(number: 5)).immediateValue != nil)
    }

    @Test func aViewIsComputedAgainIfTheWaitForACommitTimesOut() async throws {
        let timeout = Gate()
        let letters = try await LetterService(["old"], received: received(timeouts: timeout))
        let view = letters.view()
        let gate = letters.store.hold()
        let early = turns.start { try await letters.service.snapshot(of: view).value }
        await gate.isReached()
        letters.store.writeUnheard(["new"])
        let late = turns.start { try await letters.service.snapshot(of: view, at: Position(number: 1)).value }
        await timeout.isReached()
        timeout.open()
        turns.settle()
        gate.open()
        #expect(try await early.awaited.text.contains("the letter old"))
        #expect(try await late.awaited.text.contains("the letter new"))
    }

    @Test func aWaitForACommitFailsWhileTheReplicaReceivesNoCommits() async throws {
        let received = received()
        let waiting = (1...3).map { number in turns.start { await received.wait(for: Position(number: number), upTo: .seconds(1)) } }
        turns.settle()
        #expect(received.isAwaited)
        received.endReceiving()
        for task in waiting { #expect(try await task.awaited == false) }
        #expect(await received.wait(for: Position(number: 1), upTo: .seconds(1)) == false)
        #expect(!received.isAwaited)
        received.beginReceiving()
        let later = turns.start { await received.wait(for: Position(number: 1), upTo: .seconds(1)) }
        turns.settle()
        #expect(received.isAwaited)
        received.receive(Position(number: 1))
        #expect(try await later.awaited)
    }

    @Test func aWaitFailsImmediatelyIfAnEarlierWaitForTheSameCommitHasTimedOut() async throws {
        let timeout = Gate()
        let received = received(timeouts: timeout)
        let first = turns.start { await received.wait(for: Position(number: 5), upTo: .seconds(1)) }
        await timeout.isReached()
        timeout.open()
        #expect(try await first.awaited == false)
        for number in [5, 6, .max] as [Int64] { #expect(await received.wait(for: Position(number: number), upTo: .seconds(1)) == false) }
        // Commit 4 precedes commit 5, so it may still arrive although the wait for commit 5 has timed out. Therefore a wait for commit 4
        // does not fail immediately.
        let earlier = turns.start { await received.wait(for: Position(number: 4), upTo: .seconds(1)) }
        turns.settle()
        received.receive(Position(number: 4))
        #expect(try await earlier.awaited)
        #expect(await received.wait(for: Position(number: 5), upTo: .seconds(1)) == false)
        received.receive(Position(number: 5))
        let later = turns.start { await received.wait(for: Position(number: 6), upTo: .seconds(1)) }
        turns.settle()
        received.receive(Position(number: 6))
        #expect(try await later.awaited)
    }

    @Test func requestsThatWaitForCommitsAreResumedInTheOrderOfTheirPositions() async throws {
        let received = received()
        let resumed = Mutex<[Int64]>([])
        let waiting = ([3, 1, 2, 1] as [Int64]).map { number in
            turns.start {
                _ = await received.wait(for: Position(number: number), upTo: .seconds(1))
                resumed.withLock { $0.append(number) }
            }
        }
        turns.settle()
        received.receive(Position(number: 2))
        turns.settle()
        #expect(resumed.withLock { $0 } == [1, 1, 2] && received.isAwaited)
        received.receive(Position(number: 3))
        for task in waiting { try await task.awaited }
    }

    @Test func anAnnouncementOfAllTopicsWakesOnlyTheFollowersOfChangedViews() async throws {
        let letters = try await LetterService(received: received())
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        let subscription = try await letters.service.follow(letters.view()) { wake.yield() }.value
        let version = subscription.feed.latest?.snapshot.version
        letters.topics.announceEverything()
        while subscription.feed.isRefreshing {}
        #expect(letters.service.metrics.current.computations == 2)
        letters.store.writeUnheard(["new"])
        letters.topics.announceEverything()
        for await _ in wakes { break }
        wake.finish()
        #expect(letters.service.metrics.current.computations == 3)
        #expect(subscription.feed.latest?.snapshot.version != version)
    }

    @Test(arguments: [("0", 0), ("42", 42), ("007", 7), ("9223372036854775807", Int64.max)] as [(String, Int64)])
    func aPositionIsReadFromDigits(_ text: String, number: Int64) {
        #expect(Position(text) == Position(number: number))
    }

    @Test(arguments: ["", "-1", "+1", "1.0", " 1", "٣", "9223372036854775808", "a"])
    func invalidTextIsRejectedAsAPosition(_ text: String) {
        #expect(Position(text) == nil)
    }
}
