@testable import ScreenService
import Synchronization
import Testing

@Suite("What a replica has heard", .timeLimit(.minutes(1))) struct HeardCommitsTests {
    private final class Clock: Sendable {
        private let time = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { time.withLock { $0 } }

        func advance(by duration: Duration) {
            time.withLock { $0 += duration }
        }
    }

    private let clock = Clock()
    private let turns = Turns()

    /// - Parameter patience: Passes when it is opened, each for one sleep.
    private func heard(patience: Gate...) -> HeardCommits {
        let gates = Mutex(patience)
        let heard = HeardCommits(now: { [clock] in clock.now }, timers: Timers(now: { [clock] in clock.now }) { [clock] time in
            await gates.withLock { $0.isEmpty ? Gate() : $0.removeFirst() }.pass()
            clock.advance(by: time - clock.now)
        })
        heard.trust(since: clock.now)
        return heard
    }

    @Test func aViewIsAtHandWhileWhatIsCommittedIsHeard() async throws {
        let letters = try await LetterService(heard: heard())
        let first = try await letters.service.snapshot(of: letters.view()).value
        clock.advance(by: HeardCommits.bound - .nanoseconds(1))
        #expect(letters.service.snapshot(of: letters.view()).atHand === first)
    }

    @Test func afterThreeSecondsWithoutASignNothingIsGivenThatWasComputedBefore() async throws {
        let letters = try await LetterService(["old"], heard: heard())
        let old = try await letters.service.snapshot(of: letters.view()).value
        letters.store.writeUnheard(["new"])
        clock.advance(by: HeardCommits.bound)
        #expect(letters.service.snapshot(of: letters.view()).atHand == nil)
        #expect(try await letters.service.snapshot(of: letters.view()).value.text.contains("the letter new"))
        #expect(try await letters.service.changes(of: letters.view(), from: old.version).value.text.contains("the letter new"))
    }

    @Test func whoBeginsToFollowThenIsShownWhatIsThere() async throws {
        let letters = try await LetterService(["old"], heard: heard())
        let old = try await letters.service.follow(letters.view()).value
        letters.store.writeUnheard(["new"])
        clock.advance(by: HeardCommits.bound)
        let subscription = try await letters.service.follow(letters.view()).value
        guard case .document(let document) = subscription.news(since: nil) else {
            Issue.record("there is no news")
            return
        }
        #expect(try await document.value.text.contains("the letter new"))
        old.cancel()
    }

    @Test func whoHasSeenACommitWaitsUntilItIsHeard() async throws {
        let heard = heard()
        let letters = try await LetterService(["old"], heard: heard)
        _ = try await letters.service.snapshot(of: letters.view()).value
        letters.store.writeUnheard(["new"])
        let view = letters.view()
        let asker = turns.start { try await letters.service.snapshot(of: view, at: Position(number: 5)).value }
        turns.settle()
        heard.hear(Position(number: 4))
        turns.settle()
        #expect(letters.service.metrics.current.computations == 1)
        letters.topics.announce([Topic("letters/everyone")])
        heard.hear(Position(number: 5))
        #expect(try await asker.awaited.text.contains("the letter new"))
        #expect(letters.service.snapshot(of: view, at: Position(number: 5)).atHand != nil)
    }

    @Test func whoHasWaitedInVainIsGivenWhatIsComputedAnew() async throws {
        let patience = Gate()
        let letters = try await LetterService(["old"], heard: heard(patience: patience))
        let view = letters.view()
        let gate = letters.store.hold()
        let early = turns.start { try await letters.service.snapshot(of: view).value }
        await gate.isReached()
        letters.store.writeUnheard(["new"])
        let late = turns.start { try await letters.service.snapshot(of: view, at: Position(number: 1)).value }
        await patience.isReached()
        patience.open()
        turns.settle()
        gate.open()
        #expect(try await early.awaited.text.contains("the letter old"))
        #expect(try await late.awaited.text.contains("the letter new"))
    }

    @Test func whileNothingIsHeardNobodyWaits() async throws {
        let heard = heard()
        let waiting = (1...3).map { number in turns.start { await heard.wait(for: Position(number: number), upTo: .seconds(1)) } }
        turns.settle()
        #expect(heard.isAwaited)
        heard.endHearing()
        for task in waiting { #expect(try await task.awaited == false) }
        #expect(await heard.wait(for: Position(number: 1), upTo: .seconds(1)) == false)
        #expect(!heard.isAwaited)
        heard.beginHearing()
        let later = turns.start { await heard.wait(for: Position(number: 1), upTo: .seconds(1)) }
        turns.settle()
        #expect(heard.isAwaited)
        heard.hear(Position(number: 1))
        #expect(try await later.awaited)
    }

    @Test func aCommitThatWasWaitedForInVainIsWaitedForOnce() async throws {
        let patience = Gate()
        let heard = heard(patience: patience)
        let first = turns.start { await heard.wait(for: Position(number: 5), upTo: .seconds(1)) }
        await patience.isReached()
        patience.open()
        #expect(try await first.awaited == false)
        for number in [5, 6, .max] as [Int64] { #expect(await heard.wait(for: Position(number: number), upTo: .seconds(1)) == false) }
        // An earlier one may be announced any time.
        let earlier = turns.start { await heard.wait(for: Position(number: 4), upTo: .seconds(1)) }
        turns.settle()
        heard.hear(Position(number: 4))
        #expect(try await earlier.awaited)
        #expect(await heard.wait(for: Position(number: 5), upTo: .seconds(1)) == false)
        heard.hear(Position(number: 5))
        let later = turns.start { await heard.wait(for: Position(number: 6), upTo: .seconds(1)) }
        turns.settle()
        heard.hear(Position(number: 6))
        #expect(try await later.awaited)
    }

    @Test func whenAnythingMayHaveChangedViewsAreComputedAnewAndFollowersOfTheSameHearNothing() async throws {
        let letters = try await LetterService(heard: heard())
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

    @Test func aComputationUnderWayWhenAnythingMayHaveChangedIsNotKept() async throws {
        let letters = try await LetterService(["old"], heard: heard())
        let view = letters.view()
        let gate = letters.store.hold()
        let early = turns.start { try await letters.service.snapshot(of: view).value }
        await gate.isReached()
        letters.store.writeUnheard(["new"])
        letters.topics.announceEverything()
        gate.open()
        _ = try await early.awaited
        #expect(try await letters.service.snapshot(of: view).value.text.contains("the letter new"))
    }

    @Test(arguments: [("0", 0), ("42", 42), ("007", 7), ("9223372036854775807", Int64.max)] as [(String, Int64)])
    func aPositionIsReadFromDigits(_ text: String, number: Int64) {
        #expect(Position(text) == Position(number: number))
    }

    @Test(arguments: ["", "-1", "+1", "1.0", " 1", "٣", "9223372036854775808", "a"])
    func nothingElseIsAPosition(_ text: String) {
        #expect(Position(text) == nil)
    }
}
