import Logging
@testable import ScreenService
import Synchronization
import Testing

/// What ends when it is not known any more who asks. A test that fails waits for good.
@Suite(.timeLimit(.minutes(1))) struct ExpiryTests {
    /// A clock that a test sets, for those who sleep by it.
    private final class Clock: Sendable {
        private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        private let start = ContinuousClock.now
        private let passed = Mutex(Duration.zero)

        var now: ContinuousClock.Instant { start + passed.withLock { $0 } }

        func pass(_ duration: Duration) {
            passed.withLock { $0 += duration }
            continuation.yield()
        }

        @Sendable func sleep(until time: ContinuousClock.Instant) async {
            while now < time, await stream.first(where: { _ in true }) != nil {}
        }
    }

    private func isOver(_ subscription: Subscription) -> Bool {
        if case .end = subscription.news(since: nil) { true } else { false }
    }

    @Test func aSubscriptionEndsThenAndItsFollowerIsWoken() async throws {
        let (letters, clock) = (try await LetterService(), Clock())
        let timers = Timers(now: { clock.now }, sleep: clock.sleep)
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        let begun = try await letters.service.follow(letters.view()) { wake.yield() }.value
        let ending = ExpiringSubscription(insteadOf: begun, after: .seconds(5), by: timers)
        let other = try await letters.service.follow(letters.view()).value
        #expect(!isOver(ending))
        clock.pass(.seconds(5))
        _ = await wakes.first { _ in true }
        #expect(isOver(ending) && !isOver(other))
    }

    @Test func oneThatIsOverAlreadyEndsAtOnce() async throws {
        let letters = try await LetterService()
        for expiry in [1000, 999, Int64.min / 2] {
            #expect(isOver(try await letters.service.follow(letters.view(), until: expiry).value))
        }
        #expect(!isOver(try await letters.service.follow(letters.view(), until: 1001).value))
    }

    @Test func whoHasLeftKeepsNoTimer() async throws {
        let letters = try await LetterService()
        let timers = Timers(sleep: { _ in try? await Task.sleep(for: .seconds(3600)) })
        for _ in 0..<1000 {
            let begun = try await letters.service.follow(letters.view()).value
            _ = ExpiringSubscription(insteadOf: begun, after: .seconds(3600), by: timers)
        }
        #expect(timers.count < 100)
        #expect(letters.service.followedViewCount == 0)
    }

    @Test func whoWaitsDoesNotWaitLonger() async throws {
        let letters = try await LetterService()
        let version = try await letters.service.snapshot(of: letters.view()).value.version
        let answer = try await letters.service.changes(of: letters.view(), from: version, waiting: .seconds(3600), until: 1000)
        #expect(answer.text.contains(#""stages":[]"#))
    }
}
